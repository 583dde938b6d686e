import APNsRules
import Mynah
import Testing

@testable import MynahControl

/// `/v1/keys`.
@Suite("Signing keys by the control API")
struct KeyTests {
    private static let fields = [
        "keyId", "team", "publicKey", "environment", "topics", "related", "revokedAt", "canSign",
    ]

    @Test("a key without material is generated, and its private half is returned once")
    func made() async throws {
        try await Box.with { box in
            let answer = try await box.http.call("POST", "/v1/keys", "")
            #expect(answer.status == 201)
            let key = try answer.json()
            #expect(key.object?.map(\.name) == Self.fields + ["privateKey"])
            let keyID = try #require(key["keyId"]?.string)
            #expect(answer.headers["location"] == ["/v1/keys/\(keyID)"])
            #expect(key["privateKey"]?.string?.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
            #expect(key["publicKey"]?.string?.hasPrefix("-----BEGIN PUBLIC KEY-----") == true)
            let credentials = try await box.http.call("GET", "/v1/credentials").json()
            #expect(key["team"] == credentials["teamId"])
            #expect(key["environment"] == "both")
            #expect(key["topics"] == .null)

            let list = try await box.http.call("GET", "/v1/keys")
            #expect(!list.text.contains("PRIVATE"))
            let items = try #require(try list.json()["items"]?.array)
            #expect(Set(items.compactMap { $0["keyId"]?.string }) == [keyID, credentials["keyId"]?.string])
            let one = try await box.http.call("GET", "/v1/keys/\(keyID)")
            #expect(one.status == 200)
            #expect(try one.json().object?.map(\.name) == Self.fields)
            #expect(try items.contains(one.json()))
        }
    }

