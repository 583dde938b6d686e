import MynahCore
import Testing

@testable import Mynah

@Suite("The memory that evicted pushes leave")
struct EvictedMemoryTests {
    private let bounds = JournalBounds(bytesMax: 6_400_000)

    @Test("is looked at when the journal is full, and again when a sixty-fourth of it was evicted")
    func looks() {
        let size = 128_000
        var memory = EvictedMemory(bounds)
        let due = (UInt64(0)...4001).filter { memory.isLookDue(evicted: $0, size: size) }
        #expect(due == [1, 2001, 4001])
    }

    @Test("is not looked at more often in a small journal", arguments: [0, 100])
    func smallJournal(size: Int) {
        var memory = EvictedMemory(bounds)
        let due = (UInt64(0)...2049).filter { memory.isLookDue(evicted: $0, size: size) }
        #expect(due == [1, 1025, 2049])
    }

    @Test("is looked at again after a reset, even if one push evicts several")
    func reset() {
        var memory = EvictedMemory(bounds)
        let due = [50_000, 0, 3, 4].map { memory.isLookDue(evicted: $0, size: 32_000) }
        #expect(due == [true, false, true, false])
    }

    @Test("may make the process grow by a sixty-fourth of the journal, or by what is still in use")
    func growth() {
        var memory = EvictedMemory(bounds)
        func areTooMuch(_ sizes: Int...) -> [Bool] { sizes.map { memory.isTooMuch($0) } }
        #expect(areTooMuch(9_000_000, 9_100_000, 9_100_001) == [false, false, true])
        memory.gaveBack(leaving: 8_000_000)
        #expect(areTooMuch(9_100_000, 9_200_000) == [false, true])
        memory.gaveBack(leaving: 9_200_000)
        #expect(areTooMuch(9_300_000, 9_300_001) == [false, true])
    }
}
