/// Reads a pattern; refuses what is not supported with its position and a way to write it.
struct PatternParser {
    /// How deep groups may be nested.
    static let nestingMax = 50
    /// The most that a counted repetition may ask for.
    static let repetitionMax = 1000

    let scalars: [Unicode.Scalar]
    /// The index of the scalar to be read next.
    var index = 0
    private(set) var ignoresCase: Bool

    init(_ text: String, ignoresCase: Bool) {
        self.scalars = Array(text.unicodeScalars)
        self.ignoresCase = ignoresCase
    }

    /// The whole pattern.
    mutating func parse() throws(PatternError) -> PatternNode {
        if takes("(?i)") { ignoresCase = true }
        let node = try alternatives(depth: 0)
        guard index == scalars.count else {
            throw error(#"")" closes no group: expected "(" before it, or "\)" for a parenthesis"#)
        }
        return node
    }

    // MARK: - Scalars

    var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    func next(after offset: Int) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    mutating func take() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        index += 1
        return scalar
    }

    mutating func takes(_ text: String) -> Bool {
        guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    /// An error at an index, by default at what is read next.
    func error(_ problem: String, at place: Int? = nil) -> PatternError {
        PatternError(position: (place ?? index) + 1, problem: problem)
    }

    /// An error about syntax that other engines know.
    func unsupported(_ what: String, at place: Int? = nil) -> PatternError {
        error("\(what) is not supported: expected \(PatternError.supported)", at: place)
    }

    /// The scalars of these ranges, in both cases where case is ignored.
    func set(
        _ ranges: [ClosedRange<UInt32>], kinds: ScalarKinds = [], isNegated: Bool = false
    ) -> ScalarSet {
        ScalarSet(ignoresCase ? LetterCase.widened(ranges) : ranges, kinds: kinds, isNegated: isNegated)
    }

    // MARK: - Structure

    private mutating func alternatives(depth: Int) throws(PatternError) -> PatternNode {
        var alternatives = [try sequence(depth: depth)]
        while takes("|") { alternatives.append(try sequence(depth: depth)) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func sequence(depth: Int) throws(PatternError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let node = try atom(depth: depth)
            nodes.append(try quantified(node))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func atom(depth: Int) throws(PatternError) -> PatternNode {
        if let quantifier = try quantifier() {
            throw error(
                #""\#(quantifier.text)" repeats nothing: expected something before it, or a backslash for the character"#,
                at: quantifier.start)
        }
        let start = index
        switch take() {
        case "(": return try group(from: start, depth: depth)
        case "[": return .scalar(try scalarClass(from: start))
        case ".": return .scalar(.anyButLineEnd)
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "\\": return try escape(from: start)
        case let scalar?: return .scalar(set([scalar.value...scalar.value]))
        case nil: return .sequence([])
        }
    }

    private mutating func group(from start: Int, depth: Int) throws(PatternError) -> PatternNode {
        guard depth < PatternParser.nestingMax else {
            throw error(
                "groups are nested too deep: expected at most \(PatternParser.nestingMax) inside each other",
                at: start)
        }
        if next == "?", !takes("?:") { throw unsupportedGroup(from: start) }
        let node = try alternatives(depth: depth + 1)
        guard takes(")") else {
            throw error(#""(" is not closed: expected ")" at the end, or "\(" for a parenthesis"#, at: start)
        }
        // A place between characters may be repeated in a group, where it does no harm.
        return .sequence([node])
    }

    private func unsupportedGroup(from start: Int) -> PatternError {
        let second = next(after: 2)
        let what =
            switch next(after: 1) {
            case "=": #"the look-ahead "(?=""#
            case "!": #"the look-ahead "(?!""#
            case "<" where second == "=" || second == "!": #"the look-behind "(?<""#
            case ">": #"the atomic group "(?>""#
            case "P" where second == "=": #"the back-reference "(?P=""#
            case "P" where second == ">": "recursion"
            case "R", "&", "+", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": "recursion"
            case "<", "P", "'": "a group with a name"
            case "(": #"the condition "(?(""#
            case "#": #"the comment "(?#""#
            default: #""(?" with anything but ":", or "i)" at the front,"#
            }
        return unsupported(what, at: start)
    }

    // MARK: - Quantifiers

    private struct Quantifier {
        let min: Int
        let max: Int?
        let start: Int
        let text: String
    }

    private mutating func quantified(_ node: PatternNode) throws(PatternError) -> PatternNode {
        guard let quantifier = try quantifier() else { return node }
        if case .assertion = node {
            throw error(
                #""\#(quantifier.text)" repeats a place between characters: expected a character or group before it"#,
                at: quantifier.start)
        }
        if next == "+" { throw unsupported(#"the possessive quantifier "\#(quantifier.text)+""#, at: quantifier.start) }
        // Greedy or not, the same texts match.
        _ = takes("?")
        if let second = try self.quantifier() {
            throw error(
                #""\#(second.text)" follows another quantifier: expected at most one, or a group "(…)" around the first"#,
                at: second.start)
        }
        return .repetition(node, min: quantifier.min, max: quantifier.max, position: quantifier.start + 1)
    }

    private mutating func quantifier() throws(PatternError) -> Quantifier? {
        let start = index
        let bounds: (min: Int, max: Int?)
        switch next {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            // As in most engines, a brace that begins no count stands for itself: payloads are full of them.
            let first = scalars[(index + 1)...].first { $0 != " " }
            guard let first, first == "," || ("0"..."9").contains(first) else { return nil }
            bounds = try count()
            return Quantifier(min: bounds.min, max: bounds.max, start: start, text: text(from: start))
        default: return nil
        }
        index += 1
        return Quantifier(min: bounds.min, max: bounds.max, start: start, text: text(from: start))
    }

    private func text(from start: Int) -> String {
        String(String.UnicodeScalarView(scalars[start..<index]))
    }

    private mutating func count() throws(PatternError) -> (min: Int, max: Int?) {
        let start = index
        index += 1
        let min = try number(from: start)
        let hasComma = takes(",")
        let max = hasComma ? try number(from: start) : min
        guard takes("}"), min != nil || max != nil else {
            throw error(#"a count is malformed: expected {2}, {2,}, {,3} or {2,3}, or "\{" for a brace"#, at: start)
        }
        if let min, let max, min > max {
            throw error("a count goes from \(min) to \(max): expected the smaller number first", at: start)
        }
        return (min ?? 0, max)
    }

    private mutating func number(from start: Int) throws(PatternError) -> Int? {
        var number: Int?
        while let digit = next?.value, (0x30...0x39).contains(digit) {
            let value = (number ?? 0) * 10 + Int(digit - 0x30)
            guard value <= PatternParser.repetitionMax else {
                throw error("a count is too high: expected at most \(PatternParser.repetitionMax)", at: start)
            }
            number = value
            index += 1
        }
        return number
    }
}
