import APNsRules
import Testing

@testable import MynahCore

/// Apps that have ended, read as an export holds them.
@Suite("Apps that have ended")
struct EndedAppTests {
    private static let token = String(repeating: "0a", count: 32)
    private let now = Instant(milliseconds: 1_800_000_000_000)

    private func table(_ registrations: String) throws -> DeviceTable {
        var table = DeviceTable()
        let json = try JSONValue(parsing: #"{"id":"a","registrations":[\#(registrations)]}"#)
        let specification = try DeviceSpecification(json: json)
        _ = try table.create(specification, id: "a", at: now) { _ in now }
        return table
    }

    @Test("a removed app keeps its state and times beside the app that replaced it")
    func restored() throws {
        let ended = #"""
            {"topic":"a","token":"\#(Self.token)","state":"unregistered","since":"2026-01-01T00:00:00.000Z",
             "endedAt":"2026-01-02T00:00:00.000Z","unregisteredAt":"2026-01-03T00:00:00.000Z"}
            """#
        var table = try table(ended + #",{"topic":"a"}"#)
        let apps = try table.view(of: "a", at: now) { _ in now }.value.registrations
        #expect(apps.map(\.state) == [.unregistered, .active])
        #expect(apps.first?.token?.hex == Self.token)
        #expect(apps.first?.since.rfc3339 == "2026-01-01T00:00:00.000Z")
        #expect(apps.first?.endedAt?.rfc3339 == "2026-01-02T00:00:00.000Z")
        #expect(apps.first?.noticedAt?.rfc3339 == "2026-01-03T00:00:00.000Z")
    }

    @Test("an installed app ignores the state in an answer")
    func active() throws {
        var table = try table(#"{"topic":"a","state":"active","since":"2026-01-01T00:00:00.000Z","endedAt":null}"#)
        let apps = try table.view(of: "a", at: now) { _ in now }.value.registrations
        #expect(apps.map(\.state) == [.active])
    }

    @Test("an app does not run after its device was restored, until it is launched", arguments: AppState.allCases)
    func restoredApp(appState: AppState) throws {
        var table = try table(#"{"topic":"a","appState":"\#(appState.rawValue)","appName":"Acme"}"#)
        let restore = try RegistrationSpecification(json: ["topic": "a", "rotate": "restore"])
        _ = try table.register(restore, on: "a", at: now) { _ in now }
        let app = try table.view(of: "a", at: now) { _ in now }.value.registrations.last
        #expect(app?.state == .notLaunched)
        #expect(app?.json["appState"] == (appState == .forceQuit ? "forceQuit" : "suspended"))
        #expect(app?.json["appName"] == "Acme")
    }

    @Test("what is not launched can't be told to run", arguments: [#""launched":false"#, #""rotate":"restore""#])
    func contradictory(member: String) throws {
        let json = try JSONValue(parsing: #"{"topic":"a","appState":"background",\#(member)}"#)
        let error = #expect(throws: InputError.self) { try RegistrationSpecification(json: json) }
        #expect(error?.field == "/appState")
        #expect(error?.description.contains("expected suspended or forceQuit") == true)
    }

    @Test("a malformed time is refused with its place")
    func wrong() {
        let error = #expect(throws: InputError.self) {
            _ = try table(#"{"topic":"a","token":"\#(Self.token)","state":"expired","endedAt":"soon"}"#)
        }
        #expect(error?.field == "/registrations/0/endedAt")
    }
}
