/// A set of Unicode scalars: ranges and whole kinds, or all others.
struct ScalarSet: Hashable {
    /// Ranges of scalar values, in order and apart from each other.
    private(set) var ranges: [ClosedRange<UInt32>]
    private let kinds: ScalarKinds
    private let isNegated: Bool

    init(_ ranges: [ClosedRange<UInt32>], kinds: ScalarKinds = [], isNegated: Bool = false) {
        self.ranges = ScalarSet.merged(ranges)
        self.kinds = kinds
        self.isNegated = isNegated
    }

    /// All scalars except the ends of lines.
    static let anyButLineEnd = ScalarSet([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029], isNegated: true)
    static let word = ScalarSet([], kinds: .word)

    /// Whether membership depends on more than the ranges.
    var namesKinds: Bool { !kinds.isEmpty }

    func contains(_ scalar: UInt32, _ kind: ScalarKind) -> Bool {
        let index = ranges.firstIndexInOrder { $0.upperBound >= scalar }
        let isInRanges = index < ranges.count && ranges[index].contains(scalar)
        return (kinds.contains(ScalarKinds(kind)) || isInRanges) != isNegated
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

/// What `\d`, `\w` and `\s` tell apart; every scalar is of one kind.
enum ScalarKind: UInt8, CaseIterable {
    case digit, wordNotDigit, space, other

    init(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        self =
            switch properties.generalCategory {
            case .decimalNumber: .digit
            case .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation:
                .wordNotDigit
            default: properties.isAlphabetic ? .wordNotDigit : properties.isWhitespace ? .space : .other
            }
    }
}

struct ScalarKinds: OptionSet, Hashable {
    let rawValue: UInt8
    init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ kind: ScalarKind) { self.init(rawValue: 1 << kind.rawValue) }
    static let digit = ScalarKinds(.digit)
    static let word: ScalarKinds = [digit, ScalarKinds(.wordNotDigit)]
    static let space = ScalarKinds(.space)
    static let all: ScalarKinds = [word, space, ScalarKinds(.other)]
}

/// Upper and lower case of single scalars.
enum LetterCase {
    /// The last scalar that has an upper and a lower case is below this.
    private static let end: UInt32 = 0x1_F000

    // The pairs of scalars that differ only in case, in both directions, some 3,000; made when the first pattern needs
    // them.
    private static let pairs: [(scalar: UInt32, variant: UInt32)] = {
        var pairs: [(scalar: UInt32, variant: UInt32)] = []
        for value in 0..<end {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            guard properties.changesWhenLowercased || properties.changesWhenUppercased else { continue }
            for mapped in [properties.lowercaseMapping, properties.uppercaseMapping] {
                let scalars = mapped.unicodeScalars
                guard let first = scalars.first, scalars.count == 1, first != scalar else { continue }
                pairs += [(value, first.value), (first.value, value)]
            }
        }
        return pairs
    }()

    /// The ranges with the other case of every letter in them.
    static func widened(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        guard let last = ranges.map(\.upperBound).max() else { return [] }
        var widened = ranges
        if last < 0x80 {
            for value in ranges.joined() where 0x41...0x5A ~= value || 0x61...0x7A ~= value {
                widened.append((value ^ 0x20)...(value ^ 0x20))
            }
            return widened
        }
        for pair in pairs where ranges.contains(where: { $0.contains(pair.scalar) }) {
            widened.append(pair.variant...pair.variant)
        }
        return widened
    }
}
