/// Random numbers determined by a seed, which can be split into independent streams, by splitmix64 (Steele, Lea, Flood:
/// "Fast splittable pseudorandom number generators", OOPSLA 2014); not for secrets.
package struct SeededGenerator: RandomNumberGenerator, Sendable, Equatable {
    private var state: UInt64
    private let seed: UInt64

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return SeededGenerator.mixed(state)
    }

    /// Returns the stream for one connection, rule or device; it depends on the seed and on `purpose` alone, not on
    /// what was drawn, so that other connections do not change a rule's choices.
    package func split(for purpose: UInt64) -> SeededGenerator {
        // Mixed twice, so that the streams of neighbouring purposes do not overlap shifted by a few draws.
        let salt = SeededGenerator.mixed(purpose &+ 0x6a09_e667_f3bc_c909)
        return SeededGenerator(seed: SeededGenerator.mixed(seed ^ salt) &+ salt)
    }

    /// A number of a range, all equally likely (Lemire: "Fast random integer generation in an interval", 2019).
    ///
    /// This and the other draws are written out, because the standard library may change how its own use a generator,
    /// and a seed has to make the same choices with each version.
    package mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        let count = UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1
        // The range has all 2^64 numbers, so its count is 0 here.
        guard count > 0 else { return Int64(bitPattern: next()) }
        var product = next().multipliedFullWidth(by: count)
        if product.low < count {
            // So many of the 2^64 words would make some numbers more likely than others.
            let excess = (0 &- count) % count
            while product.low < excess { product = next().multipliedFullWidth(by: count) }
        }
        return range.lowerBound &+ Int64(bitPattern: product.high)
    }

    /// A multiple of 2^-53 from 0 to below 1, all equally likely.
    package mutating func fraction() -> Double { Double(next() & (1 << 53 - 1)) * 0x1p-53 }
    /// A byte, all equally likely.
    package mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }
}

extension SeededGenerator {
    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }
}

extension SeededGenerator: ByteRecord {
    package static let members = ByteMembers({ SeededGenerator(state: $1.number, seed: $0.number) }) {
        (Fixed($0.seed), Fixed($0.state))
    }
}
