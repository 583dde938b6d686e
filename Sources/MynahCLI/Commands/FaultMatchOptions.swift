import APNsRules
import ArgumentParser

/// Selects the requests or connections of a fault rule: one flag per filter key; the same flag again is *any of*.
struct FaultMatchOptions: ParsableArguments {
    @OptionGroup var request: RequestFilterOptions
    @Option(help: "apns-priority.") var apnsPriority: [String] = []
    @Option(help: ArgumentHelp("Value of a header field, like user-agent=my-app.", valueName: "name=value")) var header:
        [String] = []
    @Option(help: "accept, handshake or request (default: that of the action).") var event: String?

    func validate() throws {
        for text in header where NamedValue(text) == nil {
            throw ValidationError("--header \(text): expected a name, = and a value, like user-agent=my-app")
        }
    }

    /// The `match` of a rule; empty without flags.
    func match() -> [JSONMember] {
        var members = MatchTerm.match(request.terms(and: [("priority", apnsPriority)]))
        var headers: [JSONMember] = []
        for field in header.compactMap({ NamedValue($0) }) {
            let name = field.name.lowercased()
            if let index = headers.firstIndex(where: { $0.name == name }) {
                let others = headers[index].value.array ?? [headers[index].value]
                headers[index] = JSONMember(name, .array(others + [.string(field.value)]))
            } else {
                headers.append(JSONMember(name, .string(field.value)))
            }
        }
        if !headers.isEmpty { members.append(JSONMember("headers", .object(headers))) }
        if let event { members.append(JSONMember("event", .string(event))) }
        return members
    }
}
