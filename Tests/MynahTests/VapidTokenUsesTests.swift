import APNsRules
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
        for number in 0..<VapidTokenUses.keysMax { uses.record(Self.use(number), of: Self.key(number)) }
        let kept = (VapidTokenUses.keysMax / 2..<VapidTokenUses.keysMax)
            .count { uses.last(of: Self.key($0)) == Self.use($0) }
        #expect(kept == VapidTokenUses.keysMax / 2)
        #expect(uses.last(of: Self.key(6000)) == nil)
        uses.record(Self.use(6000), of: Self.key(6000))
        uses.record(Self.use(7000), of: Self.key(6000))
        #expect(uses.last(of: Self.key(6000)) == Self.use(7000))
    }
}
