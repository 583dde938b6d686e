internal import APNsRules

extension Filter {
    /// Reads the filter keys of a URL, percent-decoded: `key=value`; the key again is *any of*, different keys are
    /// *all of*, `!key=value` is *not*, `key~=value` is *contains*, and `q` is a line as ``init(line:)`` reads it; the
    /// error for an unknown name also lists the names that the caller reads itself, `besides`.
    package init(
        parameters: [(name: String, value: String)], besides: [String] = [], of subject: FilterSubject = .pushes
    ) throws(InputError) {
        var terms = TermList()
        var lines = Filter()
        for (name, value) in parameters {
            if name == "q" {
                lines = lines.and(try Filter(line: value, of: subject))
                continue
            }
            let isNegated = name.hasPrefix("!")
            let key = isNegated ? String(name.dropFirst()) : name
            let known = FilterKey.names + ["q"] + besides.filter { $0 != "q" }
            try terms.add(key, value, isNegated: isNegated, at: name, known: known)
        }
        self = terms.filter.and(lines)
        // A contradiction is between two parameters, or within the line.
        let negated = parameters.first { $0.name.hasPrefix("!") }?.name
        let place = negated ?? parameters.first { $0.name == "q" }?.name ?? parameters.last?.name ?? "q"
        try checkPossible(subject, at: place, times: "until")
    }
}

/// The name of a filter in a URL, a line or a flag.
package struct FilterName {
    /// Stands behind a name whose field only has to contain the value, as in `topic~=example`.
    ///
    /// No key and no JSON pointer ends with it.
    package static let partMark: Character = "~"

    package let text: String
    package let isOfPart: Bool

    package init(_ name: some StringProtocol) {
        isOfPart = name.last == FilterName.partMark
        text = String(isOfPart ? name.dropLast() : name[...])
    }

    static func check(part: String, at field: String) throws(InputError) {
        guard part.isEmpty else { return }
        throw .mismatch(.string(part), at: field, expected: "a text: the empty one is a part of every text")
    }
}

/// Keys with their values, collected so that all values of one key are together.
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
        let name = FilterName(key)
        if let filterKey = FilterKey(rawValue: name.text) {
            let matcher =
                try name.isOfPart ? filterKey.partMatcher(value, at: field) : filterKey.matcher(value, at: field)
            return add(.key(filterKey), matcher, isNegated: isNegated)
        }
        let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        if let sign = name.text.last, "!<>".contains(sign), parts.count == 2 {
            let bare = name.text.dropLast()
            throw InputError(
                at: field,
                sign == "!"
                    ? "\(key) compares no values: expected !\(bare) and the value to exclude it"
                    : "\(key) compares no values: expected \(bare) and one value; gte and lte in JSON compare")
        }
        guard parts.count == 2, try add(parts[0], pointer: parts[1], value, isNegated: isNegated, at: field) else {
            throw .unknown(parameter: name.text, called: "filter", at: field, among: known)
        }
    }

    /// Adds a place in a document, by a pointer that may end with ``FilterName/partMark``; returns whether there is such a
    /// document.
    mutating func add(
        _ document: some StringProtocol, pointer: some StringProtocol, _ value: String, isNegated: Bool,
        at field: String
    ) throws(InputError) -> Bool {
        let name = FilterName(pointer)
        guard let document = FilterDocument(rawValue: String(document)) else { return false }
        let place = try FilterField(document, pointer: name.text, at: field)
        guard !name.text.isEmpty else {
            throw InputError(
                at: field,
                "\(document.rawValue) names no place: expected a pointer, as in \(document.facts.line)")
        }
        if name.isOfPart { try FilterName.check(part: value, at: field) }
        let readings = name.isOfPart ? Matcher.contains(value) : Matcher(text: value)
        add(place, try place.possible(readings, at: field), isNegated: isNegated)
        return true
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
    /// Whether the name of a payload's member is a path into `aps` that is written in another form.
    static func isPath(_ name: String) -> Bool {
        let steps = name.drop { "/$".contains($0) }.split { "./[".contains($0) }
        let isOfAPS = steps.first == "aps" && steps.count > 1 && apsNames.contains(String(steps[1]))
        return isOfAPS || name.hasPrefix("$.") || name.hasPrefix("$[")
    }

    /// The members of `aps` that filters name most often.
    private static let apsNames: Set<String> = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "content-state",
        "event", "timestamp", "interruption-level", "relevance-score",
    ]

    /// A place in a document, by a pointer.
    ///
    /// - Parameter isKept: Whether it was accepted before, so that a place is taken that would be refused now.
    init(
        _ document: FilterDocument, pointer text: some StringProtocol, isKept: Bool = false, at place: String
    ) throws(InputError) {
        let pointer = try JSONPointer(text, at: place)
        if !isKept { try FilterField.check(pointer, as: text, in: document, at: place) }
        self = .place(document, pointer)
    }

    /// Refuses a place that a document of its kind can't have.
    private static func check(
        _ pointer: JSONPointer, as text: some StringProtocol, in document: FilterDocument, at place: String
    ) throws(InputError) {
        if let schema = document.schema, let name = pointer.steps.first, schema[name] == nil {
            let owner = document == .screen ? "a notification" : document.rawValue
            throw .unknown("member of \(owner)", "/" + name, at: place, among: schema.names.map { "/" + $0 })
        }
        if document == .payload, let name = pointer.steps.first, FilterField.isPath(name) {
            throw InputError(
                at: place,
                "\"\(name)\" is no member of a payload: expected one step for each member, as in "
                    + JSONPointer.meant(by: String(text).replacing("~1", with: "/")))
        }
    }
}
