import APNsRules
import MynahCore

/// A fault rule in the columns of a list: everything that it is, apart from its defaults.
enum FaultWords {
    /// The members of an action that need no name beside their value.
    private static let plain: Set<String> = [
        "status", "reason", "alert", "certificate", "how", "code", "delay", "by",
    ]
    static func does(_ rule: JSONValue) -> String {
        guard let list = rule["actions"]?.array else { return action(rule["action"] ?? .null) }
        return list.map(action).joined(separator: ", ") + ", then \(rule["then"]?.string ?? "pass")"
    }

    private static func action(_ action: JSONValue) -> String {
        let unsaid = action["type"]?.string.flatMap { FaultActionType(rawValue: $0) }?.unsaid ?? []
        let members = (action.object ?? []).filter { member in
            member.name != "type" && member.value != .null && !unsaid.contains(member)
        }
        let words = members.map { member in
            let text = member.value.string ?? member.value.encodedText
            if plain.contains(member.name) { return text }
            return member.value == true ? member.name : "\(member.name)=\(text)"
        }
        return ([action.cell("type")] + words).joined(separator: " ")
    }

    /// The filters as a line of the query language as far as that has a form for them.
    static func appliesTo(_ rule: JSONValue) -> String {
        let members = rule["match"]?.object ?? []
        let words = members.flatMap { member -> [String] in
            switch member.name {
            case "event": member.value == "request" ? [] : ["event:\(member.value.string ?? "")"]
            case "payload", "headers":
                (member.value.object ?? []).flatMap { terms("\(member.name):\($0.name)", $0.value) }
            default: terms(member.name, member.value)
            }
        }
        return words.isEmpty ? "-" : words.joined(separator: " ")
    }

    private static func terms(_ key: String, _ matcher: JSONValue) -> [String] {
        switch matcher {
        case .array(let matchers): return matchers.flatMap { terms(key, $0) }
        case .object(let members):
            let member = members.count == 1 ? members[0] : nil
            switch (member?.name, member?.value) {
            case ("not"?, let matcher?): return terms(key, matcher).map { "-" + $0 }
            case ("contains"?, let part?): return terms(key + String(FilterName.partMark), part)
            default: return ["\(key):\(matcher.encodedText)"]
            }
        case .string(let text):
            let isWord = !text.isEmpty && !text.contains { $0.isWhitespace || $0 == "\"" }
            return ["\(key):\(isWord ? text : matcher.encodedText)"]
        default: return ["\(key):\(matcher.encodedText)"]
        }
    }

    static func when(_ rule: JSONValue) -> String {
        var words: [String] = []
        func add(_ name: String, unless usual: JSONValue = .null) {
            guard let value = rule[name], value != .null, value != usual else { return }
            words.append("\(name) \(value.string ?? value.encodedText)")
        }
        for kind in ["connections", "keys"] {
            guard let places = rule[kind], places != .null else { continue }
            var parts = [kind]
            for (name, usual) in [("first", 1), ("every", 1), ("count", nil)] as [(String, Int64?)] {
                guard let number = places[name]?.integer, number != usual else { continue }
                parts.append("\(name) \(number)")
            }
            words.append(parts.joined(separator: " "))
        }
        if let rate = rule["rateOver"], rate != .null {
            words.append("above \(rate.count("count")) per \(rate.cell("per")) by \(rate.cell("by"))")
        }
        add("skip", unless: 0)
        add("every", unless: 1)
        if case .number(let probability)? = rule["probability"], probability.double < 1 { add("probability") }
        add("times")
        add("activeFrom")
        add("activeUntil")
        add("rulePriority", unless: 0)
        return words.isEmpty ? "-" : words.joined(separator: ", ")
    }
}
