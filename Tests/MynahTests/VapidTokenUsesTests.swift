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

    @Test("the keys that were used last are remembered, at least half of those that may be")
    func remembersTheLast() {
        let uses = VapidTokenUses()
        for number in 0..<VapidTokenUses.keysMax { uses.note(Self.use(number), of: Self.key(number)) }
        let kept = (VapidTokenUses.keysMax / 2..<VapidTokenUses.keysMax)
            .count { uses.last(of: Self.key($0)) == Self.use($0) }
        #expect(kept == VapidTokenUses.keysMax / 2)
        #expect(uses.last(of: Self.key(6000)) == nil)
        uses.note(Self.use(6000), of: Self.key(6000))
        uses.note(Self.use(7000), of: Self.key(6000))
        #expect(uses.last(of: Self.key(6000)) == Self.use(7000))
    }

    @Test("no more values are kept than may be", arguments: [2, 3, 10, 1000])
    func bound(countMax: Int) {
        var values = RecentValues<Int, Int>(countMax: countMax)
        for number in 0..<5 * countMax {
            values.use(number, orNew: number) { _ in }
            #expect(values.count <= countMax)
            #expect(values[number] == number)
        }
    }

    @Test("a value stays while its key is among those that were used last, after any order of uses")
    func order() {
        var random = SeededGenerator(seed: 1)
        var values = RecentValues<Int, Int>(countMax: 6)
        var lastUsed: [(key: Int, value: Int)] = []
        for value in 0..<1000 {
            let key = Int.random(in: 0..<9, using: &random)
            if Int.random(in: 0..<20, using: &random) == 0 {
                values.remove(key)
                #expect(values[key] == nil)
                lastUsed.removeAll { $0.key == key }
                continue
            }
            values.use(key, orNew: value) { $0 = value }
            lastUsed.removeAll { $0.key == key }
            lastUsed = (lastUsed + [(key, value)]).suffix(3)
            for known in lastUsed { #expect(values[known.key] == known.value) }
        }
    }
}
