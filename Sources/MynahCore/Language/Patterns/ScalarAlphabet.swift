/// The classes of scalars that a pattern distinguishes: the input alphabet of its automaton.
struct ScalarAlphabet {
    /// The class of each ASCII scalar.
    let ascii: [UInt8]
    /// How many classes there are.
    let count: Int
    // The sets that each class of scalars belongs to.
    private let memberships: [Membership]
    // Beyond ASCII: the first value of each run in which scalars of one kind have one class, and those classes.
    private let runs: [UInt32]
    private let classes: [UInt8]
    // The classes of one run: one, or one for each kind.
    private let kindCount: Int

    /// Sets by their numbers, a bit for each.
    private typealias Membership = SIMD4<UInt64>

    /// Divides all scalars by the sets that they are in; throws if there are more classes than a byte can tell apart.
    init(_ sets: [ScalarSet]) throws(InputError) {
        let kinds = sets.contains(where: \.namesKinds) ? ScalarKind.allCases : [.other]
        var numbers: [Membership: UInt8] = [:]
        var memberships: [Membership] = []
        func number(_ scalar: UInt32, _ kind: ScalarKind) throws(InputError) -> UInt8 {
            var membership = Membership()
            for (number, set) in sets.enumerated() where set.contains(scalar, kind) {
                membership[number / 64] |= 1 << UInt64(number % 64)
            }
            if let known = numbers[membership] { return known }
            guard let number = UInt8(exactly: memberships.count) else { throw .complexPattern() }
            numbers[membership] = number
            memberships.append(membership)
            return number
        }
        var ascii: [UInt8] = []
        for value in UInt8(0)..<0x80 {
            let kind = kinds.count == 1 ? .other : ScalarKind(Unicode.Scalar(value))
            ascii.append(try number(UInt32(value), kind))
        }
        let bounds = sets.flatMap { $0.ranges.flatMap { [$0.lowerBound, $0.upperBound + 1] } }
        let runs = Set(bounds.filter { $0 > 0x80 && $0 <= 0x10_FFFF } + [0x80]).sorted()
        var classes: [UInt8] = []
        for run in runs { for kind in kinds { classes.append(try number(run, kind)) } }
        self.ascii = ascii
        self.memberships = memberships
        self.runs = runs
        self.classes = classes
        count = memberships.count
        kindCount = kinds.count
    }

    /// Whether the scalars of a class are in the set with this number.
    func isIn(_ set: Int, _ classID: Int) -> Bool { memberships[classID][set / 64] & 1 << UInt64(set % 64) != 0 }

    func classID(of value: UInt32) -> UInt8 {
        classID(of: value, kindCount > 1 ? Unicode.Scalar(value).map { ScalarKind($0) } ?? .other : .other)
    }

    /// The class of a scalar beyond ASCII whose kind is known.
    func classID(of value: UInt32, _ kind: ScalarKind) -> UInt8 {
        let run = runs.firstIndexInOrder { $0 > value } - 1
        return classes[kindCount > 1 ? run * kindCount + Int(kind.rawValue) : run]
    }

    /// The ASCII characters of a class, when it has no others.
    func asciiMembers(of classID: Int) -> [UInt8]? {
        guard !classes.contains(where: { Int($0) == classID }) else { return nil }
        return (UInt8(0)..<0x80).filter { Int(ascii[Int($0)]) == classID }
    }

    var byteCount: Int { ascii.count + runs.count * 4 + classes.count + memberships.count * 32 }
}
