import APNsRules

/// Turns the control API's objects into fixtures that restore the same state.
enum FixtureExport {
    /// A device without the effects of pushes.
    static func device(_ device: JSONValue) -> JSONValue {
        var members = (device.object ?? []).filter { !["stored", "deferred", "inbox"].contains($0.name) }
        members = members.filter { $0.value != .null }.map { member in
            guard member.name == "registrations" else { return member }
            return JSONMember(member.name, .array((member.value.array ?? []).map(app)))
        }
        return .object(members)
    }

    /// An app with its token.
    ///
    /// A removed or expired one keeps its state and times, so that its token answers 410.
    private static func app(_ app: JSONValue) -> JSONValue {
        let state = app["state"]?.string
        let hasEnded = state == "unregistered" || state == "expired"
        var members = (app.object ?? []).filter { member in
            guard member.value != .null else { return false }
            return hasEnded || !["state", "since", "endedAt", "unregisteredAt"].contains(member.name)
        }
        if state == "notLaunched" { members.append(JSONMember("launched", false)) }
        return .object(members)
    }

    /// A fault rule without its counters.
    static func fault(_ rule: JSONValue) -> JSONValue {
        .object(
            (rule.object ?? []).filter { member in
                !["matched", "fired", "remaining", "createdAt"].contains(member.name)
                    && member.value != .null
            })
    }

    /// A key without its private half.
    static func key(_ key: JSONValue) -> JSONValue {
        .object((key.object ?? []).filter { $0.name != "hasPrivateKey" && $0.value != .null })
    }

    // MARK: Text

    /// JSON with a line for each object of a list, for readable diffs.
    static func json(_ members: [JSONMember]) -> String {
        let parts = members.map { member -> String in
            let name = JSONValue.string(member.name).encodedText
            guard let elements = member.value.array, !elements.isEmpty else {
                return "  \(name): \(member.value.encodedText)"
            }
            let lines = elements.map { "    " + $0.encodedText }.joined(separator: ",\n")
            return "  \(name): [\n\(lines)\n  ]"
        }
        return "{\n" + parts.joined(separator: ",\n") + "\n}"
    }

    /// YAML with JSON's scalars: texts are in quotes, so that none is read as something else.
    static func yaml(_ value: JSONValue) -> String { yaml(value, indent: "") }

    private static func yaml(_ value: JSONValue, indent: String) -> String {
        switch value {
        case .object(let members) where !members.isEmpty:
            return members.map { member in
                "\(indent)\(name(member.name)):" + nested(member.value, indent: indent)
            }.joined(separator: "\n")
        case .array(let elements) where !elements.isEmpty:
            return elements.map { element in
                guard let members = element.object, !members.isEmpty else {
                    return "\(indent)-" + nested(element, indent: indent)
                }
                // The first member follows the dash.
                return "\(indent)- " + yaml(element, indent: indent + "  ").dropFirst(indent.count + 2)
            }.joined(separator: "\n")
        default:
            return indent + value.encodedText
        }
    }

    private static func nested(_ value: JSONValue, indent: String) -> String {
        switch value {
        case .object(let members) where !members.isEmpty: "\n" + yaml(value, indent: indent + "  ")
        case .array(let elements) where !elements.isEmpty: "\n" + yaml(value, indent: indent + "  ")
        default: " " + value.encodedText
        }
    }

    private static func name(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        let isWord = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(name.lowercased())
        return isPlain && !isWord ? name : JSONValue.string(name).encodedText
    }
}
