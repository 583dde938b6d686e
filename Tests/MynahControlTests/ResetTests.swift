import APNsRules
import Mynah
import MynahCore
import Testing

@testable import MynahControl

/// `POST /v1/reset`, `GET /v1/status`, `GET /v1/credentials`, `GET /ca.pem`.
@Suite("Reset, status, credentials")
struct ResetTests {
    @Test(
        "a reset removes all and returns the counts, and sequence numbers continue", arguments: [nil, "", " \n", "{}"])
    func all(body: String?) async throws {
        try await Box.with({ server, _ in server.retain = 2 }) { box in
            try await box.server.createDevices([DeviceSpecification(id: "phone")])
            for _ in 1...3 { box.push() }
            let answer = try await box.http.call("POST", "/v1/reset", body)
            #expect(answer.status == 200)
            #expect(
                try answer.json() == [
                    "removed": ["notifications": 2, "devices": 1, "channels": 0, "faults": 0, "clock": 0, "keys": 0]
                ])
            let list = try await box.http.call("GET", "/v1/notifications").json()
            #expect(list["items"] == .array([]))
            #expect(list["evicted"] == 0)
            // The device and the reset have numbers too.
            #expect(list["lastSequence"] == 5)
            #expect(box.server.deviceCount == 0)
            #expect(box.push() == 6)
        }
    }

    @Test("every part has its place in the order of a reset")
    func order() {
        #expect(ResetPart.inOrder.count == ResetPart.allCases.count)
        #expect(Set(ResetPart.inOrder) == Set(ResetPart.allCases))
    }

    @Test("only limits a reset to the named parts")
    func only() async throws {
        try await Box.with { box in
            box.push()
            try await box.server.createDevices([DeviceSpecification(id: "phone")])
            let answer = try await box.http.call("POST", "/v1/reset", #"{"only":["devices","connections"]}"#).json()
            #expect(answer["removed"]?["devices"] == 1)
            #expect(answer["removed"]?["connections"] == 0)
            #expect(answer["removed"]?["notifications"] == 0)
            #expect(try await box.sequences("/v1/notifications") == [1])
        }
    }

    @Test(
        "a reset that is malformed or names unknown parts removes nothing",
        arguments: [
            (#"{"ony":["devices"]}"#, "/ony", "only"), (#"{"only":"devices"}"#, "/only", "array"),
            (#"{"only":["device"]}"#, "/only/0", "devices"),
            (#"{"only":["notifications",1]}"#, "/only/1", "1 is not valid"),
            (#"{"only":["notifications","fault"]}"#, "/only/1", "faults"),
            (#"{"scope":"a b"}"#, "/scope", "a b"), (#"{"scope":7}"#, "/scope", "7 is not valid"), ("[]", "", "object"),
        ])
    func refused(body: String, field: String, words: String) async throws {
        try await Box.with { box in
            box.push()
            try expectProblem(await box.http.call("POST", "/v1/reset", body), 400, field: field, mentions: words)
            #expect(try await box.sequences("/v1/notifications") == [1])
        }
    }

    // MARK: Removed pushes

    @Test(
        "events no longer report removed pushes or their outcomes",
        arguments: [
            ("POST", "/v1/reset", nil), ("POST", "/v1/reset", #"{"only":["notifications"]}"#),
            ("POST", "/v1/reset", #"{"scope":"t1"}"#), ("DELETE", "/v1/scopes/t1", nil),
            ("DELETE", "/v1/notifications", nil), ("DELETE", "/v1/notifications?scope=t1", nil),
        ] as [(String, String, String?)])
    func removedPushes(method: String, target: String, body: String?) async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", #","scope":"t1""#, online: false)
            let other = try await box.device("b", #","scope":"t2""#, online: false)
            for token in [token, other] { try await box.send(to: token) }
            for id in ["a", "b"] { _ = try await box.json("PATCH", "/v1/devices/\(id)", #"{"online":true}"#) }
            let whole = try await EventReader.open(box.http, "/v1/events?after=0&event=outcome")
            let before = try await whole.next(2)
            try await whole.close()
            #expect(try before.map { try $0.json()["token"]?.string } == [token, other])

            _ = try await box.json(method, target, body)
            let resumed = try await EventReader.open(
                box.http, "/v1/events?!event=device", headers: [("last-event-id", "1")])
            var shown: [String?] = []
            var last: UInt64 = 0
            try await resumed.read { event in
                let number = try #require(event.id.flatMap { UInt64($0) })
                #expect(number > last)
                last = number
                if event.name == "notification" || event.name == "outcome" {
                    shown.append(try event.json()["token"]?.string)
                }
                return event.name == "reset"
            }
            try await resumed.close()
            // A reset of one scope keeps the other scope's push and its outcome.
            let isWhole = !target.contains("t1") && body?.contains("t1") != true
            #expect(shown == (isWhole ? [] : [other, other]))
            #expect(last > (try #require(before.last?.id.flatMap { UInt64($0) })))
        }
    }

    @Test("a filtered removal removes only the events of its pushes")
    func removedByFilter() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", online: false)
            try await box.send(to: token, headers: [("apns-collapse-id", "c")])
            try await box.send(to: token, headers: [("apns-collapse-id", "c")])
            _ = try await box.json("PATCH", "/v1/devices/a", #"{"online":true}"#)
            // The first was coalesced, the second delivered.
            _ = try await box.json("DELETE", "/v1/notifications?outcome=coalesced")
            let reader = try await EventReader.open(box.http, "/v1/events?after=0&event=outcome&event=reset")
            let events = try await reader.next(2)
            #expect(events.map(\.name) == ["outcome", "reset"])
            #expect(try events[0].json()["outcome"] == "delivered")
            try await reader.close()
        }
    }

    @Test("a reset of faults counts firings from zero")
    func faultsFired() async throws {
        try await Box.withPushes { box in
            let rule = #"{"id":"busy","action":{"type":"respond","reason":"TooManyRequests"}}"#
            let token = String(repeating: "ab", count: 32)
            func fired() async throws -> JSONValue? {
                try await box.json("GET", "/v1/status")["counts"]?["faultsFired"]
            }
            _ = try await box.json("POST", "/v1/faults", rule, status: 201)
            try await box.send(to: token)
            _ = try await box.json("DELETE", "/v1/faults/busy")
            _ = try await box.json("POST", "/v1/faults", rule, status: 201)
            try await box.send(to: token)
            #expect(try await fired() == 2)
            _ = try await box.json("POST", "/v1/reset", #"{"only":["notifications"]}"#)
            #expect(try await fired() == 2)
            _ = try await box.json("POST", "/v1/reset")
            #expect(try await fired() == 0)
        }
    }

    // MARK: The seed

    @Test(
        "after a reset the same rule makes the same choices, with an ID and without",
        arguments: [#""id":"chance""#, #""id":null"#])
    func choices(id: String) async throws {
        let rule = #"{\#(id),"probability":0.3,"action":{"type":"respond","reason":"TooManyRequests"}}"#
        try await Box.withPushes { box in
            func series() async throws -> (statuses: [Int], ids: [JSONValue]) {
                _ = try await box.json("POST", "/v1/faults", rule, status: 201)
                var statuses: [Int] = []
                for _ in 1...40 { statuses.append(try await box.send(to: Self.token)) }
                return (statuses, try await box.items("/v1/notifications?order=asc", "apnsId"))
            }
            let first = try await series()
            #expect(Set(first.statuses) == [200, 429])
            _ = try await box.json("POST", "/v1/reset")
            let second = try await series()
            #expect(second.statuses == first.statuses)
            #expect(second.ids == first.ids && Set(second.ids).count == 40)
        }
    }

    @Test("after a reset of a scope its rules make the same choices, independent of other scopes")
    func choicesOfScope() async throws {
        let rule = #"{"scope":"t1","probability":0.3,"action":{"type":"respond","reason":"TooManyRequests"}}"#
        try await Box.withPushes { box in
            func series() async throws -> [Int] {
                let token = try await box.device("a", #","scope":"t1""#)
                _ = try await box.json("POST", "/v1/faults", rule, status: 201)
                var statuses: [Int] = []
                for _ in 1...40 { statuses.append(try await box.send(to: token)) }
                return statuses
            }
            let first = try await series()
            #expect(Set(first) == [200, 429])
            let other = rule.replacing("t1", with: "t2")
            _ = try await box.json("POST", "/v1/faults", other, status: 201)
            try await box.send(to: Self.token)
            _ = try await box.json("POST", "/v1/reset", #"{"scope":"t1"}"#)
            #expect(try await series() == first)
            _ = try await box.json("DELETE", "/v1/scopes/t1")
            #expect(try await series() == first)
        }
    }

    @Test("after a reset the fixtures' rules and later ones make the same choices")
    func choicesOfFixtures() async throws {
        try await Box.withPushes { box in
            let draft = try FaultDraft(
                json: JSONValue(
                    parsing: #"{"probability":0.5,"action":{"type":"respond","reason":"TooManyRequests"}}"#))
            try await box.server.load(faults: [draft])
            func series() async throws -> [Int] {
                let added = #"{"probability":0.5,"action":{"type":"respond","reason":"ServiceUnavailable"}}"#
                _ = try await box.json("POST", "/v1/faults", added, status: 201)
                var statuses: [Int] = []
                for _ in 1...40 { statuses.append(try await box.send(to: Self.token)) }
                return statuses
            }
            let first = try await series()
            #expect(Set(first) == [200, 429, 503])
            _ = try await box.json("POST", "/v1/reset")
            #expect(try await series() == first)
            #expect(try await box.items("/v1/faults", "id").last == "f-1")
        }
    }

    @Test("after a reset devices without a given ID get the same IDs and tokens")
    func devices() async throws {
        try await Box.with { box in
            func make() async throws -> JSONValue? {
                let device = try await box.json(
                    "POST", "/v1/devices", #"{"registrations":[{"topic":"com.example.app"}]}"#, status: 201)
                return device["registrations"]?.array?.first?["token"]
            }
            let first = try await [make(), make()]
            _ = try await box.json("POST", "/v1/reset")
            #expect(try await [make(), make()] == first)
        }
    }

    private static let token = String(repeating: "ab", count: 32)

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

    @Test("the credentials are the CA and the generated key, never the CA's key")
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
