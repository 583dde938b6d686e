import ArgumentParser

/// The filters on requests (`ControlAPI#Filters`), one flag per key.
struct RequestFilterOptions: ParsableArguments {
    @Option(help: "Device token; repeatable, as all of these.") var token: [String] = []
    @Option(help: "Id of a simulated device.") var device: [String] = []
    @Option(help: "apns-topic.") var topic: [String] = []
    @Option(help: "Team of the provider token.") var team: [String] = []
    @Option(help: "Key of the provider token.") var keyId: [String] = []
    @Option(help: "apns-id.") var apnsId: [String] = []
    @Option(help: "apns-collapse-id.") var collapseId: [String] = []
    @Option(help: "apns-push-type.") var pushType: [String] = []
    @Option(help: "sandbox or production.") var environment: [String] = []
    @Option(help: "Number of the connection.") var connection: [String] = []
    @Option(help: "Text in the payload.") var text: [String] = []

    @Option(
        help: ArgumentHelp(
            "Value in the payload by JSON pointer, like /aps/category=NEWS.", valueName: "pointer=value"))
    var payload: [String] = []

    func validate() throws {
        for text in payload where NamedValue(pointer: text) == nil {
            throw ValidationError("--payload \(text): expected a JSON pointer, = and a value, like /aps/category=NEWS")
        }
    }

    /// The flags as terms of a match, with `others` of the command.
    func terms(and others: [(key: String, values: [String])]) -> [MatchTerm] {
        let own: [(key: String, values: [String])] = [
            ("token", token), ("device", device), ("topic", topic), ("team", team), ("keyId", keyId),
            ("apnsId", apnsId), ("collapseId", collapseId), ("pushType", pushType), ("environment", environment),
            ("connection", connection), ("text", text),
        ]
        return (own + others).flatMap { key, values in values.map { MatchTerm(key: key, value: $0) } }
            + MatchTerm.terms(key: "payload", payload)
    }
}

/// A `name=value`, for flags.
struct NamedValue {
    let name: String
    let value: String

    /// Reads `name=value`; `nil` without an equals sign or a name.
    init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
        name = String(text[..<equals])
        value = String(text[text.index(after: equals)...])
    }

    /// Reads `pointer=value`; `nil` without a JSON pointer.
    init?(pointer text: String) {
        guard text.hasPrefix("/") else { return nil }
        self.init(text)
    }
}
