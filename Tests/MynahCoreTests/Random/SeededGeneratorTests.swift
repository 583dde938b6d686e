import MynahCore
import Testing

@Suite("Seeded randomness")
struct SeededGeneratorTests {
    @Test("a seed gives the same numbers on every machine")
    func determined() {
        // The first numbers of splitmix64 with seed 0, from its authors' reference implementation.
        var generator = SeededGenerator(seed: 0)
        #expect(
            (0..<3).map { _ in generator.next() } == [
                0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
            ])
    }

    @Test("a split depends on seed and purpose, not on what was drawn before")
    func split() {
        var used = SeededGenerator(seed: 7)
        _ = used.next()
        #expect(used.split(for: 3) == SeededGenerator(seed: 7).split(for: 3))
        #expect(used.split(for: 3) != used.split(for: 4))
        #expect(SeededGenerator(seed: 8).split(for: 3) != SeededGenerator(seed: 7).split(for: 3))
    }

    @Test("the splits of neighbouring purposes share no numbers")
    func independent() {
        let generator = SeededGenerator(seed: 1)
        var seen: Set<UInt64> = []
        for purpose in 0..<100 {
            var split = generator.split(for: UInt64(purpose))
            for _ in 0..<100 { seen.insert(split.next()) }
        }
        #expect(seen.count == 10_000)
    }

    @Test("nested splits differ by their purposes")
    func nested() {
        let generator = SeededGenerator(seed: 1)
        #expect(generator.split(for: 1).split(for: 2) != generator.split(for: 2).split(for: 1))
    }
}
