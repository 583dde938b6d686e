import APNsRules
import MynahCore
import MynahTestSupport
import Testing

@testable import Mynah

/// A hundred tests that share a server, each in its own scope (`ControlAPI#Scopes`).
@Suite("Isolation by scopes")
struct IsolationTests {
    private static let testCount = 100

    @Test(
        "a hundred concurrent tests with their own devices, pushes and clocks don't affect each other"
    )
    func hundred() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let witness = try await box.device("witness", #","scope":"witness""#)
            try await box.send(to: witness)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<IsolationTests.testCount {
                    group.addTask { try await ScopedTest(box: box, number: number).run() }
                }
                try await group.waitForAll()
            }
            #expect(try await box.items("/v1/scopes", "name") == ["witness"])
            #expect(try await box.items("/v1/devices", "id") == ["witness"])
            #expect(try await box.items("/v1/notifications", "scope") == ["witness"])
            #expect(try await box.ordinals("/v1/devices/witness/inbox") == [1])
            #expect(try await box.json("GET", "/v1/clock")["now"]?.string == Box.noon)
            #expect(try await box.json("GET", "/v1/clock?scope=witness")["now"]?.string == Box.noon)
        }
    }

    @Test(
        "an invalid scope name is refused everywhere",
        arguments: [
            ("GET", "/v1/notifications?scope=a%20b", nil, "scope"),
            ("DELETE", "/v1/notifications?scope=a%2Fb", nil, "scope"),
            ("GET", "/v1/notifications?!scope=a%20b", nil, "!scope"),
            ("GET", "/v1/notifications?q=scope:a/b", nil, "q"),
            ("GET", "/v1/devices?scope=%C3%A9", nil, "scope"), ("DELETE", "/v1/devices?scope=a%20b", nil, "scope"),
            ("GET", "/v1/clock?scope=a%20b", nil, "scope"), ("DELETE", "/v1/scopes/a%20b", nil, "name"),
            ("POST", "/v1/devices", #"{"id":"d","scope":"a b"}"#, "/scope"),
            ("POST", "/v1/devices", #"{"id":"d","scope":""}"#, "/scope"),
            ("POST", "/v1/reset", #"{"scope":7}"#, "/scope"),
            ("POST", "/v1/reset", #"{"scope":"a b"}"#, "/scope"),
            ("POST", "/v1/clock/advance", #"{"by":"1h","scope":"a b"}"#, "/scope"),
            ("POST", "/v1/expectations", #"{"scope":"a b"}"#, "/scope"),
            ("POST", "/v1/expectations", #"{"match":{"scope":["ok","a b"]}}"#, "/match/scope/1"),
            ("DELETE", "/v1/scopes/" + String(repeating: "x", count: 65), nil, "name"),
        ] as [(String, String, String?, String)])
    func badNames(method: String, target: String, body: String?, field: String) async throws {
        try await Box.withPushes { box in
            let id = try await box.device("kept")
            try await box.send(to: id)
            try expectProblem(
                await box.http.call(method, target, body), 400, field: field, mentions: "a scope name of 1 to 64")
            #expect(try await box.ordinals("/v1/notifications") == [1])
            #expect(try await box.items("/v1/devices", "id") == ["kept"])
        }
    }

    @Test(
        "the longest name and one of periods are valid",
        arguments: [String(repeating: "x", count: 64), "...", "A-b_0.9"])
    func goodNames(name: String) async throws {
        try await Box.withPushes { box in
            let token = try await box.device("d", #","scope":"\#(name)""#)
            try await box.send(to: token)
            #expect(try await box.ordinals("/v1/notifications?scope=\(name)") == [1])
            #expect(
                try await box.json("DELETE", "/v1/scopes/\(name)")
                    == ["removed": ["notifications": 1, "devices": 1, "faults": 0, "clock": 0]])
        }
    }

    @Test("a refused push belongs to the scope of its token's device")
    func refused() async throws {
        try await Box.withPushes { box in
            let token = try await box.device("a", #","scope":"t1""#)
            try await box.send(to: token, headers: [("apns-priority", "7")])
            _ = try await box.http.call("DELETE", "/v1/devices/a/registrations/com.example.app")
            #expect(try await box.send(to: token) == 410)
            let answer = try await box.json(
                "POST", "/v1/expectations",
                #"{"scope":"t1","inOrder":[{"reason":"BadPriority"},{"reason":"Unregistered"}],"within":"0s"}"#)
            #expect(answer["met"] == true, "\(answer.encodedText)")
            #expect(try await box.json("DELETE", "/v1/scopes/t1")["removed"]?["notifications"] == 2)
        }
    }
}

/// One of the hundred tests.
private struct ScopedTest: Sendable {
    let box: Box
    let number: Int

    private var scope: String { "t-\(number)" }

    func run() async throws {
        let pushCount = 1 + number % 4
        let token = try await box.device("d-\(number)", #","scope":"\#(scope)","locale":"de""#)
        let offline = try await box.device("o-\(number)", #","scope":"\#(scope)""#, online: false)
        async let quiet = expectation(#""match":{"topic":"never"},"count":{"max":0},"settle":"100ms""#)
        async let coming = expectation(
            #""match":{"screen":{"/body":"hi"}},"count":{"exactly":\#(pushCount)},"#
                + #""within":"\#(Patience.text)","settle":"100ms""#)
        for _ in 0..<pushCount { #expect(try await box.send(to: token) == 200) }
        let end = String(box.server.now.milliseconds / 1000 + Int64(60 * (number + 1)))
        #expect(try await box.send(to: offline, headers: [("apns-expiration", end)]) == 200)
        for answer in [try await quiet, try await coming] {
            #expect(answer["met"] == true, "\(scope): \(answer.encodedText)")
        }

        try await checkClock()
        let pushes = try await box.items("/v1/notifications?scope=\(scope)&limit=1000", "device")
        #expect(pushes.count == pushCount + 1)
        #expect(Set(pushes) == [.string("d-\(number)"), .string("o-\(number)")])
        #expect(
            try await box.items("/v1/devices?scope=\(scope)", "id") == [.string("d-\(number)"), .string("o-\(number)")])
        #expect(
            try await box.items("/v1/devices/d-\(number)/inbox?wait=60s&count=\(pushCount)", "kind").count == pushCount)

        let unmet = try await expectation(#""match":{"outcome":"lost"},"within":"0s""#)
        let near = unmet["nearest"]?.array?.compactMap { $0["push"]?["scope"]?.string } ?? []
        #expect(unmet["met"] == false && !near.isEmpty && Set(near) == [scope], "\(scope): \(near)")
        #expect(
            try await box.json("DELETE", "/v1/scopes/\(scope)")["removed"] == [
                "notifications": .number(JSONNumber(pushCount + 1)), "devices": 2, "faults": 0, "clock": 1,
            ])
        #expect(try await expectation(#""count":{"max":0},"within":"0s""#)["met"] == true)
        #expect(try await box.http.call("GET", "/v1/devices/d-\(number)").status == 404)
    }

    /// The stored push expires by the scope's clock only.
    private func checkClock() async throws {
        let before = try await advance("\(60 * number + 59)s")
        #expect(before["expired"] == 0, "\(scope)")
        let after = try await advance("1s")
        #expect(after["expired"] == 1, "\(scope)")
        let noon = try #require(Instant(rfc3339: Box.noon))
        let expected = Instant(milliseconds: noon.milliseconds + Int64(60_000 * (number + 1))).rfc3339
        #expect(try await box.json("GET", "/v1/clock?scope=\(scope)")["now"]?.string == expected)
        #expect(
            try await expectation(#""match":{"outcome":"expired"},"count":{"exactly":1},"within":"0s""#)["met"] == true)
    }

    private func advance(_ time: String) async throws -> JSONValue {
        try await box.json("POST", "/v1/clock/advance", #"{"by":"\#(time)","scope":"\#(scope)"}"#)
    }

    private func expectation(_ members: String) async throws -> JSONValue {
        try await box.json("POST", "/v1/expectations", #"{"scope":"\#(scope)",\#(members)}"#)
    }
}
