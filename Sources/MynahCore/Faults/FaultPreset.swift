package import APNsRules

/// A fault by a word and a few options, as the command line takes it: `410`, `goaway --after 1000`, `slow --delay 5s`.
///
/// Makes the JSON of a rule; what the rule is about (`match`) the caller adds.
package struct FaultPreset: Sendable {
    /// What follows the preset's name, `--name value`.
    package struct Option: Sendable {
        /// The name, without hyphens.
        package let name: String
        /// What its value is, for help.
        package let value: String
        /// What it does, for help.
        package let help: String
        /// The place that it sets: a pointer into the rule.
        let pointer: String
        let form: Form
        /// The place that it empties, since the two exclude each other.
        let clears: String?

        init(name: String, value: String, help: String, pointer: String, form: Form, clears: String? = nil) {
            self.name = name
            self.value = value
            self.help = help
            self.pointer = pointer
            self.form = form
            self.clears = clears
        }
    }

    /// How an option's text becomes JSON.
    enum Form: Sendable {
        case text
        case number
        /// A number where it is one, else text.
        case either
        /// `true`; the option has no value.
        case truth
    }

    /// The word.
    package let name: String
    /// What it does, for help.
    package let help: String
    /// The options of its own; ``commonOptions`` are for all.
    package let options: [Option]
    /// The rule, without `match`.
    let rule: JSONValue

    /// The rule of words: a preset's name, a status or a reason, then options.
    ///
    /// - Throws: ``InputError`` whose field is the word, for an unknown name, option or value; a value that is of the
    ///   right form and makes no rule is found when the rule is read.
    package static func parse(_ words: [String]) throws(InputError) -> JSONValue {
        guard let first = words.first else {
            throw InputError(
                at: "preset", "no preset, status or reason is given", allowed: names)
        }
        guard let preset = named(first) else { throw .unknown("preset", first, at: first, among: names) }
        return try parse(words.dropFirst(), into: preset.rule, preset.options + commonOptions, after: first)
    }

    /// What words change of a rule: as ``parse(_:)``, and the preset may be missing.
    ///
    /// - Throws: ``InputError``, as ``parse(_:)`` does.
    package static func parseChanges(_ words: [String]) throws(InputError) -> JSONValue {
        guard let first = words.first, first.hasPrefix("-") else {
            return words.isEmpty ? [:] : try parse(words)
        }
        return try parse(words[...], into: [:], commonOptions, after: "a rule")
    }

    private static func parse(
        _ words: ArraySlice<String>, into rule: JSONValue, _ options: [Option], after first: String
    ) throws(InputError) -> JSONValue {
        var rule = rule
        var rest = words
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0].hasPrefix("--") ? String(parts[0].dropFirst(2)) : ""
            let known = options.map { "--" + $0.name }
            guard !name.isEmpty else {
                throw InputError(
                    at: word, "\(word) is no option: expected one, as in \(first) --times 3", allowed: known)
            }
            guard let option = options.first(where: { $0.name == name }) else {
                throw .unknown("option of \(first)", "--" + name, at: word, among: known)
            }
            var text = parts.count > 1 ? parts[1] : ""
            if option.form != .truth, parts.count == 1 {
                guard let value = rest.popFirst() else {
                    throw InputError(at: word, "--\(name) has no value: expected \(option.value)")
                }
                text = value
            }
            rule = rule.setting(try option.json(text), at: option.pointer)
            if let cleared = option.clears { rule = rule.setting(.null, at: cleared) }
        }
        return rule
    }

    /// The preset of a word: a name of the table, a status, or a reason.
    package static func named(_ word: String) -> FaultPreset? {
        if let preset = all.first(where: { $0.name == word }) { return preset }
        if let reason = Reason(rawValue: word) {
            return FaultPreset(respond: word, ["type": "respond", "reason": .string(word)], "\(reason.status) \(word)")
        }
        return nil
    }

    /// All words.
    package static var names: [String] { all.map(\.name) + Reason.allCases.map(\.rawValue) }

    /// The options of every preset.
    package static let commonOptions: [Option] = [
        Option(name: "times", value: "N", help: "at most N times", pointer: "/times", form: .number),
        Option(name: "skip", value: "N", help: "let the first N requests through", pointer: "/skip", form: .number),
        Option(name: "every", value: "N", help: "every N-th request only", pointer: "/every", form: .number),
        Option(
            name: "probability", value: "P", help: "each request with probability P, above 0 and at most 1",
            pointer: "/probability", form: .number),
        Option(name: "priority", value: "N", help: "higher rules are asked first", pointer: "/priority", form: .number),
        Option(name: "scope", value: "NAME", help: "pushes of this scope only", pointer: "/scope", form: .text),
        Option(name: "id", value: "ID", help: "the rule's id", pointer: "/id", form: .text),
        Option(name: "name", value: "TEXT", help: "what the rule is for", pointer: "/name", form: .text),
        Option(name: "from", value: "TIME", help: "from this time of the clock", pointer: "/activeFrom", form: .text),
        Option(
            name: "until", value: "TIME", help: "until this time of the clock", pointer: "/activeUntil", form: .text),
    ]
}

extension FaultPreset.Option {
    fileprivate func json(_ text: String) throws(InputError) -> JSONValue {
        switch form {
        case .text: return .string(text)
        case .truth: return true
        case .number, .either:
            if let number = try? JSONValue(parsing: text), case .number = number { return number }
            guard form == .either else { throw InputError(at: "--" + name, "\(text) is no number: expected \(value)") }
            return .string(text)
        }
    }
}

extension JSONValue {
    /// This document with a value at a place; objects on the way are made.
    fileprivate func setting(_ value: JSONValue, at pointer: String) -> JSONValue {
        setting(value, at: pointer.split(separator: "/").map(String.init)[...])
    }

    private func setting(_ value: JSONValue, at steps: ArraySlice<String>) -> JSONValue {
        guard let step = steps.first else { return value }
        var members = object ?? []
        let inner = (self[step] ?? .object([])).setting(value, at: steps.dropFirst())
        if let index = members.firstIndex(where: { $0.name == step }) {
            members[index] = JSONMember(step, inner)
        } else {
            members.append(JSONMember(step, inner))
        }
        return .object(members)
    }
}
