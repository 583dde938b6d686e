internal import APNsRules

/// The operators of a matcher that is an object (`Documents#Matchers`), described once.
///
/// To add an operator, add a case with its facts, and what ``MatcherReader`` makes of it.
package enum MatcherOperator: String, CaseIterable, Sendable {
    case prefix, contains, regex, not, exists, gte, lte

    struct Facts {
        /// The form of the operator's operand.
        let form: Form
        /// What the operator matches, for the OpenAPI document.
        let sentence: String
        var examples: [JSONValue] = []
        /// The kinds of keys that the operator is for; places in documents and headers have all operators.
        let kinds: Set<FilterKey.Kind>
    }

    var facts: Facts {
        switch self {
        case .prefix: Facts(form: .anyText, sentence: "A string that begins with this.", kinds: [.text])
        case .contains:
            Facts(
                form: .anyText, sentence: "A string that contains this, or an array that has it as an element.",
                kinds: [.text])
        case .regex:
            Facts(
                form: .text(0...Pattern.textCountMax),
                sentence: #"""
                    Matches a string that contains a part which it describes, in one pass over the string. Supported: \#
                    literal characters, . [a-f0-9] [^/] \d \w \s \D \W \S \b \B ^ $ (…) (?:…) a|b a* a+ a? a{2} a{2,} \#
                    a{,3} a{2,3} and their lazy forms, a backslash before punctuation, \n \r \t \f \e \x41 \u00e9 \#
                    \u{1F600}, and (?i) at the front. Refused with the position: back-references, look-around, possessive \#
                    quantifiers, atomic and named groups, recursion, other options, Unicode properties, POSIX classes, \#
                    and patterns whose automaton would be too large. A character is a Unicode scalar; ^ and $ are the \#
                    ends of the whole string.
                    """#,
                examples: [#"^com\.example\."#], kinds: [.text])
        case .not:
            Facts(
                form: .any(schema: "Matcher"), sentence: "A matcher that does not hold.",
                kinds: [.text, .whole, .truth, .time])
        case .exists: Facts(form: .bool, sentence: "Whether the field is there.", kinds: [.text, .whole, .truth])
        case .gte:
            Facts(form: .types([.number, .string]), sentence: "A value that is not below this.", kinds: [.whole])
        case .lte:
            Facts(form: .types([.number, .string]), sentence: "A value that is not above this.", kinds: [.whole])
        }
    }

    package static let names = allCases.map(\.rawValue)

    /// The matcher with this operand.
    func matcher(_ operand: JSONValue) -> JSONValue { .object([JSONMember(rawValue, operand)]) }

    /// The members of a matcher that is an object, of which it has one.
    package static let schema = Schema(
        allCases.map {
            Member(
                $0.rawValue, $0.facts.form, summary: $0.facts.sentence, mayBeNull: false, examples: $0.facts.examples)
        })
}

/// Reads the matchers of one field from JSON.
struct MatcherReader {
    /// `nil` for a place in a document or a header, which may have any value.
    let key: FilterKey?
    /// Whether they were accepted before, so that values are taken that would be refused now.
    let isKept: Bool

    private var operators: [MatcherOperator] {
        guard let key else { return MatcherOperator.allCases }
        return MatcherOperator.allCases.filter { $0.facts.kinds.contains(key.kind) }
    }

    func matcher(_ json: JSONValue, at place: String) throws(InputError) -> Matcher {
        switch json {
        case .object(let members): return try operation(members, at: place)
        case .array(let elements):
            guard !elements.isEmpty else {
                throw InputError(at: place, "an empty array matches nothing: expected a value in it, or no array")
            }
            var matchers: [Matcher] = []
            var budget = PatternBudget(PatternBudget.filterBytesMax)
            for (index, element) in elements.enumerated() {
                let matcher = try matcher(element, at: place + "/\(index)")
                try budget.spend(matcher.patternByteCount, at: place + "/\(index)")
                matchers += matcher.alternatives
            }
            return .any(matchers)
        default:
            guard let key else { return .equal(json) }
            if json == .null || key == .fault && json == .string(FilterKey.noFault) { return .exists(false) }
            return key.bounded(isKept ? key.kept(json) : try key.operand(json, at: place))
        }
    }

    private func operation(_ members: [JSONMember], at place: String) throws(InputError) -> Matcher {
        let names = operators.map(\.rawValue)
        guard members.count == 1, let member = members.first else {
            throw InputError(
                at: place, "an object with \(members.count) members is not a matcher",
                hint: ": expected exactly one operator", allowed: names)
        }
        let place = JSONPointer.below(place, member.name)
        guard let operation = MatcherOperator(rawValue: member.name), operators.contains(operation) else {
            throw .unknown("operator", member.name, at: place, among: names)
        }
        switch operation {
        case .prefix: return .prefix(try part(member.value, at: place, isBeginning: true))
        case .contains: return .contains(try part(member.value, at: place, isBeginning: false))
        case .regex:
            let pattern = try Pattern(
                text(member.value, at: place), ignoresCase: key?.ignoresCase ?? false, at: place)
            guard !isKept else { return .regex(pattern) }
            guard pattern.canMatch else {
                throw InputError(
                    at: place,
                    "no text matches \(PrintableText.shortened(pattern.text, to: 100)): expected a pattern of one")
            }
            try key?.check(pattern, at: place)
            return .regex(pattern)
        case .not: return .not(try matcher(member.value, at: place))
        case .exists:
            try Form.bool.check(member.value, at: place)
            return .exists(member.value == true)
        case .gte: return .atLeast(try bound(member.value, at: place))
        case .lte: return .atMost(try bound(member.value, at: place))
        }
    }

    private func text(_ json: JSONValue, at place: String) throws(InputError) -> String {
        guard let text = json.string else { throw .mismatch(json, at: place, expected: "a string") }
        return text
    }

    private func part(_ json: JSONValue, at place: String, isBeginning: Bool) throws(InputError) -> String {
        let text = try text(json, at: place)
        guard !isKept else { return key?.keptPart(text) ?? text }
        try FilterName.check(part: text, at: place)
        return try key?.part(text, at: place, isBeginning: isBeginning) ?? text
    }

    private func bound(_ json: JSONValue, at place: String) throws(InputError) -> JSONValue {
        switch json {
        case .number where key != .priority: return json
        case .number(let number) where number.integer != nil: return json
        case .string where key == nil: return json
        default: throw .mismatch(json, at: place, expected: "a number")
        }
    }
}
