import APNsRules
import MynahCore
import Testing

@testable import Mynah

@Suite("The tokens that application server keys used last")
struct VapidTokenUsesTests {
    private static func key(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
    private static func use(_ number: Int) -> VapidTokenUse {
        VapidTokenUse("\(number)", since: Instant(seconds: 0), expiresAt: Instant(seconds: 1))
    }

    @Test("of one key too many, the one that was not used for the longest time is forgotten")
    func forgetsTheOldest() {
        let uses = VapidTokenUses()
        for number in 0..<VapidTokenUses.keysMax { uses.note(Self.use(number), of: Self.key(number)) }
        #expect(uses.last(of: Self.key(0)) == Self.use(0))
        // Used again, so the next one is the oldest.
        uses.note(Self.use(5000), of: Self.key(0))
        uses.note(Self.use(6000), of: Self.key(6000))
        #expect(uses.last(of: Self.key(0)) == Self.use(5000))
        #expect(uses.last(of: Self.key(1)) == nil)
        let kept = (2..<VapidTokenUses.keysMax).count { uses.last(of: Self.key($0)) == Self.use($0) }
        #expect(kept == VapidTokenUses.keysMax - 2)
        #expect(uses.last(of: Self.key(6000)) == Self.use(6000))
    }

    @Test("a new key costs the same however many are remembered", arguments: [1, 2, 10, 1000])
    func cost(countMax: Int) {
        var values = RecentValues<Int, Int>(countMax: countMax)
        for number in 0..<countMax { values.set(number, of: number) }
        let before = values.touches
        for number in 0..<100 { values.set(number, of: countMax + number) }
        #expect(values.touches - before <= 100 * 5)
    }

    @Test("what is remembered is what was set last, after any order of sets")
    func order() {
        var random = SeededGenerator(seed: 1)
        var values = RecentValues<Int, Int>(countMax: 5)
        var expected: [(key: Int, value: Int)] = []
        for value in 0..<1000 {
            let key = Int.random(in: 0..<9, using: &random)
            values.set(value, of: key)
            expected.removeAll { $0.key == key }
            expected = (expected + [(key, value)]).suffix(5)
            for key in 0..<9 { #expect(values[key] == expected.first { $0.key == key }?.value) }
        }
    }
}
