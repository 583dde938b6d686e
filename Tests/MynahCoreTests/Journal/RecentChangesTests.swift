import APNsRules
import Testing

@testable import MynahCore

@Suite("Recent changes of a journal")
struct RecentChangesTests {
    @Test("a reader that knows some changes gets the others")
    func told() {
        var changes = RecentChanges()
        let start = changes.count
        #expect(changes.sequences(since: start) == [])
        changes.record(7)
        changes.record(3)
        let middle = changes.count
        changes.record(7)
        #expect(changes.sequences(since: start) == [7, 3, 7])
        #expect(changes.sequences(since: middle) == [7])
        #expect(changes.sequences(since: changes.count) == [])
    }

    @Test("after too many changes or a removal, everything must be read again")
    func forgotten() {
        var changes = RecentChanges()
        let start = changes.count
        for number in 1...UInt64(RecentChanges.countMax) { changes.record(number) }
        #expect(changes.sequences(since: start)?.count == RecentChanges.countMax)
        changes.record(1)
        #expect(changes.sequences(since: start) == nil)
        #expect(changes.sequences(since: start + 1)?.last == 1)
        let before = changes.count
        changes.recordRemoval()
        #expect(changes.sequences(since: before) == nil)
        let after = changes.count
        changes.record(5)
        #expect(changes.sequences(since: after) == [5])
        #expect(changes.sequences(since: before) == nil)
    }

    @Test("any mixture of changes and removals agrees with a list of all", arguments: 0..<10 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var changes = RecentChanges()
        // For each count that a reader may know, the changes since.
        var readers: [(known: UInt64, isLost: Bool, since: [UInt64])] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                changes.recordRemoval()
                for index in readers.indices { readers[index].isLost = true }
            case 1: readers.append((changes.count, false, []))
            default:
                for _ in 0..<Int.random(in: 1..<200, using: &random) {
                    let number = UInt64.random(in: 1...9, using: &random)
                    changes.record(number)
                    for index in readers.indices { readers[index].since.append(number) }
                }
            }
            for reader in readers {
                let isLost = reader.isLost || reader.since.count > RecentChanges.countMax
                #expect(changes.sequences(since: reader.known) == (isLost ? nil : reader.since))
            }
        }
    }
}
