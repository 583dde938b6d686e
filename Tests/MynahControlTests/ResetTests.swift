import APNsRules
import Mynah
import Testing

@testable import MynahControl

/// `POST /v1/reset`, `GET /v1/status`, `GET /v1/credentials`, `GET /ca.pem`.
@Suite("Reset, status, credentials")
struct ResetTests {
    private let token = DeviceToken(String(repeating: "ab", count: 32))

    @Test("a reset removes all and says how much; numbers go on", arguments: [nil, "", " \n", "{}"])
    func all(body: String?) async throws {
        let token = try #require(token)
        try await Box.with({ server, _ in server.retain = 2 }) { box in
            for _ in 1...3 { box.push() }
            box.server.register(token, topic: "com.example.app", environment: .sandbox)
            let answer = try await box.http.call("POST", "/v1/reset", body)
            #expect(answer.status == 200)
            #expect(
                try answer.json() == [
                    "removed": ["notifications": 2, "devices": 1, "faults": 0, "clock": 0, "keys": 0]
                ])
            let list = try await box.http.call("GET", "/v1/notifications").json()
            #expect(list["items"] == .array([]))
            #expect(list["evicted"] == 0)
            // The reset has a number, too.
            #expect(list["lastSequence"] == 4)
            #expect(box.server.deviceCount == 0)
            #expect(box.push() == 5)
        }
    }

    @Test("only resets what it names")
    func only() async throws {
        let token = try #require(token)
        try await Box.with { box in
            box.push()
            box.server.register(token, topic: "com.example.app", environment: .sandbox)
            let answer = try await box.http.call("POST", "/v1/reset", #"{"only":["devices","connections"]}"#).json()
            #expect(answer["removed"]?["devices"] == 1)
            #expect(answer["removed"]?["connections"] == 0)
            #expect(answer["removed"]?["notifications"] == 0)
            #expect(try await box.sequences("/v1/notifications") == [1])
        }
    }

    @Test(
        "a reset that is malformed, or names what is not there, removes nothing",
        arguments: [
            (#"{"ony":["devices"]}"#, "/ony", "only"), (#"{"only":"devices"}"#, "/only", "array"),
            (#"{"only":["device"]}"#, "/only/0", "devices"), (#"{"only":["notifications",1]}"#, "/only/1", "number"),
            (#"{"only":["notifications","fault"]}"#, "/only/1", "faults"),
            (#"{"scope":"a b"}"#, "/scope", "letters"), (#"{"scope":7}"#, "/scope", "string"), ("[]", "", "object"),
        ])
    func refused(body: String, field: String, words: String) async throws {
        try await Box.with { box in
            box.push()
            try expectProblem(await box.http.call("POST", "/v1/reset", body), 400, field: field, mentions: words)
            #expect(try await box.sequences("/v1/notifications") == [1])
        }
    }

    @Test("the status has counts, ports and the seed")
    func status() async throws {
        try await Box.with { box in
            box.push()
            box.push(refused: .badTopic)
            let status = try await box.http.call("GET", "/v1/status").json()
            #expect(status["name"] == "mynah")
            #expect(status["version"]?.string == MynahVersion.current)
            #expect(status["seed"] == 1)
            #expect(status["environment"] == "sandbox")
            #expect(status["ports"]?["apns"]?.array?.compactMap(\.integer) == box.server.ports.map { Int64($0) })
            #expect(status["ports"]?["cleartext"] == .null)
            #expect(status["ports"]?["control"]?.integer == Int64(box.control.port))
            #expect(status["counts"]?["received"] == 2)
            #expect(status["counts"]?["accepted"] == 1)
            #expect(status["counts"]?["refused"] == 1)
            #expect(status["counts"]?["devices"] == 0)
            #expect(status["counts"]?["connections"] == 0)
            #expect(status["journal"]?["size"] == 2)
            #expect(try #require(status["journal"]?["bytes"]?.integer) > 0)
            #expect(try #require(status["memory"]?["resident"]?.integer) > 1 << 20)
            #expect(status["startedAt"]?.string.flatMap { Instant(rfc3339: $0) } != nil)
        }
    }

    @Test("the credentials are the CA and the generated key, never the CA's own key")
    func credentials() async throws {
        try await Box.with { box in
            let answer = try await box.http.call("GET", "/v1/credentials")
            let credentials = try answer.json()
            #expect(credentials.object?.map(\.name) == ["ca", "keyId", "teamId", "key"])
            #expect(credentials["ca"]?.string?.hasPrefix("-----BEGIN CERTIFICATE-----") == true)
            #expect(credentials["key"]?.string?.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
            #expect(credentials["keyId"]?.string?.count == 10)
            #expect(credentials["teamId"]?.string?.count == 10)
            #expect(answer.text.split(separator: "PRIVATE KEY").count == 3)

            let ca = try await box.http.call("GET", "/ca.pem")
            #expect(ca.text == credentials["ca"]?.string)
            #expect(!ca.text.contains("PRIVATE"))
        }
    }
}
