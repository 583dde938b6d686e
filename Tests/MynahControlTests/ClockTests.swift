import APNsRules
import Mynah
import MynahCore
import Testing

@testable import MynahControl

/// `GET/PUT /v1/clock`, `POST /v1/clock/advance`.
@Suite("Clock")
struct ClockTests {
    private static let noon = Box.noon

    @Test("a frozen clock stands still, and so do the times of pushes")
    func frozen() async throws {
        try await Box.with { box in
            try await box.freeze()
            #expect(
                try await box.http.call("GET", "/v1/clock").json() == ["mode": "frozen", "now": .string(Self.noon)])
            box.push()
            let push = try #require(try await box.json("GET", "/v1/notifications")["items"]?.array?.first)
            #expect(push["receivedAt"]?.string == Self.noon)
        }
    }

    @Test(
        "advancing moves the clock before the call answers",
        arguments: [
            (#"{"by":"1h30m"}"#, "2026-11-21T13:30:00.000Z"), (#"{"by":"0s"}"#, noon),
            (#"{"to":"2026-11-21T12:00:00.250Z"}"#, "2026-11-21T12:00:00.250Z"),
            (#"{"to":"2026-11-21T14:00:00+01:00"}"#, "2026-11-21T13:00:00.000Z"),
        ])
    func advance(body: String, now: String) async throws {
        try await Box.with { box in
            try await box.freeze()
            box.push()
            let answer = try await box.http.call("POST", "/v1/clock/advance", body)
            #expect(answer.status == 200, "\(answer.text)")
            let last = JSONValue.number(JSONNumber(box.server.journal.lastIssued))
            #expect(
                try answer.json() == [
                    "mode": "frozen", "now": .string(now), "lastSequence": last, "delivered": 0, "expired": 0,
                    "coalesced": 0,
                ])
            #expect(box.server.now.rfc3339 == now)
        }
    }

    @Test("a running clock that is advanced continues to run, ahead of the system's")
    func offset() async throws {
        try await Box.with { box in
            let before = box.server.now
            let answer = try await box.http.call("POST", "/v1/clock/advance", #"{"by":"24h"}"#).json()
            #expect(answer["mode"] == "offset")
            #expect(box.server.now >= before.advanced(by: .seconds(86_400)))
        }
    }

    @Test(
        "a clock never goes back",
        arguments: [
            ("PUT", "/v1/clock", #"{"now":"2026-11-21T11:59:59Z"}"#, "/now"),
            ("PUT", "/v1/clock", #"{"mode":"offset","now":"2020-01-01T00:00:00Z"}"#, "/now"),
            ("POST", "/v1/clock/advance", #"{"to":"2026-11-21T11:59:59.999Z"}"#, "/to"),
        ])
    func backwards(method: String, path: String, body: String, field: String) async throws {
        try await Box.with { box in
            try await box.freeze()
            try expectProblem(
                await box.http.call(method, path, body), 409, field: field, mentions: Self.noon, "cannot go back")
            #expect(box.server.now.rfc3339 == Self.noon)
        }
    }

    @Test("real returns to the system's time, for server or scope, and what has expired stays so")
    func real() async throws {
        try await Box.with { box in
            let future = #""mode":"frozen","now":"9000-01-01T00:00:00Z""#
            for members in ["", #","scope":"t""#] {
                _ = try await box.json("PUT", "/v1/clock", "{\(future)\(members)}")
                let report = try await box.json("PUT", "/v1/clock", #"{"mode":"real"\#(members)}"#)
                #expect(report["mode"] == "real")
                #expect(report["now"]?.string.map { $0 < "9000" } == true)
                let query = members.isEmpty ? "" : "?scope=t"
                #expect(try await box.json("GET", "/v1/clock\(query)")["mode"] == "real")
            }
            #expect(box.server.now.rfc3339 < "9000")
        }
    }

    @Test(
        "a clock can't pass the last representable time, and devices keep working",
        arguments: [("1000000000d", "9223372036854775807ms"), ("2920000d", "106751991167d")])
    func end(first: String, second: String) async throws {
        try await Box.with { box in
            for by in [first, second] {
                try expectProblem(
                    await box.http.call("POST", "/v1/clock/advance", #"{"by":"\#(by)","scope":"t"}"#), 409,
                    field: "/by",
                    mentions: "9999-12-31")
            }
            let end = #"{"mode":"frozen","now":"9999-12-31T23:59:59.999Z","scope":"t"}"#
            #expect(try await box.http.call("PUT", "/v1/clock", end).status == 200)
            let made = try await box.http.call("POST", "/v1/devices", #"{"id":"a","scope":"t","online":false}"#)
            #expect(made.status == 201, "\(made.text)")
        }
    }

    @Test(
        "an invalid call is refused with field and expected value, and changes nothing",
        arguments: [
            ("PUT", "/v1/clock", "{}", "/mode", "neither"),
            ("PUT", "/v1/clock", #"{"mode":"frosen"}"#, "/mode", "frozen"),
            ("PUT", "/v1/clock", #"{"mode":"frozen","now":"noon"}"#, "/now", "2026-11-21T09:30:00Z"),
            ("PUT", "/v1/clock", #"{"mode":"real","now":"2030-01-01T00:00:00Z"}"#, "/now", "wall"),
            ("PUT", "/v1/clock", #"{"mod":"frozen"}"#, "/mod", "mode"),
            ("POST", "/v1/clock/advance", "{}", "/by", "neither"),
            ("POST", "/v1/clock/advance", #"{"by":3600}"#, "/by", "unit"),
            ("POST", "/v1/clock/advance", #"{"by":"3600"}"#, "/by", "unit"),
            (
                "POST", "/v1/clock/advance", #"{"by":"1h","to":"next"}"#, "/to",
                "both by and to are given: expected one of them"
            ),
            ("POST", "/v1/clock/advance", #"{"to":"tomorrow"}"#, "/to", "next"),
            ("POST", "/v1/clock/advance", #"{"by":"1h","scope":"a b"}"#, "/scope", "a b"),
        ])
    func malformed(method: String, path: String, body: String, field: String, words: String) async throws {
        try await Box.with { box in
            try await box.freeze()
            try expectProblem(await box.http.call(method, path, body), 400, field: field, mentions: words)
            #expect(box.server.now.rfc3339 == Self.noon)
        }
    }

    @Test("advancing to the next event due is refused if nothing is due")
    func nothingDue() async throws {
        try await Box.with { box in
            try await box.freeze()
            try expectProblem(
                await box.http.call("POST", "/v1/clock/advance", #"{"to":"next"}"#), 409, field: "/to",
                mentions: "nothing is due")
        }
    }
}
