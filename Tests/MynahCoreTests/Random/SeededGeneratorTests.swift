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

/// What is drawn from a seed is part of what a server promises (`Documents#Reset`).
@Suite("Draws from seeded randomness")
struct SeededDrawTests {
    @Test("a number of a range is fixed for a seed")
    func numbers() {
        var generator = SeededGenerator(seed: 0)
        #expect((0..<3).map { _ in generator.number(in: 0...9) } == [8, 4, 0])
        #expect((0..<3).map { _ in generator.number(in: -3...3) } == [3, -3, -1])
        #expect((0..<3).map { _ in generator.number(in: 1...1_000_000) } == [173_868, 771_547, 245_689])
    }

    @Test("a range may have one number, or all")
    func extremes() {
        var generator = SeededGenerator(seed: 0)
        var words = SeededGenerator(seed: 0)
        #expect(generator.number(in: 5...5) == 5)
        _ = words.next()
        #expect(generator.number(in: .min ... .max) == Int64(bitPattern: words.next()))
    }

    @Test("no number of a range is more likely than another")
    func isUnbiased() {
        var generator = SeededGenerator(seed: 3)
        var counts = [0, 0, 0, 0, 0, 0]
        for _ in 0..<6000 { counts[Int(generator.number(in: 0...5))] += 1 }
        #expect(counts.allSatisfy { abs($0 - 1000) < 130 })
        // Three quarters of all words, of which every third would come twice if no word were drawn again.
        let lowest: Int64 = -(1 << 62)
        var remainders: [UInt64: Int] = [:]
        for _ in 0..<3000 {
            remainders[UInt64(bitPattern: generator.number(in: lowest...(.max)) &- lowest) % 3, default: 0] += 1
        }
        #expect(remainders.count == 3 && remainders.values.allSatisfy { abs($0 - 1000) < 130 })
    }

    @Test("a fraction is below 1, and fixed for a seed")
    func fractions() {
        var generator = SeededGenerator(seed: 0)
        let drawn = (0..<3).map { _ in generator.fraction() }
        #expect(drawn == [0.020535221540219584, 0.7693379553485884, 0.13636422164032946])
        #expect((0..<1000).allSatisfy { _ in (0..<1).contains(generator.fraction()) })
    }

    @Test("a byte is fixed for a seed")
    func bytes() {
        var generator = SeededGenerator(seed: 0)
        #expect((0..<3).map { _ in generator.byte() } == [0xAF, 0xF4, 0x4F])
    }
}
