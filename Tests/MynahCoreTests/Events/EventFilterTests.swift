import APNsRules
import Testing

@testable import MynahCore

@Suite("Filters on events other than pushes")
struct EventFilterTests {
    private static let device: JSONValue = [
        "id": "kims-phone", "scope": "t42", "environment": "sandbox",
        "registrations": [
            ["topic": "com.example.app", "token": "00ab"], ["topic": "com.example.app.voip", "token": nil],
        ],
    ]
    private static let connection: JSONValue = [
        "id": 12, "environment": "production", "credential": ["team": "TEAM123456", "keyId": "ABC123DEFG"],
    ]
    static let events: [String: Event] = [
        "device": .made(1, .device, device, at: 1000), "connection": .made(2, .connection, connection),
        "channel": .made(
            7, .channel,
            ["id": "HBamDK/nNyWooJcYlZiGtw==", "bundleId": "com.example.news", "environment": "production"]),
        "fault": .made(3, .fault, ["id": "f-1", "scope": nil]),
        "clock": .made(4, .clock, ["mode": "frozen", "now": "x", "scope": "t42"]),
        "activity": Event(
            .activity, sequence: 6, at: Instant(milliseconds: 500),
            .activity(
                ActivityChange(
                    device: "kims-phone", scope: "t42",
                    activity: LiveActivity(
                        number: 1, topic: "com.example.app.push-type.liveactivity", environment: .sandbox,
                        attributesType: "Game", attributes: nil, content: LiveActivity.Content(),
                        channel: "tvI2UK0vEfEAAA6GFnjo2Q==", at: Instant(milliseconds: 0)),
                    at: Instant(milliseconds: 500)))),
        "push": Event(.outcome, sequence: 5, at: Instant(milliseconds: 0), .push(.made(5))),
    ]

    @Test(
        "an event has the keys of its document and no others",
        arguments: [
            ("scope", "t42", ["activity", "clock", "device"]), ("device", "kims-phone", ["activity", "device"]),
            ("device", "12", []), ("topic", "com.example.app.push-type.liveactivity", ["activity"]),
            ("channel", "tvI2UK0vEfEAAA6GFnjo2Q==", ["activity"]),
            ("channel", "HBamDK/nNyWooJcYlZiGtw==", ["channel"]), ("topic", "com.example.news", ["channel"]),
            ("environment", "sandbox", ["activity", "device", "push"]),
            ("since", "1970-01-01T00:00:00.5Z", ["activity", "device", "push"]),
            ("topic", "com.example.app.voip", ["device"]), ("token", "00AB", ["device"]),
            ("environment", "production", ["channel", "connection"]),
            ("connection", "12", ["connection", "push"]),
            ("team", "TEAM123456", ["connection"]), ("keyId", "ABC123DEFG", ["connection"]),
            ("fault", "f-1", ["fault"]), ("since", "1970-01-01T00:00:01Z", ["device", "push"]),
            ("text", "kims", []), ("!scope", "t42", ["channel", "connection", "fault", "push"]),
            ("priority", "10", ["push"]),
            ("outcome", "delivered", ["push"]),
        ] as [(String, String, [String])])
    func keys(key: String, value: String, expected: [String]) throws {
        let filter = try Filter(parameters: [(key, value)])
        let passing = Self.events.filter { $0.value.passes(filter) }.keys.sorted()
        #expect(passing == expected)
    }

    @Test("every event passes an empty filter")
    func all() {
        #expect(Self.events.values.allSatisfy { $0.passes(Filter()) })
    }
}
