import APNsRules
import Testing

@testable import MynahCore

@Suite("What apps change about a screen, and what a platform has no use for")
struct ScreenChangeTests {
    private static let now = Instant(milliseconds: 1_795_253_400_000)

    private func table(_ device: String) throws -> DeviceTable {
        var table = DeviceTable()
        let specification = try DeviceSpecification(json: try JSONValue(parsing: device))
        _ = try table.create(specification, id: "a", at: Self.now, clock: { _ in Self.now })
        return table
    }

    private func badges(_ table: inout DeviceTable) throws -> JSONValue? {
        guard case .screen(let screen) = try table.seen(of: "a", at: Self.now, clock: { _ in Self.now }).value
        else { return nil }
        return screen["badges"]
    }

    @Test("an app sets and removes its badge")
    func badge() throws {
        var table = try table(#"{"muted":true,"registrations":[{"topic":"com.example.app"}]}"#)
        for (badge, expected) in [(3, #"{"com.example.app":3}"#), (0, "{}")] {
            let patch = try ScreenPatch(json: try JSONValue(parsing: #"{"badges":{"com.example.app":\#(badge)}}"#))
            _ = try table.changeScreen(of: "a", patch, at: Self.now, clock: { _ in Self.now })
            #expect(try badges(&table)?.encodedText == expected)
        }
    }

    @Test(
        "an app that is not there, or that the user lets have no badge, is refused, and nothing changes",
        arguments: [
            (
                #"{"badges":{"com.example.app":1,"com.example.ap":1}}"#, "/badges/com.example.ap",
                InputError.Kind.unknownName
            ),
            (#"{"badges":{"com.example.app":1,"com.example.quiet":1}}"#, "/badges/com.example.quiet", .conflict),
        ])
    func refusedBadge(patch: String, field: String, kind: InputError.Kind) throws {
        var table = try table(
            #"""
            {"muted":true,"registrations":[{"topic":"com.example.app"},
            {"topic":"com.example.quiet","permissions":{"badge":false}}]}
            """#)
        let change = try ScreenPatch(json: try JSONValue(parsing: patch))
        let error = #expect(throws: InputError.self) {
            try table.changeScreen(of: "a", change, at: Self.now, clock: { _ in Self.now })
        }
        #expect(error?.field == field && error?.kind == kind)
        #expect(try badges(&table) == [:])
    }

    @Test(
        "clearing the notifications of an app that the device doesn't have is refused with its topic, negated or not",
        arguments: [("topic", "com.example.ap"), ("!topic", "com.example.gone")])
    func unknownAppCleared(parameter: String, topic: String) throws {
        var table = try table(
            #"""
            {"registrations":[{"topic":"com.example.app"},{"topic":"com.example.gone"},
            {"topic":"com.example.later","launched":false}]}
            """#)
        _ = try table.uninstall("a", topic: "com.example.gone", at: Self.now, clock: { _ in Self.now })
        let error = #expect(throws: InputError.self) {
            let filter = try ScreenFilter(parameters: [("topic", "com.example.app"), (parameter, topic)])
            _ = try table.clearScreen(of: "a", where: filter, at: Self.now, clock: { _ in Self.now })
        }
        #expect(error?.field == parameter && error?.kind == .unknownName)
        #expect(error?.allowed.sorted() == ["com.example.app", "com.example.later"])
        let later = try ScreenFilter(parameters: [("topic", "com.example.later")])
        #expect(try table.clearScreen(of: "a", where: later, at: Self.now, clock: { _ in Self.now }).value == 0)
    }

    @Test(
        "what a device's platform has no use for is refused with its place",
        arguments: [
            (#"{"platform":"tvOS","muted":true}"#, "/muted"), (#"{"platform":"tvOS","locked":true}"#, "/locked"),
            (
                #"{"platform":"tvOS","registrations":[{"topic":"a","permissions":{"alertStyle":"alert"}}]}"#,
                "/registrations/0/permissions/alertStyle"
            ),
            (
                #"{"platform":"watchOS","registrations":[{"topic":"a","permissions":{"showPreviews":"never"}}]}"#,
                "/registrations/0/permissions/showPreviews"
            ),
            (
                #"{"platform":"macOS","registrations":[{"topic":"a","permissions":{"liveActivities":false}}]}"#,
                "/registrations/0/permissions/liveActivities"
            ),
            (
                #"{"platform":"visionOS","registrations":[{"topic":"a","permissions":{"frequentPushes":false}}]}"#,
                "/registrations/0/permissions/frequentPushes"
            ),
        ])
    func contradictory(device: String, field: String) throws {
        let error = #expect(throws: InputError.self) { try table(device) }
        #expect(error?.field == field && error?.kind == .invalid)
    }

    @Test("a change that the platform has no use for is refused; what is answered can be sent again")
    func contradictoryChange() throws {
        var table = try table(#"{"platform":"tvOS","registrations":[{"topic":"a"}]}"#)
        let patch = try AppPatch(json: ["permissions": ["lockScreen": false]])
        let error = #expect(throws: InputError.self) {
            try table.change("a", topic: "a", patch, at: Self.now, clock: { _ in Self.now })
        }
        #expect(error?.field == "/permissions/lockScreen")
        let answer = try table.view(of: "a", at: Self.now, clock: { _ in Self.now }).value.json
        #expect(answer["locked"] == false && answer["muted"] == false)
        let again = try DeviceSpecification(json: answer)
        #expect(throws: Never.self) { try table.check(again, id: "a", isReplacing: true) }
    }
}
