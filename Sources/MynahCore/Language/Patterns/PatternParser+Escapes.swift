extension PatternParser {
    // MARK: - Escapes

    /// What a backslash begins, outside a class; the backslash has been read.
    mutating func escape(from start: Int) throws(PatternError) -> PatternNode {
        switch next {
        case "b":
            index += 1
            return .assertion(.wordBoundary)
        case "B":
            index += 1
            return .assertion(.noWordBoundary)
        default:
            switch try escaped(from: start) {
            case .value(let value): return .scalar(set([value...value]))
            case .kinds(let kinds): return .scalar(ScalarSet([], kinds: kinds))
            }
        }
    }

    /// What a backslash stands for as one scalar.
    private enum Escaped {
        case value(UInt32)
        case kinds(ScalarKinds)
    }

    private mutating func escaped(from start: Int) throws(PatternError) -> Escaped {
        guard let scalar = take() else {
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
    private mutating func code(digits count: Int, from start: Int) throws(PatternError) -> UInt32 {
        let isBraced = takes("{")
        var digits = ""
        while let scalar = next, scalar.properties.isASCIIHexDigit, isBraced || digits.count < count {
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        let isComplete = isBraced ? takes("}") : digits.count == count
        guard isComplete, let value = UInt32(digits, radix: 16), Unicode.Scalar(value) != nil else {
            throw error(
                #"a character's code is malformed: expected "\x41", "\u0041" or "\u{1F600}", not of a surrogate"#,
                at: start)
        }
        return value
    }

    // MARK: - Classes

    /// What stands in square brackets; the opening one has been read.
    mutating func scalarClass(from start: Int) throws(PatternError) -> ScalarSet {
        let isNegated = takes("^")
        if next == "]" {
            throw error(#"a class is empty: expected a character before "]", or "\]" for a bracket"#)
        }
        var ranges: [ClosedRange<UInt32>] = []
        var kinds: ScalarKinds = []
        while !takes("]") {
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

    private mutating func member() throws(PatternError) -> Escaped {
        let start = index
        guard let scalar = take() else {
            throw error(#"a class ends in a range: expected a character and "]""#)
        }
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
