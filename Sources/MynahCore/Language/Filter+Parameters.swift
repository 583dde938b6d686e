extension Filter {
    /// Reads the filter keys of a URL, percent-decoded: `key=value`; the key again is *any of*, different keys are
    /// *all of*, `!key=value` is *not*, and `q` is a line as ``init(line:)`` reads it; the error for an
    /// unknown name also lists those that the caller reads itself, `besides`.
    package init(parameters: [(name: String, value: String)], besides: [String] = []) throws(InputError) {
        var terms = TermList()
        var lines = Filter()
        for (name, value) in parameters {
            if name == "q" {
                lines = lines.and(try Filter(line: value))
                continue
            }
            let isNegated = name.hasPrefix("!")
            let key = isNegated ? String(name.dropFirst()) : name
            let known = FilterKey.names + ["q"] + besides.filter { $0 != "q" }
            try terms.add(key, value, isNegated: isNegated, at: name, known: known)
        }
        self = terms.filter.and(lines)
        try checkTimes(at: "until")
    }
}

/// Keys with their values, collected until those of one key are together.
struct TermList {
    private var order: [Term] = []
    private var matchers: [Term: [Matcher]] = [:]
    private var words: [Filter.Condition] = []

    private struct Term: Hashable {
        let field: FilterField
        let isNegated: Bool
    }

    mutating func add(
        _ key: String, _ value: String, isNegated: Bool, at field: String, known: [String]
    ) throws(InputError) {
        if let filterKey = FilterKey(rawValue: key) {
            return add(.key(filterKey), try filterKey.matcher(value, at: field), isNegated: isNegated)
        }
        let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let place = try FilterField(parts[0], pointer: parts[1], at: field) else {
            throw .unknown("filter", key, at: field, among: known)
        }
        add(place, Matcher(text: value), isNegated: isNegated)
    }

    /// Adds a condition on a field; several on one field are *any of*, or, negated, *none of*.
    mutating func add(_ field: FilterField, _ matcher: Matcher, isNegated: Bool) {
        let term = Term(field: field, isNegated: isNegated)
        if matchers[term] == nil { order.append(term) }
        matchers[term, default: []] += matcher.alternatives
    }

    /// Adds a word or phrase of the payload's text; several are *all of*.
    mutating func add(word: String, isNegated: Bool) {
        let matcher = Matcher.contains(word.lowercased())
        words.append(Filter.Condition(.key(.text), isNegated ? .not(matcher) : matcher))
    }

    var filter: Filter {
        let conditions = order.map { term in
            let alternatives = matchers[term, default: []]
            let matcher = alternatives.count == 1 ? alternatives[0] : .any(alternatives)
            return Filter.Condition(term.field, term.isNegated ? .not(matcher) : matcher)
        }
        return Filter(conditions + words)
    }
}

extension FilterField {
    /// A place in the `payload` or on the `screen`, by a pointer; `nil` for another document.
    init?(_ document: some StringProtocol, pointer text: some StringProtocol, at place: String) throws(InputError) {
        guard document == "payload" || document == "screen" else { return nil }
        let pointer = try JSONPointer(text, at: place)
        guard document == "screen" else {
            self = .payload(pointer)
            return
        }
        let known = FilterField.screenMemberNames
        if let name = pointer.steps.first, !known.contains(name) {
            throw .unknown("member of a notification", "/" + name, at: place, among: known.map { "/" + $0 })
        }
        self = .screen(pointer)
    }
}
