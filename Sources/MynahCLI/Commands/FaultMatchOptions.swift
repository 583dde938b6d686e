import APNsRules
import ArgumentParser

/// Which requests or connections a fault rule is about: one flag per filter key; the same flag again is *any of*.
struct FaultMatchOptions: ParsableArguments {
    @Option(help: "Device token, repeatable, as all of these.") var token: [String] = []
    @Option(help: "Id of a simulated device.") var device: [String] = []
    @Option(help: "apns-topic.") var topic: [String] = []
    @Option(help: "Team of the provider token.") var team: [String] = []
    @Option(help: "Key of the provider token.") var keyId: [String] = []
    @Option(help: "apns-id.") var apnsId: [String] = []
    @Option(help: "apns-collapse-id.") var collapseId: [String] = []
    @Option(help: "apns-push-type.") var pushType: [String] = []
    @Option(help: "apns-priority.") var apnsPriority: [String] = []
    @Option(help: "sandbox or production.") var environment: [String] = []
    @Option(help: "Number of the connection.") var connection: [String] = []
    @Option(help: "Text in the payload.") var text: [String] = []
    @Option(help: ArgumentHelp("Value in the payload, like /aps/category=NEWS.", valueName: "pointer=value"))
    var payload: [String] = []
    @Option(help: ArgumentHelp("Value of a header field, like user-agent=my-app.", valueName: "name=value")) var header:
        [String] = []
    @Option(help: "accept, handshake or request; without it, where the action belongs.") var event: String?

    func validate() throws {
        for text in payload where FaultMatchOptions.pair(text) == nil || !text.hasPrefix("/") {
            throw ValidationError("--payload \(text): expected a JSON pointer, = and a value, like /aps/category=NEWS")
        }
        for text in header where FaultMatchOptions.pair(text) == nil {
            throw ValidationError("--header \(text): expected a name, = and a value, like user-agent=my-app")
        }
    }

    /// The `match` of a rule; no members when nothing was given.
    func match() -> [JSONMember] {
        let values: [(String, [String])] = [
            ("token", token), ("device", device), ("topic", topic), ("team", team), ("keyId", keyId),
            ("apnsId", apnsId), ("collapseId", collapseId), ("pushType", pushType), ("priority", apnsPriority),
            ("environment", environment), ("connection", connection), ("text", text),
        ]
        var terms = values.flatMap { key, values in values.map { MatchTerm(key: key, value: $0) } }
        terms += payload.compactMap(FaultMatchOptions.pair).map {
            MatchTerm(key: "payload", pointer: $0.name, value: $0.value)
        }
        var members = MatchTerm.match(terms)
        var headers: [JSONMember] = []
        for (name, value) in header.compactMap(FaultMatchOptions.pair) {
            let name = name.lowercased()
            if let index = headers.firstIndex(where: { $0.name == name }) {
                let others = headers[index].value.array ?? [headers[index].value]
                headers[index] = JSONMember(name, .array(others + [.string(value)]))
            } else {
                headers.append(JSONMember(name, .string(value)))
            }
        }
        if !headers.isEmpty { members.append(JSONMember("headers", .object(headers))) }
        if let event { members.append(JSONMember("event", .string(event))) }
        return members
    }

    private static func pair(_ text: String) -> (name: String, value: String)? {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
}
