import APNsRules
import Logging
import MynahCore
import MynahTestSupport
import Testing

@testable import Mynah

/// `/v1/faults`.
@Suite("Fault rules by the control API")
struct FaultTests {
    private static let respond = #""action":{"type":"respond","status":503,"reason":"ServiceUnavailable"}"#
    private static let token = String(repeating: "ab", count: 32)

    @Test("an added rule is returned completely, with its Location")
    func made() async throws {
        try await Box.with { box in
            let answer = try await box.http.call("POST", "/v1/faults", "{\(Self.respond)}")
            #expect(answer.status == 201)
            #expect(answer.headers["location"] == ["/v1/faults/f-1"])
            let rule = try answer.json()
            let names = rule.object?.map(\.name) ?? []
            for name in [
                "id", "name", "scope", "enabled", "rulePriority", "match", "skip", "times", "every", "probability",
                "rateOver", "activeFrom", "activeUntil", "action", "actions", "then", "matched", "fired", "remaining",
                "createdAt", "words",
            ] {
                #expect(names.contains(name), "\(name)")
            }
            #expect(
                rule["words"] == [
                    "does": ["answers 503 ServiceUnavailable"], "matches": ["every push"], "fires": [],
                ])
            #expect(rule["id"] == "f-1")
            #expect(rule["match"] == ["event": "request"])
            #expect(rule["fired"] == 0)
            #expect(try await box.json("GET", "/v1/faults/f-1") == rule)
            // An answer can be sent back.
            #expect(try await box.http.call("PUT", "/v1/faults/f-1", answer.text).status == 200)
        }
    }

    @Test("an array of rules is added completely or not at all")
    func allOrNothing() async throws {
        try await Box.with { box in
            let good = #"{"id":"a",\#(Self.respond)}"#
            try expectProblem(
                await box.http.call("POST", "/v1/faults", "[\(good),{\"id\":\"b\",\"action\":{\"type\":\"stal\"}}]"),
                400, field: "/1/action/type", mentions: "stall")
            try expectProblem(
                await box.http.call("POST", "/v1/faults", "[\(good),\(good)]"), 409, field: "/1/id", mentions: "a")
            #expect(try await box.items("/v1/faults", "id").isEmpty)
            let made = try await box.json("POST", "/v1/faults", "[\(good),{\(Self.respond)}]", status: 201)
            #expect(made["items"]?.array?.compactMap { $0["id"]?.string } == ["a", "f-1"])
            // The newest is tried first.
            #expect(try await box.items("/v1/faults", "id") == ["f-1", "a"])
        }
    }

    @Test(
        "an error has its JSON pointer and the allowed values",
        arguments: [
            ("{}", "/action"), (#"{"action":{"type":"respnd"}}"#, "/action/type"),
            (#"{"action":{"type":"respond","status":"503"}}"#, "/action/status"),
            (#"{"match":{"topc":"a"},"action":{"type":"stall"}}"#, "/match/topc"),
            (#"{"match":{"status":200},"action":{"type":"stall"}}"#, "/match/status"),
            (#"{"tims":3,"action":{"type":"stall"}}"#, "/tims"),
            (#"{"probability":2,"action":{"type":"stall"}}"#, "/probability"), ("7", ""),
        ])
    func wrong(body: String, field: String) async throws {
        try await Box.with { box in
            let answer = try await box.http.call("POST", "/v1/faults", body)
            try expectProblem(answer, 400, field: field)
            #expect(try await box.items("/v1/faults", "id").isEmpty)
        }
    }

    @Test("a list has the members of all lists, pages and filters")
    func list() async throws {
        try await Box.with { box in
            for (id, scope, enabled) in [("a", "t1", true), ("b", "t2", false), ("c", "t1", false)] {
                let body = #"{"id":"\#(id)","scope":"\#(scope)","enabled":\#(enabled),\#(Self.respond)}"#
                _ = try await box.json("POST", "/v1/faults", body, status: 201)
            }
            _ = try await box.json("POST", "/v1/faults", #"{"id":"d","action":{"type":"refuse"}}"#, status: 201)
            let page = try await box.json("GET", "/v1/faults?limit=3")
            #expect(
                page.object?.map(\.name) == [
                    "items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence",
                ])
            #expect(page["matched"] == 4)
            #expect(page["items"]?.array?.compactMap { $0["id"]?.string } == ["d", "c", "b"])
            let cursor = try #require(page["nextCursor"]?.string)
            let rest = try await box.json("GET", "/v1/faults?limit=3&cursor=\(cursor)")
            #expect(rest["items"]?.array?.compactMap { $0["id"]?.string } == ["a"])
            #expect(rest["nextCursor"] == .null)
            for (query, ids) in [
                ("scope=t1", ["c", "a"]), ("scope=t1&enabled=true", ["a"]), ("!scope=t1", ["d", "b"]),
                ("scope=", ["d"]), ("event=accept", ["d"]), ("action=respond", ["c", "b", "a"]),
                ("fault=a&fault=d", ["d", "a"]),
            ] {
                #expect(try await box.items("/v1/faults?\(query)", "id").compactMap(\.string) == ids, "\(query)")
            }
            try expectProblem(await box.http.call("GET", "/v1/faults?scop=t1"), 400, field: "scop", mentions: "scope")
            try expectProblem(await box.http.call("GET", "/v1/faults?enabled=1"), 400, field: "enabled")
            _ = try await box.json("DELETE", "/v1/faults/b")
            try expectProblem(await box.http.call("GET", "/v1/faults?cursor=\(cursor)"), 410, field: "cursor")
        }
    }

    @Test("a removal removes what its filter matches, or all, and nothing if it is misspelt")
    func removed() async throws {
        try await Box.with { box in
            for scope in ["t1", "t2", "t2"] {
                _ = try await box.json("POST", "/v1/faults", #"{"scope":"\#(scope)",\#(Self.respond)}"#, status: 201)
            }
            for query in ["scop=t1", "limit=1", "scope=t%201", "enabled=maybe"] {
                #expect(try await box.http.call("DELETE", "/v1/faults?\(query)").status == 400, "\(query)")
            }
            #expect(try await box.items("/v1/faults", "id").count == 3)
            #expect(try await box.json("DELETE", "/v1/faults?scope=t1") == ["removed": ["faults": 1]])
            #expect(try await box.json("DELETE", "/v1/faults") == ["removed": ["faults": 2]])
            try expectProblem(await box.http.call("DELETE", "/v1/faults/f-1"), 404, field: "id", mentions: "f-1")
        }
    }

    @Test("PUT creates or replaces a rule, and PATCH changes a part and keeps the counters")
    func changed() async throws {
        try await Box.withPushes { box in
            let answer = try await box.http.call("PUT", "/v1/faults/busy", "{\(Self.respond)}")
            #expect(answer.status == 201)
            #expect(answer.headers["location"] == ["/v1/faults/busy"])
            #expect(try await box.send(to: Self.token) == 503)
            let patched = try await box.json(
                "PATCH", "/v1/faults/busy", #"{"action":{"type":"respond","reason":"TooManyRequests"}}"#)
            #expect(patched["fired"] == 1)
            #expect(try await box.send(to: Self.token) == 429)
            let replaced = try await box.json("PUT", "/v1/faults/busy", "{\(Self.respond)}")
            #expect(replaced["fired"] == 0)
            _ = try await box.json("PATCH", "/v1/faults/busy", #"{"enabled":false}"#)
            #expect(try await box.send(to: Self.token) == 200)
            try expectProblem(
                await box.http.call("PUT", "/v1/faults/busy", #"{"id":"other",\#(Self.respond)}"#), 400, field: "/id")
            try expectProblem(
                await box.http.call("PATCH", "/v1/faults/busy", #"{"times":-1}"#), 400, field: "/times")
            try expectProblem(await box.http.call("PATCH", "/v1/faults/none-such", "{}"), 404, field: "id")
        }
    }

    @Test("a call waits until a rule has fired a number of times, or times out")
    func waiting() async throws {
        try await Box.withPushes(logLevel: .debug) { box in
            _ = try await box.json("PUT", "/v1/faults/busy", "{\(Self.respond)}", status: 201)
            let call = try await box.http.open("GET", "/v1/faults/busy?wait=60s&hits=2")
            await box.log.wait(for: "a control call waits")
            for _ in 1...2 { try await box.send(to: Self.token) }
            let answer = try await call.answer().json()
            #expect(answer["fired"] == 2)
            #expect(answer["timedOut"] == false)
            let late = try await box.json("GET", "/v1/faults/busy?wait=50ms&hits=3")
            #expect(late["timedOut"] == true)
            #expect(late["fired"] == 2)
            try expectProblem(await box.http.call("GET", "/v1/faults/busy?wait=2m"), 400, field: "wait")
        }
    }

    @Test("a waiting call ends with an error when its rule is removed")
    func removedWhileWaiting() async throws {
        try await Box.with(logLevel: .debug) { box in
            _ = try await box.json("PUT", "/v1/faults/busy", "{\(Self.respond)}", status: 201)
            let call = try await box.http.open("GET", "/v1/faults/busy?wait=60s")
            await box.log.wait(for: "a control call waits")
            _ = try await box.json("DELETE", "/v1/faults/busy")
            try expectProblem(await call.answer(), 404, field: "id", mentions: "was removed while")
        }
    }

    @Test("rules use their scope, and are removed with it or by a reset")
    func scopes() async throws {
        try await Box.with { box in
            for scope in ["t1", "t2"] {
                _ = try await box.json("POST", "/v1/faults", #"{"scope":"\#(scope)",\#(Self.respond)}"#, status: 201)
            }
            _ = try await box.json("POST", "/v1/faults", "{\(Self.respond)}", status: 201)
            let scopes = try await box.json("GET", "/v1/scopes")["items"]
            #expect(
                scopes == [
                    ["name": "t1", "devices": 0, "faults": 1], ["name": "t2", "devices": 0, "faults": 1],
                ])
            #expect(try await box.json("DELETE", "/v1/scopes/t1")["removed"]?["faults"] == 1)
            #expect(try await box.json("POST", "/v1/reset", #"{"scope":"t2"}"#)["removed"]?["faults"] == 1)
            #expect(try await box.json("GET", "/v1/status")["counts"]?["faults"] == 1)
            #expect(try await box.json("POST", "/v1/reset", #"{"only":["faults"]}"#)["removed"]?["faults"] == 1)
            #expect(try await box.items("/v1/faults", "id").isEmpty)
        }
    }
}
