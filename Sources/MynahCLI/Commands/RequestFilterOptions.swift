import ArgumentParser

/// The filter keys that are known of a request before it is answered (`ControlAPI#Filters`): one
/// flag each.
struct RequestFilterOptions: ParsableArguments {
    @Option(help: "Device token, repeatable, as all of these.") var token: [String] = []
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

    /// The flags as terms of a match; those that only some commands have come as `others`, each with its key.
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

/// A name and a value with an equals sign between them, as some flags take them.
struct NamedValue {
    let name: String
    let value: String

    /// Reads `name=value`; `nil` without an equals sign or a name.
    init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
        name = String(text[..<equals])
        value = String(text[text.index(after: equals)...])
    }

    /// Reads `pointer=value`; `nil` when what stands before the equals sign is no JSON pointer.
    init?(pointer text: String) {
        guard text.hasPrefix("/") else { return nil }
        self.init(text)
    }
}
