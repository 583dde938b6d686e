internal import APNsRules

extension FaultAction {
    /// What the action does, in one line; a member that no words are written for is said by its name.
    package var words: String {
        let late = delay?.words
        if kind == .pass, let late { return "answers \(late)" }
        let clause = clause
        let unsaid = type.unsaid
        let others = (json.object ?? []).filter { member in
            !clause.said.contains(member.name) && !FaultAction.saidApart.contains(member.name)
                && !unsaid.contains(member)
        }
        var phrases = [clause.text]
        if let afterPushes { phrases.append("at every \(afterPushes.ordinal) push of a connection") }
        phrases += (response?.headerChanges ?? []).map(\.words)
        phrases += others.map(\.words)
        if let late { phrases.append(late) }
        if deliver == true { phrases.append("and is delivered anyway") }
        return phrases.joined(separator: ", ")
    }

    /// The names of members that have phrases of their own.
    private static let saidApart: Set<String> = ["type", "delay", "deliver", "afterPushes", "answerHeaders"]

    private var clause: FaultClause {
        switch kind {
        case .wire(.resetStream(_, afterHeaders: true)):
            FaultClause(template: type.words + " after the headers", of: json, saying: ["when"])
        case .wire(.settings(let settings)): settings.clause
        case .wire(.close(let how, let bytes)):
            FaultClause(how.words + (bytes.map { " after \($0.byteCountWords)" } ?? ""), saying: ["how", "afterBytes"])
        case .closeWhenIdle(let how, let time):
            FaultClause("\(how.words) after \(DurationText.text(time)) of silence", saying: ["how", "afterIdle"])
        case .tls(let tls): tls.clause
        default: FaultClause(template: type.words, of: json)
        }
    }
}

/// What an action does by the words of its type, and the members that these say.
struct FaultClause {
    let text: String
    let said: Set<String>

    init(_ text: String, saying said: Set<String>) {
        self.text = text
        self.said = said
    }

    /// A clause from the words of a type, in which a name in braces is the value of that member; one without a value is
    /// left out.
    init(template: String, of action: JSONValue, saying others: Set<String> = []) {
        var parts: [String] = []
        var said = others
        for word in template.split(separator: " ") {
            guard word.hasPrefix("{"), word.hasSuffix("}") else {
                parts.append(String(word))
                continue
            }
            let name = String(word.dropFirst().dropLast())
            said.insert(name)
            if let value = action[name] { parts.append(value.words) }
        }
        self.init(parts.joined(separator: " "), saying: said)
    }
}

extension FaultResponse.HeaderChange {
    fileprivate var words: String {
        switch self {
        case .set(let name, let value): "with \(name): \(value)"
        case .remove(let name): "without \(name)"
        }
    }
}

extension WireClose.How {
    fileprivate var words: String {
        switch self {
        case .fin: "hangs up"
        case .rst: "TCP reset"
        case .halfOpen: "goes half-open"
        }
    }
}

extension Int {
    /// So many bytes, with a comma before every three digits.
    fileprivate var byteCountWords: String {
        var digits = "\(self)"
        var end = digits.count - 3
        while end > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
            end -= 3
        }
        return digits + (self == 1 ? " byte" : " bytes")
    }
}
