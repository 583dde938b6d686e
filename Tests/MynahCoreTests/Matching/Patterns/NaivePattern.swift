import MynahCore

/// A pattern as a tree, and all places at which a match of it can end: slow, and plain enough to be right.
indirect enum NaivePattern {
    case literal(Unicode.Scalar)
    case dot
    case oneOf([Unicode.Scalar], isNegated: Bool)
    case word(isNegated: Bool)
    case digit
    case space
    case start
    case end
    case boundary(isNegated: Bool)
    case sequence([NaivePattern])
    case either([NaivePattern])
    case repeated(NaivePattern, min: Int, max: Int?)

    /// The pattern in the syntax of regular expressions.
    var text: String {
        switch self {
        case .literal(let scalar): "-[]().*+?{}|^$\\".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
        case .dot: "."
        case .oneOf(let scalars, let isNegated): "[\(isNegated ? "^" : "")\(scalars.map { "\($0)" }.joined())]"
        case .word(let isNegated): isNegated ? "\\W" : "\\w"
        case .digit: "\\d"
        case .space: "\\s"
        case .start: "^"
        case .end: "$"
        case .boundary(let isNegated): isNegated ? "\\B" : "\\b"
        case .sequence(let parts): parts.map(\.text).joined()
        case .either(let parts): "(" + parts.map(\.text).joined(separator: "|") + ")"
        case .repeated(let part, let min, let max): "(" + part.text + ")" + NaivePattern.count(min, max)
        }
    }

    private static func count(_ min: Int, _ max: Int?) -> String {
        switch (min, max) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (_, nil): "{\(min),}"
        case (_, let max?): min == max ? "{\(min)}" : "{\(min),\(max)}"
        }
    }

    /// Whether a word boundary occurs, on which engines differ.
    var hasBoundary: Bool {
        switch self {
        case .boundary: true
        case .sequence(let parts), .either(let parts): parts.contains(where: \.hasBoundary)
        case .repeated(let part, _, _): part.hasBoundary
        default: false
        }
    }

    func matches(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return (0...scalars.count).contains { !ends(scalars, [$0]).isEmpty }
    }

    /// Where a match that begins at one of these places can end.
    private func ends(_ text: [Unicode.Scalar], _ starts: Set<Int>) -> Set<Int> {
        func reading(_ isRight: (Unicode.Scalar) -> Bool) -> Set<Int> {
            Set(starts.filter { $0 < text.count && isRight(text[$0]) }.map { $0 + 1 })
        }
        func isWord(_ place: Int) -> Bool { text.indices.contains(place) && NaivePattern.isWord(text[place]) }
        switch self {
        case .literal(let scalar): return reading { $0 == scalar }
        case .dot: return reading { !"\n\r\u{85}\u{2028}".unicodeScalars.contains($0) }
        case .oneOf(let scalars, let isNegated): return reading { scalars.contains($0) != isNegated }
        case .word(let isNegated): return reading { NaivePattern.isWord($0) != isNegated }
        case .digit: return reading { $0.properties.generalCategory == .decimalNumber }
        case .space: return reading { $0.properties.isWhitespace }
        case .start: return starts.filter { $0 == 0 }
        case .end: return starts.filter { $0 == text.count }
        case .boundary(let isNegated): return starts.filter { (isWord($0 - 1) != isWord($0)) != isNegated }
        case .sequence(let parts): return parts.reduce(starts) { $1.ends(text, $0) }
        case .either(let parts): return parts.reduce([]) { $0.union($1.ends(text, starts)) }
        case .repeated(let part, let min, let max):
            var places = starts
            for _ in 0..<min { places = part.ends(text, places) }
            var found = places
            for _ in 0..<(max ?? min + text.count + 1) - min {
                places = part.ends(text, places)
                found.formUnion(places)
            }
            return found
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || scalar.properties.canonicalCombiningClass != .notReordered
    }

    // MARK: - By chance

    static let scalars: [Unicode.Scalar] = ["a", "b", "B", "1", "-", " ", "\n", "é", "日", "_"]

    /// A text of a few scalars.
    static func text(_ random: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...9, using: &random) { text.append(scalar(&random)) }
        return String(text)
    }

    // The first two half of the time, so that something matches.
    private static func scalar(_ random: inout SeededGenerator) -> Unicode.Scalar {
        scalars[Int.random(in: 0..<(Bool.random(using: &random) ? 2 : scalars.count), using: &random)]
    }

    static func pattern(depth: Int, _ random: inout SeededGenerator) -> NaivePattern {
        switch Int.random(in: 0..<(depth == 0 ? 14 : 26), using: &random) {
        case 0..<6: return .literal(scalar(&random))
        case 6: return .dot
        case 7, 8:
            let scalars = (0...Int.random(in: 0...2, using: &random)).map { _ in scalar(&random) }
            return .oneOf(scalars.filter { $0 != "-" } + ["a"], isNegated: Bool.random(using: &random))
        case 9: return .word(isNegated: Bool.random(using: &random))
        case 10: return Bool.random(using: &random) ? .digit : .space
        case 11: return .start
        case 12: return .end
        case 13: return .boundary(isNegated: Bool.random(using: &random))
        case 14..<18:
            return .sequence(
                (0...Int.random(in: 0...3, using: &random)).map { _ in pattern(depth: depth - 1, &random) })
        case 18..<20:
            return .either((0...Int.random(in: 1...2, using: &random)).map { _ in pattern(depth: depth - 1, &random) })
        default:
            let min = Int.random(in: 0...2, using: &random)
            let max = Bool.random(using: &random) ? nil : min + Int.random(in: 0...3, using: &random)
            return .repeated(pattern(depth: depth - 1, &random), min: min, max: max)
        }
    }
}
