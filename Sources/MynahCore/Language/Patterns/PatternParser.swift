/// Reads a pattern; refuses what is not supported with its position and a way to write it.
struct PatternParser {
    /// The deepest nesting of groups.
    static let nestingMax = 50
    static let repetitionMax = 1000

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var ignoresCase: Bool

    init(_ text: String, ignoresCase: Bool) {
        scalars = Array(text.unicodeScalars)
        self.ignoresCase = ignoresCase
    }

    mutating func parse() throws(InputError) -> PatternNode {
        if consume("(?i)") { ignoresCase = true }
        let node = try alternatives(depth: 0)
        guard index == scalars.count else {
            throw error(#"")" closes no group: expected "(" before it, or "\)" for a parenthesis"#)
        }
        return node
    }

    // MARK: - Scalars

    private var next: Unicode.Scalar? { next(after: 0) }
    private func next(after offset: Int) -> Unicode.Scalar? { scalars[index...].dropFirst(offset).first }

    private mutating func consumeNext() -> Unicode.Scalar? {
        defer { if index < scalars.count { index += 1 } }
        return next
    }

    private mutating func consume(_ text: String) -> Bool {
        guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    private func error(_ problem: String, at place: Int? = nil) -> InputError {
        .pattern(at: (place ?? index) + 1, problem)
    }

    private func unsupported(_ what: String, at place: Int? = nil) -> InputError {
        error("\(what) is not supported: expected \(Pattern.supported)", at: place)
    }

    /// The scalars of these ranges, in both cases if case is ignored.
    private func set(_ ranges: [ClosedRange<UInt32>], kinds: ScalarKinds = [], isNegated: Bool = false) -> ScalarSet {
        ScalarSet(ignoresCase ? LetterCase.widened(ranges) : ranges, kinds: kinds, isNegated: isNegated)
    }

    // MARK: - Structure

    private mutating func alternatives(depth: Int) throws(InputError) -> PatternNode {
        var alternatives = [try sequence(depth: depth)]
        while consume("|") { alternatives.append(try sequence(depth: depth)) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func sequence(depth: Int) throws(InputError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" { nodes.append(try quantified(atom(depth: depth))) }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func atom(depth: Int) throws(InputError) -> PatternNode {
        if let quantifier = try quantifier() {
            throw error(
                #""\#(quantifier.text)" repeats nothing: expected something before it, or a backslash for the character"#,
                at: quantifier.start)
        }
        let start = index
        switch consumeNext() {
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

    private mutating func group(from start: Int, depth: Int) throws(InputError) -> PatternNode {
        guard depth < PatternParser.nestingMax else {
            throw error(
                "groups are nested too deep: expected at most \(PatternParser.nestingMax) inside each other", at: start)
        }
        if next == "?", !consume("?:") { throw unsupportedGroup(from: start) }
        let node = try alternatives(depth: depth + 1)
        guard consume(")") else {
            throw error(#""(" is not closed: expected ")" at the end, or "\(" for a parenthesis"#, at: start)
        }
        // A place between characters may be repeated in a group, where it does no harm.
        return .sequence([node])
    }

    private func unsupportedGroup(from start: Int) -> InputError {
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

    private mutating func quantified(_ node: PatternNode) throws(InputError) -> PatternNode {
        guard let quantifier = try quantifier() else { return node }
        if case .assertion = node {
            throw error(
                #""\#(quantifier.text)" repeats a place between characters: expected a character or group before it"#,
                at: quantifier.start)
        }
        if next == "+" { throw unsupported(#"the possessive quantifier "\#(quantifier.text)+""#, at: quantifier.start) }
        // Greedy or not, the same texts match.
        _ = consume("?")
        if let second = try self.quantifier() {
            throw error(
                #""\#(second.text)" follows another quantifier: expected at most one, or a group "(…)" around the first"#,
                at: second.start)
        }
        return .repetition(node, min: quantifier.min, max: quantifier.max, position: quantifier.start + 1)
    }

    private mutating func quantifier() throws(InputError) -> Quantifier? {
        let start = index
        let bounds: (min: Int, max: Int?)
        switch consumeNext() {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            // A brace that begins no count stands for itself, as in most engines: payloads are full of braces.
            let first = scalars[index...].first { $0 != " " }
            guard let first, first == "," || ("0"..."9").contains(first) else { fallthrough }
            bounds = try count(from: start)
        default:
            index = start
            return nil
        }
        let text = String(String.UnicodeScalarView(scalars[start..<index]))
        return Quantifier(min: bounds.min, max: bounds.max, start: start, text: text)
    }

    private mutating func count(from start: Int) throws(InputError) -> (min: Int, max: Int?) {
        let min = try number(from: start)
        let hasComma = consume(",")
        let max = hasComma ? try number(from: start) : min
        guard consume("}"), min != nil || max != nil else {
            throw error(#"a count is malformed: expected {2}, {2,}, {,3} or {2,3}, or "\{" for a brace"#, at: start)
        }
        if let min, let max, min > max {
            throw error("a count goes from \(min) to \(max): expected the smaller number first", at: start)
        }
        return (min ?? 0, max)
    }

    private mutating func number(from start: Int) throws(InputError) -> Int? {
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

    // MARK: - Escapes

    /// What a backslash begins, outside a class; the backslash has been read.
    private mutating func escape(from start: Int) throws(InputError) -> PatternNode {
        if consume("b") { return .assertion(.wordBoundary) }
        if consume("B") { return .assertion(.noWordBoundary) }
        switch try escaped(from: start) {
        case .value(let value): return .scalar(set([value...value]))
        case .kinds(let kinds): return .scalar(ScalarSet([], kinds: kinds))
        }
    }

    /// What a backslash stands for as one scalar.
    private enum Escaped {
        case value(UInt32)
        case kinds(ScalarKinds)
    }

    private mutating func escaped(from start: Int) throws(InputError) -> Escaped {
        guard let scalar = consumeNext() else {
            throw error(#"a backslash ends it: expected a character after that, or "\\" for a backslash"#, at: start)
        }
        switch scalar {
        case "d": return .kinds(.digit)
        case "D": return .kinds(.all.subtracting(.digit))
        case "w": return .kinds(.word)
        case "W": return .kinds(.all.subtracting(.word))
        case "s": return .kinds(.space)
        case "S": return .kinds(.all.subtracting(.space))
        case "t": return .value(0x09)
        case "n": return .value(0x0A)
        case "f": return .value(0x0C)
        case "r": return .value(0x0D)
        case "e": return .value(0x1B)
        case "x": return .value(try code(digits: 2, from: start))
        case "u": return .value(try code(digits: 4, from: start))
        case " "..."/", ":"..."@", "["..."`", "{"..."~": return .value(scalar.value)
        case "1"..."9", "k", "g": throw unsupported(#"the back-reference "\\#(scalar)""#, at: start)
        case "p", "P": throw unsupported(#"the Unicode property "\\#(scalar)""#, at: start)
        case "A", "z", "Z", "G": throw unsupported(#"the anchor "\\#(scalar)" (write ^ or $)"#, at: start)
        case "0"..."9", "a"..."z", "A"..."Z": throw unsupported(#"the escape "\\#(scalar)""#, at: start)
        default:
            throw error(
                "a backslash is before a character that needs none: expected the character alone, or \\u{…}", at: start)
        }
    }

    /// `\x41`, `\u0041`, or either with any number of digits in braces.
    private mutating func code(digits count: Int, from start: Int) throws(InputError) -> UInt32 {
        let isBraced = consume("{")
        var digits = ""
        while let scalar = next, scalar.properties.isASCIIHexDigit, isBraced || digits.count < count {
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        let isComplete = isBraced ? consume("}") : digits.count == count
        guard isComplete, let value = UInt32(digits, radix: 16), Unicode.Scalar(value) != nil else {
            throw error(
                #"a character's code is malformed: expected "\x41", "\u0041" or "\u{1F600}", not of a surrogate"#,
                at: start)
        }
        return value
    }

    // MARK: - Classes

    /// The set of scalars in square brackets; the opening bracket has been read.
    private mutating func scalarClass(from start: Int) throws(InputError) -> ScalarSet {
        let isNegated = consume("^")
        if next == "]" { throw error(#"a class is empty: expected a character before "]", or "\]" for a bracket"#) }
        var ranges: [ClosedRange<UInt32>] = []
        var kinds: ScalarKinds = []
        while !consume("]") {
            guard index < scalars.count else {
                throw error(#""[" is not closed: expected "]" at the end, or "\[" for a bracket"#, at: start)
            }
            let begin = index
            switch try member() {
            case .kinds(let more):
                kinds.formUnion(more)
                if isRange { throw error("a range begins with a class: expected a character, or \"\\-\" for a hyphen") }
            case .value(let low):
                guard isRange else {
                    ranges.append(low...low)
                    continue
                }
                index += 1
                guard case .value(let high) = try member(), low <= high else {
                    throw error(
                        #"a range does not end with a character above the one it begins with: expected such as a-z"#,
                        at: begin)
                }
                ranges.append(low...high)
            }
        }
        return set(ranges, kinds: kinds, isNegated: isNegated)
    }

    /// Whether a hyphen comes next that is not the last of its class.
    private var isRange: Bool { next == "-" && next(after: 1) != "]" }

    private mutating func member() throws(InputError) -> Escaped {
        let start = index
        guard let scalar = consumeNext() else { throw error(#"a class ends in a range: expected a character and "]""#) }
        switch scalar {
        case "\\":
            if next == "b" || next == "B" {
                throw unsupported(#"the boundary "\\#(next ?? "b")" in a class"#, at: start)
            }
            return try escaped(from: start)
        case "[":
            let what = next == ":" ? "a POSIX class" : "a class in a class"
            throw unsupported(#"\#(what) (write "\[" for a bracket)"#, at: start)
        case "&", "~", "-":
            if next == scalar { throw unsupported("the class operator \"\(scalar)\(scalar)\"", at: start) }
            return .value(scalar.value)
        default: return .value(scalar.value)
        }
    }
}

/// A part of a pattern as it was written.
indirect enum PatternNode {
    /// Matches one scalar of a set.
    case scalar(ScalarSet)
    case assertion(PatternAssertion)
    /// Matches the nodes one after the other; without any, the empty text.
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// `max` is `nil` for no limit; `position` is the quantifier's, for errors.
    case repetition(PatternNode, min: Int, max: Int?, position: Int)
}

/// What must hold between two scalars.
enum PatternAssertion {
    /// `^` and `$`
    case start, end
    /// `\b` and `\B`
    case wordBoundary, noWordBoundary
}
