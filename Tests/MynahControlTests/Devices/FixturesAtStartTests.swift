import APNsRules
import Mynah
import MynahCore
import Testing

@testable import MynahControl

/// What fixtures may have when a server starts with them, and that a reset restores them.
@Suite("Fixtures at a start")
struct FixturesAtStartTests {
    private func read(_ text: String) throws -> Fixtures {
        try Fixtures(JSONValue(parsing: text)) { .failure(InputError(at: "", "there is no file \($0)")) }
    }

    @Test("a reset restores the devices of the fixtures with their tokens")
    func reset() async throws {
        try await Box.withPushes { box in
            let fixtures = try read(
                #"""
                {"devices":[{"id":"kim","registrations":[{"topic":"com.example.app"}]},
                            {"registrations":[{"topic":"com.example.app"}],"scope":"t1"},
                            {"id":"fleet","count":3}]}
                """#)
            try await box.server.load(devices: fixtures.devices)
            let before = try await box.json("GET", "/v1/devices")
            #expect(before["matched"] == 5)
            try await box.device("other")
            _ = try await box.json("DELETE", "/v1/devices/kim")
            let removed = try await box.json("POST", "/v1/reset")
            #expect(removed["removed"]?["devices"] == 5)
            let after = try await box.json("GET", "/v1/devices")
            func tokens(_ list: JSONValue) -> [String?] {
                (list["items"]?.array ?? []).flatMap { $0["registrations"]?.array ?? [] }.map { $0["token"]?.string }
            }
            #expect(tokens(after) == tokens(before))
            #expect(after["items"]?.array?.map { $0["id"] } == before["items"]?.array?.map { $0["id"] })
            // A reset of a scope restores only what belongs to it.
            _ = try await box.json("DELETE", "/v1/devices")
            _ = try await box.json("POST", "/v1/reset", #"{"scope":"t1"}"#)
            #expect(try await box.json("GET", "/v1/devices")["matched"] == 1)
        }
    }

    @Test("a reset restores the clock of the start")
    func clock() async throws {
        let fixtures = try read(#"{"clock":{"mode":"frozen","now":"2020-01-01T00:00:00Z"}}"#)
        let wall = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
        let clock = try #require(try fixtures.clock?.state(wall: wall))
        #expect(clock.mode == .frozen)
        #expect(clock.now(wall: wall).rfc3339 == "2020-01-01T00:00:00.000Z")
        try await Box.with { box in
            _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"24h"}"#)
            #expect(try await box.json("POST", "/v1/reset")["removed"]?["clock"] == 1)
            #expect(try await box.json("GET", "/v1/clock")["mode"] == "real")
        }
    }

    @Test(
        "an invalid clock in fixtures is refused with its field",
        arguments: [
            (#"{"mode":"offset","now":"2020-01-01T00:00:00Z"}"#, "/clock/now", "frozen"),
            (#"{"mode":"real","now":"2030-01-01T00:00:00Z"}"#, "/clock/now", "wall"),
            (#"{"mod":"real"}"#, "/clock/mod", "mode"), ("{}", "/clock/mode", "neither"), ("7", "/clock", "object"),
        ])
    func wrongClock(clock: String, field: String, words: String) throws {
        let wall = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
        let fault = #expect(throws: InputError.self) {
            _ = try read(#"{"clock":\#(clock)}"#).clock?.state(wall: wall)
        }
        #expect(fault?.field == field)
        #expect(fault?.problem.contains(words) == true, "\(fault?.problem ?? "")")
    }

    @Test(
        "invalid fixtures are refused with their field",
        arguments: [
            (#"{"devices":[{},{"platform":"Linux"}]}"#, "/devices/1/platform", "iOS"),
            (
                #"{"devices":[{"registrations":[{"topic":"a","tokn":"00"}]}]}"#, "/devices/0/registrations/0/tokn",
                "token"
            ),
            (#"{"devices":{}}"#, "/devices", "array"), (#"{"device":[]}"#, "/device", "devices"),
        ])
    func wrong(text: String, field: String, words: String) throws {
        let fault = #expect(throws: InputError.self) { _ = try read(text) }
        #expect(fault?.field == field)
        #expect(fault?.problem.contains(words) == true, "\(fault?.problem ?? "")")
    }

    @Test("a device that the server refuses is named by its JSON pointer")
    func refused() async throws {
        try await Box.with { box in
            let token = String(repeating: "0a", count: 32)
            let app = #"[{"topic":"com.example.app","token":"\#(token)"}]"#
            let fixtures = try read(
                #"{"devices":[{"id":"a","registrations":\#(app)},{"id":"b","registrations":\#(app)}]}"#)
            let fault = await #expect(throws: InputError.self) { try await box.server.load(devices: fixtures.devices) }
            #expect(fault?.field.hasPrefix("/devices/1") == true)
        }
    }
}
