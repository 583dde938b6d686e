import APNsRules
import ArgumentParser

/// Which requests or connections a fault rule is about: one flag per filter key; the same flag again is *any of*.
struct FaultMatchOptions: ParsableArguments {
    @OptionGroup var request: RequestFilterOptions
    @Option(help: "apns-priority.") var apnsPriority: [String] = []
    @Option(help: ArgumentHelp("Value of a header field, like user-agent=my-app.", valueName: "name=value")) var header:
        [String] = []
    @Option(help: "accept, handshake or request; without it, where the action belongs.") var event: String?

    func validate() throws {
        for text in header where NamedValue(text) == nil {
            throw ValidationError("--header \(text): expected a name, = and a value, like user-agent=my-app")
        }
    }

    /// The `match` of a rule; no members when nothing was given.
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
