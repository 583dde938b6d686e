import APNsRules
import Mynah
import Testing

@testable import MynahControl

/// `/v1/certificates`.
@Suite("Provider certificates over the control API")
struct CertificateTests {
    @Test("an issued certificate is in the list, and its key only in the answer")
    func issue() async throws {
        try await Box.with { box in
            #expect(try await box.http.call("GET", "/v1/certificates").json()["items"] == [])
            let answer = try await box.http.call(
                "POST", "/v1/certificates",
                #"{"topics":["com.example.app"],"voip":true,"environment":"sandbox","days":7}"#)
            #expect(answer.status == 201, "\(answer.text)")
            let issued = try answer.json()
            #expect(issued["privateKey"]?.string?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)
            #expect(issued["certificate"]?.string?.hasPrefix("-----BEGIN CERTIFICATE-----\n") == true)
            let credentials = try await box.http.call("GET", "/v1/credentials").json()
            #expect(issued["authority"] == credentials["ca"])
            #expect(issued["password"] == "mynah")
            let pkcs12 = try #require(issued["pkcs12"]?.string)
            #expect(Base64.decode(pkcs12.utf8)?.bytes.first == 0x30)
            #expect(issued["environment"] == "sandbox")
            #expect(issued["revokedAt"] == .null)
            #expect(
                issued["topics"] == [
                    ["topic": "com.example.app", "kind": "app"], ["topic": "com.example.app.voip", "kind": "voip"],
                ])
            let from = try #require(issued["notBefore"]?.string.flatMap { Instant(rfc3339: $0) })
            let to = try #require(issued["notAfter"]?.string.flatMap { Instant(rfc3339: $0) })
            let now = box.server.now
            #expect(from < now && now < to)
            #expect(to.since(now) <= .seconds(7 * 24 * 3600))

            let members = try #require(issued.object)
            let secrets = ["authority", "privateKey", "pkcs12", "password"]
            let item = JSONValue.object(members.filter { !secrets.contains($0.name) })
            #expect(try await box.http.call("GET", "/v1/certificates").json()["items"] == .array([item]))
            let serialNumber = try #require(item["serialNumber"]?.string)
            for spelling in [serialNumber, serialNumber.lowercased(), "0x" + serialNumber] {
                #expect(try await box.http.call("GET", "/v1/certificates/\(spelling)").json() == item)
            }
            let lines = try await box.http.call(
                "GET", "/v1/certificates", headers: [("Accept", "application/x-ndjson")])
            #expect(lines.text == item.encodedText + "\n")
        }
    }

    @Test("a certificate that would outlive its CA is refused")
    func outlivingCA() async throws {
        try await Box.with { box in
            _ = try await box.json("PUT", "/v1/clock", #"{"mode":"frozen","now":"2035-01-01T00:00:00Z"}"#)
            let order = #"{"topics":["com.example.app"],"days":3600}"#
            try expectProblem(
                await box.http.call("POST", "/v1/certificates", order), 400, field: "", mentions: "outlive")
        }
    }

    @Test("an expired certificate ends before it is issued")
    func expired() async throws {
        try await Box.with { box in
            let issued = try await box.http.call(
                "POST", "/v1/certificates", #"{"topics":["com.example.app"],"expired":true}"#
            ).json()
            let to = try #require(issued["notAfter"]?.string.flatMap { Instant(rfc3339: $0) })
            #expect(to < box.server.now)
        }
    }

    @Test("a revoked certificate stays in the list, with the time; a second revocation changes nothing")
    func revoke() async throws {
        try await Box.with { box in
            var serialNumbers: [String] = []
            for topic in ["com.example.one", "com.example.two"] {
                let issued = try await box.http.call("POST", "/v1/certificates", #"{"topics":["\#(topic)"]}"#).json()
                serialNumbers.append(try #require(issued["serialNumber"]?.string))
            }
            let first = try await box.http.call("DELETE", "/v1/certificates/\(serialNumbers[0])")
            #expect(first.status == 200)
            #expect(try first.json()["revokedAt"]?.string.flatMap { Instant(rfc3339: $0) } != nil)
            let again = try await box.http.call("DELETE", "/v1/certificates/\(serialNumbers[0])")
            #expect(try again.json() == first.json())
            let items = try #require(try await box.http.call("GET", "/v1/certificates").json()["items"]?.array)
            #expect(items.map { $0["serialNumber"]?.string } == serialNumbers)
            #expect(items.map { $0["revokedAt"] == .null } == [false, true])
        }
    }

    @Test("a reset keeps certificates")
    func reset() async throws {
        try await Box.with { box in
            for topic in ["com.example.one", "com.example.two"] {
                _ = try await box.http.call("POST", "/v1/certificates", #"{"topics":["\#(topic)"]}"#)
            }
            let items = try #require(try await box.http.call("GET", "/v1/certificates").json()["items"]?.array)
            let first = try #require(items.first?["serialNumber"]?.string)
            _ = try await box.http.call("DELETE", "/v1/certificates/\(first)")
            let before = try await box.http.call("GET", "/v1/certificates").json()["items"]
            let answer = try await box.http.call("POST", "/v1/reset").json()
            #expect(answer["removed"]?["certificates"] == nil)
            #expect(try await box.http.call("GET", "/v1/certificates").json()["items"] == before)
            try expectProblem(
                await box.http.call("POST", "/v1/reset", #"{"only":["certificates"]}"#), 400, field: "/only/0",
                mentions: #""certificates" is not valid"#)
        }
    }

    @Test("an unknown serial number is 404, and an invalid one 400", arguments: ["GET", "DELETE"])
    func unknown(method: String) async throws {
        try await Box.with { box in
            try expectProblem(
                await box.http.call(method, "/v1/certificates/00FF"), 404, field: "serialNumber", mentions: "00FF")
            try expectProblem(
                await box.http.call(method, "/v1/certificates/xyz"), 400, field: "serialNumber",
                mentions: "hexadecimal")
            try expectProblem(
                await box.http.call(method, "/v1/certificates/00FF?x=1"), 400, field: "x")
        }
    }

    @Test(
        "an invalid order is refused with its field, and issues nothing",
        arguments: [
            ("{}", "/topics", "missing"), (#"{"topics":"com.example.app"}"#, "/topics", "an array"),
            (#"{"topics":[]}"#, "/topics", "1 to 32"), (#"{"topics":["com.example.app",7]}"#, "/topics/1", "7"),
            (#"{"topics":["com example"]}"#, "/topics/0", "com example"),
            (#"{"topics":["a.b","a.b"]}"#, "/topics/1", "twice"),
            (#"{"topics":["a.b"],"voip":1}"#, "/voip", "true or false"),
            (#"{"topics":["a.b"],"environment":"sandbx"}"#, "/environment", "sandbox"),
            (#"{"topics":["a.b"],"environment":1}"#, "/environment", "1"),
            (#"{"topics":["a.b"],"days":0}"#, "/days", "1 to 3600"),
            (#"{"topics":["a.b"],"days":1.5}"#, "/days", "1.5"),
            (#"{"topics":["a.b"],"password":""}"#, "/password", "empty"),
            (#"{"topics":["a.b"],"voipp":1}"#, "/voipp", #"did you mean "voip"?"#), ("[]", "", "object"),
        ])
    func badOrders(body: String, field: String, words: String) async throws {
        try await Box.with { box in
            try expectProblem(
                await box.http.call("POST", "/v1/certificates", body), 400, field: field, mentions: words)
            #expect(try await box.http.call("GET", "/v1/certificates").json()["items"] == [])
        }
    }
}
