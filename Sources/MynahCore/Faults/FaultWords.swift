package import APNsRules

/// A fault rule in words, as the page and the command line show it.
package struct FaultWords: Sendable, Equatable {
    package let does: [String]
    package let matches: [String]
    package let fires: [String]

    init(_ rule: FaultRule) {
        does = rule.schedule.actionsInWords
        matches = rule.conditionsInWords
        fires = rule.firingsInWords
    }

    /// The member of a rule's answer; a request may have it, so that an answer can be sent back, and it is ignored there.
    static let member = Member(
        "words", .named("FaultWords", .object(fields.making)), summary: "The rule in words; events have none.")

    private static let phrases = Form.array(of: .anyText)
    private static let fields: Fields<FaultWords> = [
        Field(
            Member(
                "does", phrases,
                summary: "What it does: of a list of actions each in turn, and what follows the last.",
                isRequired: true)
        ) { .texts($0.does) },
        Field(
            Member(
                "matches", phrases, summary: "Which requests or connections it is for, a phrase for each condition.",
                isRequired: true)
        ) { .texts($0.matches) },
        Field(
            Member(
                "fires", phrases, summary: "On which of these it acts, a phrase for each condition; empty: on all.",
                isRequired: true)
        ) { .texts($0.fires) },
    ]

    package var json: JSONValue { .object(FaultWords.fields.remakingMembers(of: self)) }
}

extension FaultRule {
    fileprivate var conditionsInWords: [String] {
        let phrases = conditions.map(\.words)
        return match.event == .request && !phrases.isEmpty ? phrases : phrases + [match.event.subject]
    }

    fileprivate var firingsInWords: [String] {
        schedule.words + (rulePriority == 0 ? [] : ["rule priority \(rulePriority)"])
    }
}

extension JSONMember {
    /// The member in words, for which no others are written.
    var words: String {
        switch value {
        case true: name
        case "": "no \(name)"
        default: "\(name) \(value.words)"
        }
    }
}

extension Int {
    /// The number of a place, as in 1st, 22nd and 113th.
    var ordinal: String {
        let endings = [1: "st", 2: "nd", 3: "rd"]
        return "\(self)" + (11...13 ~= self % 100 ? "th" : endings[self % 10] ?? "th")
    }
}