    @Test("a given key is returned without its private half")
    func given() async throws {
        try await Box.with { box in
            let made = try await box.http.call("POST", "/v1/keys", "{}").json()
            let pem = try #require(made["privateKey"]).encodedText
            let answer = try await box.http.call(
                "POST", "/v1/keys",
                """
                {"keyId": "NEWS123456", "team": "TEAM123456", "privateKey": \(pem), "environment": "sandbox",
                 "topics": ["com.example.b", "com.example.a"]}
                """)
            #expect(answer.status == 201, "\(answer.text)")
            let key = try answer.json()
            #expect(key.object?.map(\.name) == Self.fields)
            #expect(key["keyId"] == "NEWS123456")
            #expect(key["team"] == "TEAM123456")
            #expect(key["publicKey"] == made["publicKey"])
            #expect(key["environment"] == "sandbox")
            #expect(key["topics"] == ["com.example.a", "com.example.b"])
            #expect(key["canSign"] == true)

            let publicKey = try #require(made["publicKey"]).encodedText
            let other = try await box.http.call("POST", "/v1/keys", #"{"publicKey": \#(publicKey)}"#).json()
            #expect(other["canSign"] == false)
        }
    }

    @Test("a revoked key stays in the list with the time, and revoking it again changes nothing")
    func revoked() async throws {
        try await Box.with { box in
            try await box.add("OLD1234567")
            let answer = try await box.http.call("DELETE", "/v1/keys/OLD1234567")
            #expect(answer.status == 200)
            let key = try answer.json()
            #expect(key["revokedAt"]?.string.flatMap { Instant(rfc3339: $0) } != nil)
            #expect(try await box.http.call("GET", "/v1/keys/OLD1234567").json() == key)
            #expect(try await box.http.call("DELETE", "/v1/keys/OLD1234567").json() == key)
            try expectProblem(
                await box.http.call("POST", "/v1/keys", #"{"keyId":"OLD1234567"}"#), 409, field: "/keyId",
                mentions: "OLD1234567")
        }
    }

    @Test("PUT replaces a key's permissions, or creates the key")
    func replaced() async throws {
        try await Box.with { box in
            let made = try await box.add("NEWS123456")
            let answer = try await box.http.call(
                "PUT", "/v1/keys/NEWS123456", #"{"environment":"production","topics":["com.example.app"]}"#)
            #expect(answer.status == 200, "\(answer.text)")
            let key = try answer.json()
            #expect(key["publicKey"] == made["publicKey"])
            #expect(key["team"] == made["team"])
            #expect(key["canSign"] == true)
            #expect(key["environment"] == "production")
            #expect(key["topics"] == ["com.example.app"])
            // The answer of a GET can be PUT.
            #expect(try await box.http.call("PUT", "/v1/keys/NEWS123456", key.encodedText).json() == key)

            let created = try await box.http.call("PUT", "/v1/keys/SPORT12345")
            #expect(created.status == 201)
            #expect(try created.json()["privateKey"]?.string != nil)
            try expectProblem(
                await box.http.call("PUT", "/v1/keys/SPORT12345", #"{"keyId":"NEWS123456"}"#), 400, field: "/keyId",
                mentions: "path")
            try expectProblem(await box.http.call("PUT", "/v1/keys/short"), 400, field: "/keyId", mentions: "10")
        }
    }

    @Test("a reset restores the keys of the start, including revoked ones, and counts the others")
    func reset() async throws {
        try await Box.with { server, _ in
            server.keys = [NewKey(keyID: "START12345", environment: .sandbox, topics: ["com.example.app"])]
        } _: { box in
            let before = try await box.http.call("GET", "/v1/keys").json()["items"]
            try await box.add("NEWS123456")
            try await box.add("SPORT12345")
            _ = try await box.http.call("DELETE", "/v1/keys/START12345")
            let answer = try await box.http.call("POST", "/v1/reset", #"{"only":["keys"]}"#).json()
            #expect(answer["removed"]?["keys"] == 2)
            #expect(try await box.http.call("GET", "/v1/keys").json()["items"] == before)
        }
    }

    @Test(
        "an invalid key is refused with its field, and nothing is added",
        arguments: [
            (#"{"keyID":"NEWS123456"}"#, "/keyID", "keyId"), (#"{"keyId":"SHORT"}"#, "/keyId", "10 letters"),
            (#"{"keyId":1234567890}"#, "/keyId", "string"), (#"{"team":"TEAM-12345"}"#, "/team", "10 letters"),
            (#"{"publicKey":"hello"}"#, "/publicKey", "PEM"), (#"{"privateKey":""}"#, "/privateKey", "empty"),
            (#"{"publicKey":"a","privateKey":"b"}"#, "/privateKey", "one of them"),
            (#"{"publicKeyFile":"a.pem"}"#, "/publicKeyFile", "publicKey"),
            (#"{"environment":"staging"}"#, "/environment", "sandbox"),
            (#"{"topics":"com.example.app","environment":"sandbox"}"#, "/topics", "array"),
            (#"{"topics":[],"environment":"sandbox"}"#, "/topics", "1 to 400"),
            (#"{"topics":["a","a b"],"environment":"sandbox"}"#, "/topics/1", "a b"),
            (#"{"topics":[""],"environment":"sandbox"}"#, "/topics/0", "1 to 255"),
            (#"{"topics":[7],"environment":"sandbox"}"#, "/topics/0", "a string"),
            (#"{"topics":["com.example.app"]}"#, "/environment", "one environment"),
            (#"{"related":"TOPIC12345"}"#, "/related", "topic-specific"),
            (#"{"revokedAt":"yesterday"}"#, "/revokedAt", "yesterday"),
            (#"{"canSign":1}"#, "/canSign", "true"),
            (#"{"topics":["x.y"],"environment":"sandbox","related":"NOBODY1234"}"#, "/related", "NOBODY1234"),
            (
                #"{"topics":["x.y"],"environment":"sandbox","related":"NEWS123456","keyId":"NEWS123456"}"#, "/keyId",
                "known"
            ),
            (#"{"topics":["x.y"],"environment":"production","related":"NEWS123456"}"#, "/related", "sandbox"),
            (
                #"{"topics":["x.y"],"environment":"sandbox","related":"NEWS123456","team":"OTHERTEAM1"}"#, "/related",
                "team"
            ),
            (#"{"topics":["x.y"],"environment":"sandbox","related":"WHOLE12345"}"#, "/related", "whole team"),
            (#"{"topics":["x.y"],"environment":"sandbox","related":"PAIRED1234"}"#, "/related", "at most one"),
            ("[]", "", "object"),
        ])
    func refused(body: String, field: String, words: String) async throws {
        try await Box.with { box in
            try await box.add("WHOLE12345")
            try await box.add("NEWS123456", #""environment":"sandbox","topics":["com.example.app"]"#)
            try await box.add("PAIR123456", #""environment":"sandbox","topics":["com.example.app"]"#)
            try await box.add(
                "PAIRED1234", #""environment":"sandbox","topics":["com.example.app"],"related":"PAIR123456""#)
            let before = try await box.http.call("GET", "/v1/keys").json()["items"]
            let status = field == "/keyId" && words == "known" ? 409 : 400
            try expectProblem(await box.http.call("POST", "/v1/keys", body), status, field: field, mentions: words)
            #expect(try await box.http.call("GET", "/v1/keys").json()["items"] == before)
        }
    }

    @Test("a topic-specific key has up to 400 topics", arguments: [(400, 201), (401, 400)])
    func topics(count: Int, status: Int) async throws {
        try await Box.with { box in
            let topics = (1...count).map { #""com.example.app\#($0)""# }.joined(separator: ",")
            let answer = try await box.http.call(
                "POST", "/v1/keys", #"{"environment":"sandbox","topics":[\#(topics)]}"#)
            #expect(answer.status == status)
        }
    }

    @Test("a related key can't be changed so that the relation becomes invalid")
    func relatedKeyChanges() async throws {
        try await Box.with { box in
            try await box.add("NEWS123456", #""environment":"sandbox","topics":["com.example.app"]"#)
            try await box.add(
                "SPORT12345", #""environment":"sandbox","topics":["com.example.app"],"related":"NEWS123456""#)
            for (body, field) in [
                (#"{"environment":"production","topics":["com.example.app"]}"#, "/environment"),
                (#"{"environment":"sandbox"}"#, "/topics"),
                (#"{"environment":"sandbox","topics":["x.y"],"team":"OTHERTEAM1"}"#, "/team"),
            ] {
                try expectProblem(
                    await box.http.call("PUT", "/v1/keys/NEWS123456", body), 400, field: field, mentions: "SPORT12345")
            }
            // Two keys that name each other have one relation.
            let answer = try await box.http.call(
                "PUT", "/v1/keys/NEWS123456",
                #"{"environment":"sandbox","topics":["x.y"],"related":"SPORT12345"}"#)
            #expect(answer.status == 200, "\(answer.text)")
            try expectProblem(
                await box.http.call(
                    "PUT", "/v1/keys/NEWS123456",
                    #"{"environment":"sandbox","topics":["x.y"],"related":"NEWS123456"}"#), 400, field: "/related",
                mentions: "itself")
        }
    }

    @Test("the list is JSON lines if the caller accepts them")
    func lines() async throws {
        try await Box.with { box in
            try await box.add("NEWS123456")
            let answer = try await box.http.call("GET", "/v1/keys", headers: [("Accept", "application/x-ndjson")])
            #expect(answer.headers["content-type"] == ["application/x-ndjson"])
            let lines = try answer.text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
            #expect(try await box.http.call("GET", "/v1/keys").json()["items"] == .array(lines))
        }
    }

    @Test("an unknown key is 404", arguments: ["GET", "DELETE"])
    func unknown(method: String) async throws {
        try await Box.with { box in
            try expectProblem(
                await box.http.call(method, "/v1/keys/NOBODY1234"), 404, field: "keyId", mentions: "NOBODY1234")
        }
    }
}

extension Box {
    /// Adds a key with this ID and further members.
    @discardableResult
    fileprivate func add(_ keyID: String, _ members: String = "") async throws -> JSONValue {
        let answer = try await http.call(
            "POST", "/v1/keys", #"{"keyId":"\#(keyID)"\#(members.isEmpty ? "" : "," + members)}"#)
        #expect(answer.status == 201, "\(answer.text)")
        return try answer.json()
    }
}
