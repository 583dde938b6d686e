import APNsRules

/// One condition from a flag.
struct MatchTerm: Equatable, Sendable {
    /// A filter key, or `payload` or `screen`.
    var key: String
    /// The JSON pointer, for `payload` and `screen`.
    var pointer: String?
    var value: String

    /// The terms of `pointer=value` texts; others are left out.
    static func terms(key: String, _ texts: [String]) -> [MatchTerm] {
        texts.compactMap { NamedValue(pointer: $0) }.map { MatchTerm(key: key, pointer: $0.name, value: $0.value) }
    }

    /// Keys whose values are numbers or booleans in the API's JSON.
    private static let typedKeys: Set<String> = ["priority", "status", "connection", "shown"]

    /// The `match` (`Documents`) with all these conditions; values of one key are *any of*.
    static func match(_ terms: [MatchTerm]) -> [JSONMember] {
        var members: [JSONMember] = []
        var seen: [MatchTerm] = []
        for term in terms where !seen.contains(where: { $0.isSameField(as: term) }) {
            seen.append(term)
            let values = terms.filter { $0.isSameField(as: term) }.flatMap(\.candidates)
            let matcher: JSONValue = values.count == 1 ? values[0] : .array(values)
            guard let pointer = term.pointer else {
                members.append(JSONMember(term.key, matcher))
                continue
            }
            if let index = members.firstIndex(where: { $0.name == term.key }) {
                let places = members[index].value.object ?? []
                members[index] = JSONMember(term.key, .object(places + [JSONMember(pointer, matcher)]))
            } else {
                members.append(JSONMember(term.key, .object([JSONMember(pointer, matcher)])))
            }
        }
        return members
    }

    private func isSameField(as other: MatchTerm) -> Bool { key == other.key && pointer == other.pointer }

    // A 3 on the command line may mean the number or the text; in a payload both match.
    private var candidates: [JSONValue] {
        guard pointer != nil || MatchTerm.typedKeys.contains(key) else { return [.string(value)] }
        let parsed: JSONValue
        do {
            parsed = try JSONValue(parsing: value)
        } catch {
            return [.string(value)]
        }
        switch parsed {
        case .number, .bool: return pointer == nil ? [parsed] : [parsed, .string(value)]
        default: return [.string(value)]
        }
    }
}
