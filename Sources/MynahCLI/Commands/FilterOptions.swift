import APNsRules
import ArgumentParser
import MynahClient

/// One flag per filter key (`control-api.md`, *One filter language*); the same flag again is *any of*, different
/// flags are *all of*.
struct FilterOptions: ParsableArguments {
    @Option(help: "Device token.") var token: [String] = []
    @Option(help: "Id of a simulated device.") var device: [String] = []
    @Option(help: "Scope of the device.") var scope: [String] = []
    @Option(help: "apns-topic.") var topic: [String] = []
    @Option(help: "Team of the provider token.") var team: [String] = []
    @Option(help: "Key of the provider token.") var keyId: [String] = []
    @Option(help: "apns-id.") var apnsId: [String] = []
    @Option(help: "apns-collapse-id.") var collapseId: [String] = []
    @Option(help: "apns-push-type.") var pushType: [String] = []
    @Option(help: "apns-priority.") var priority: [String] = []
    @Option(help: "sandbox or production.") var environment: [String] = []
    @Option(help: "Number of the connection.") var connection: [String] = []
    @Option(help: "Status answered, like 200.") var status: [String] = []
    @Option(help: "Reason answered, like BadDeviceToken.") var reason: [String] = []
    @Option(help: "Outcome, like delivered or refused.") var outcome: [String] = []
    @Option(help: "Whether the user saw it: true or false.") var shown: [String] = []
    @Option(help: "Id of the fault that acted, or none.") var fault: [String] = []
    @Option(help: "Received at this time or later, RFC 3339.") var since: [String] = []
    @Option(help: "Received before this time, RFC 3339.") var until: [String] = []
    @Option(help: "Text in the payload.") var text: [String] = []

    @Option(
        help: ArgumentHelp(
            "Value in the payload by JSON pointer, like /aps/category=NEWS.", valueName: "pointer=value"))
    var payload: [String] = []

    @Option(
        help: ArgumentHelp(
            "What the user saw, by JSON pointer into the notification, like /title=Hello or /badge=3.",
            valueName: "pointer=value"))
    var screen: [String] = []

    /// Keys with their values, in the order of `control-api.md`.
    var values: [(key: String, values: [String])] {
        [
            ("token", token), ("device", device), ("scope", scope), ("topic", topic), ("team", team),
            ("keyId", keyId), ("apnsId", apnsId), ("collapseId", collapseId), ("pushType", pushType),
            ("priority", priority), ("environment", environment), ("connection", connection), ("status", status),
            ("reason", reason), ("outcome", outcome), ("shown", shown), ("fault", fault), ("since", since),
            ("until", until), ("text", text),
        ].filter { !$0.1.isEmpty }
    }

    func validate() throws {
        for text in payload where FilterOptions.pair(text) == nil {
            throw ValidationError(
                "--payload \(text): expected a JSON pointer, = and a value, like /aps/category=NEWS")
        }
        for text in screen where FilterOptions.pair(text) == nil {
            throw ValidationError("--screen \(text): expected a JSON pointer, = and a value, like /title=Hello")
        }
    }

    /// The filters as parameters of a URL.
    var queryItems: [QueryItem] {
        values.flatMap { key, values in values.map { QueryItem(key, $0) } }
            + payload.compactMap(FilterOptions.pair).map { QueryItem("payload.\($0.pointer)", $0.value) }
            + screen.compactMap(FilterOptions.pair).map { QueryItem("screen.\($0.pointer)", $0.value) }
    }

    /// The filters as terms of a match.
    var terms: [MatchTerm] {
        values.flatMap { key, values in values.map { MatchTerm(key: key, value: $0) } }
            + payload.compactMap(FilterOptions.pair).map {
                MatchTerm(key: "payload", pointer: $0.pointer, value: $0.value)
            }
            + screen.compactMap(FilterOptions.pair).map {
                MatchTerm(key: "screen", pointer: $0.pointer, value: $0.value)
            }
    }

    private static func pair(_ text: String) -> (pointer: String, value: String)? {
        guard text.hasPrefix("/"), let equals = text.firstIndex(of: "=") else { return nil }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
}
