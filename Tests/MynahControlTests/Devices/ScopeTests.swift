import APNsRules
import Mynah
import MynahCore
import Testing

@testable import MynahControl

/// `/v1/scopes`, `scope` as a filter, and the reset of a scope.
@Suite("Scopes")
struct ScopeTests {
    private func twoScopes(_ box: Box) async throws -> (String, String) {
        let first = try await box.device("a", #","scope":"t1""#)
        let second = try await box.device("b", #","scope":"t2""#)
        try await box.send(to: first)
        try await box.send(to: second)
        return (first, second)
    }

    @Test("a scope exists while it is used")
    func list() async throws {
        try await Box.with { box in
            #expect(try await box.json("GET", "/v1/scopes")["items"] == [])
            try await box.device("a", #","scope":"t2""#)
            try await box.device("b", #","scope":"t1""#)
            try await box.device("c", #","scope":"t2""#)
            #expect(
                try await box.json("GET", "/v1/scopes")["items"]
                    == [
                        ["name": "t1", "devices": 1, "faults": 0], ["name": "t2", "devices": 2, "faults": 0],
                    ])
        }
    }

    @Test("a push belongs to its device's scope, and can be filtered by it")
    func filters() async throws {
        try await Box.withPushes { box in
            _ = try await twoScopes(box)
            #expect(try await box.notification(1)["scope"] == "t1")
            #expect(try await box.notification(1)["device"] == "a")
            #expect(try await box.ordinals("/v1/notifications?scope=t2") == [2])
            let unmet = try await box.json(
                "POST", "/v1/expectations", #"{"scope":"t1","count":{"exactly":2},"within":"0s"}"#)
            #expect(unmet["met"] == false)
            #expect(unmet["matched"] == 1)
            #expect(
                try await box.json("DELETE", "/v1/notifications?scope=t1") == ["removed": ["notifications": 1]])
            #expect(try await box.ordinals("/v1/notifications") == [2])
        }
    }

    @Test("the end of a scope leaves no push of it, whatever arrives meanwhile", arguments: 0..<5)
    func endWhilePushesArrive(round: Int) async throws {
        try await Box.withPushes({ server, _ in server.eventLoops = 2 }) { box in
            let token = try await box.device("a", #","scope":"t1""#)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 { group.addTask { try await box.send(to: token) } }
                _ = try await box.json("GET", "/v1/notifications?scope=t1&count=\(round + 1)&wait=10s")
                _ = try await box.json("DELETE", "/v1/scopes/t1")
                try await group.waitForAll()
            }
            #expect(try await box.sequences("/v1/notifications?scope=t1") == [])
            #expect(try await box.json("GET", "/v1/scopes")["items"] == [])
        }
    }

    @Test("DELETE removes only what belongs to the scope, and accepts an unused scope")
    func remove() async throws {
        try await Box.withPushes { box in
            let (first, second) = try await twoScopes(box)
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"1h","scope":"t1"}"#)
            #expect(
                try await box.json("DELETE", "/v1/scopes/t1")
                    == ["removed": ["notifications": 1, "devices": 1, "faults": 0, "clock": 1]])
            #expect(try await box.items("/v1/devices", "id") == ["b"])
            #expect(try await box.ordinals("/v1/notifications") == [2])
            #expect(try await box.json("GET", "/v1/clock?scope=t1")["mode"] == "real")
            #expect(
                try await box.json("DELETE", "/v1/scopes/t1")
                    == ["removed": ["notifications": 0, "devices": 0, "faults": 0, "clock": 0]])
            #expect(try await box.send(to: second) == 200)
            #expect(first != second)
            try expectProblem(
                await box.http.call("DELETE", "/v1/scopes/a%20b"), 400, field: "name", mentions: "a b")
        }
    }

    @Test("a scope is reset completely or in part")
    func reset() async throws {
        try await Box.withPushes { box in
            _ = try await twoScopes(box)
            #expect(
                try await box.json("POST", "/v1/reset", #"{"scope":"t1","only":["notifications"]}"#)
                    == ["removed": ["notifications": 1, "devices": 0, "faults": 0, "clock": 0]])
            #expect(try await box.items("/v1/devices", "id") == ["a", "b"])
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"1h","scope":"t2"}"#)
            #expect(
                try await box.json("POST", "/v1/reset", #"{"scope":"t2"}"#)["removed"]
                    == ["notifications": 1, "devices": 1, "faults": 0, "clock": 1])
            #expect(try await box.items("/v1/devices", "id") == ["a"])
            try expectProblem(
                await box.http.call("POST", "/v1/reset", #"{"scope":"t1","only":["keys"]}"#), 400, field: "/only/0",
                mentions: "whole server")
        }
    }

    @Test("a scope's devices have their own clock, and the server's doesn't change")
    func clock() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let first = try await box.device("a", #","scope":"t1""#, online: false)
            let second = try await box.device("b", #","scope":"t2""#, online: false)
            let expiration = [("apns-expiration", String(box.server.now.milliseconds / 1000 + 60))]
            for token in [first, second] { try await box.send(to: token, headers: expiration) }
            let report = try await box.json("POST", "/v1/clock/advance", #"{"by":"1h","scope":"t1"}"#)
            #expect(report["expired"] == 1)
            #expect(report["now"] == "2026-11-21T13:00:00.000Z")
            #expect(try await box.items("/v1/notifications", "outcome") == ["expired", "stored"])
            #expect(try await box.json("GET", "/v1/clock")["now"]?.string == Box.noon)
            #expect(try await box.json("GET", "/v1/clock?scope=t2")["now"]?.string == Box.noon)
        }
    }

    @Test("advancing to the next event due expires a stored push and reports it")
    func next() async throws {
        try await Box.withPushes { box in
            try await box.freeze()
            let token = try await box.device("a", online: false)
            let end = box.server.now.milliseconds / 1000 + 60
            try await box.send(to: token, headers: [("apns-expiration", String(end))])
            let report = try await box.json("POST", "/v1/clock/advance", #"{"to":"next","scope":"t"}"#, status: 409)
            #expect(report["field"] == "/to")
            let due = try await box.json("POST", "/v1/clock/advance", #"{"by":"60s"}"#)
            #expect(due["expired"] == 1)
            #expect(try await box.notification(1)["outcome"] == "expired")
            #expect(try await box.json("GET", "/v1/devices/a")["stored"] == 0)
        }
    }
}
