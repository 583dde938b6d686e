import APNsRules
import Testing

@testable import MynahCore

/// A naive implementation of the journal: an array, searched from end to end.
private struct NaiveJournal {
    let bounds: JournalBounds
    var entries: [Entry] = []
    var arrived: Set<UInt64> = []
    var counters = JournalCounters()
    var givenUpThrough: UInt64 = 0
    // It only grows.
    private var watermarkBefore: UInt64 = 0

    init(bounds: JournalBounds) { self.bounds = bounds }

    mutating func append(_ entry: Entry) {
        watermarkBefore = watermark
        counters.received += 1
        if entry.status == 200 { counters.accepted += 1 } else if entry.status != nil { counters.refused += 1 }
        arrived.insert(entry.sequence)
        if entry.sequence <= givenUpThrough {
            counters.evicted += 1
            counters.evictedThrough = max(counters.evictedThrough, entry.sequence)
            return
        }
        var entry = entry
        if entry.hasOwnID, let same = entries.lastIndex(where: { $0.notificationID == entry.notificationID }) {
            entry.attempt = number(same, entry)
        }
        let place = (entries.lastIndex { $0.sequence < entry.sequence } ?? -1) + 1
        entries.insert(entry, at: place)
        evict()
    }

    private mutating func number(_ same: Int, _ entry: Entry) -> Int32 {
        if entries[same].sequence < entry.sequence { return entries[same].attempt + 1 }
        entries[same].attempt += 1
        return entries[same].attempt - 1
    }

    mutating func evict() {
        var cost = entries.map(\.cost).reduce(0, +)
        while entries.count > bounds.entriesMax || cost > bounds.bytesMax {
            let first = entries.removeFirst()
            cost -= first.cost
            counters.evicted += 1
            counters.evictedThrough = first.sequence
            givenUpThrough = max(givenUpThrough, first.sequence)
        }
    }

    mutating func remove(_ sequences: Set<UInt64>) {
        let before = entries.count
        entries.removeAll { sequences.contains($0.sequence) }
        counters.removed += UInt64(before - entries.count)
    }

    var watermark: UInt64 {
        var watermark = max(givenUpThrough, watermarkBefore)
        while arrived.contains(watermark + 1) { watermark += 1 }
        return watermark
    }

    func repeats(of entry: Entry) -> UInt64? {
        let before = visible.last {
            $0.sequence < entry.sequence && $0.token == entry.token && $0.body.elementsEqual(entry.body)
        }
        guard let before, abs(entry.receivedAt.milliseconds - before.receivedAt.milliseconds) <= 30_000 else {
            return nil
        }
        return before.sequence
    }

    var visible: [Entry] {
        let watermark = watermark
        return entries.filter { $0.sequence <= watermark }
    }
}

@Suite("The journal compared with a naive implementation")
struct JournalModelTests {
    @Test("random appends, updates, removals and resets agree", arguments: 0..<24)
    func agrees(round: UInt64) throws {
        let seed = 0x5EED_0000 + round
        var random = SeededGenerator(seed: seed)
        let bounds = JournalBounds(
            entriesMax: [1, 7, 100, 600][Int.random(in: 0..<4, using: &random)],
            bytesMax: Bool.random(using: &random) ? 20_000 : 1_000_000)
        var journal = Journal(bounds: bounds)
        var naive = NaiveJournal(bounds: bounds)
        var nextSequence: UInt64 = 1
        var inFlight: [Entry] = []
        for step in 0..<900 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<16:
                while inFlight.count < 3 {
                    inFlight.append(entry(nextSequence, &random))
                    nextSequence += 1
                }
                let next = inFlight.remove(at: min(2, Int.random(in: 0..<8, using: &random) / 3))
                let watermark = journal.watermark
                let waiter = journal.register(.watermark(atLeast: next.sequence))
                let due = journal.append(next).due
                naive.append(next)
                #expect(due.isEmpty == (waiter == nil || journal.watermark < next.sequence), "seed \(seed)")
                #expect(journal.watermark >= watermark, "seed \(seed)")
                if let waiter, due.isEmpty { journal.cancel(waiter) }
            case 16, 17:
                let sequence = UInt64.random(in: 1...nextSequence, using: &random)
                let found = journal.update(sequence) { $0.outcome = .expired }
                let index = naive.entries.firstIndex { $0.sequence == sequence }
                #expect((found != nil) == (index != nil), "seed \(seed)")
                if let index { naive.entries[index].outcome = .expired }
                _ = journal.findRepeats(countMax: 7)
            case 18:
                let from = UInt64.random(in: 1...nextSequence, using: &random)
                let sequences = Set(from..<from + UInt64.random(in: 1...9, using: &random))
                _ = journal.remove(sequences)
                naive.remove(sequences)
            default:
                guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
                _ = journal.reset()
                naive.entries = []
                naive.counters = JournalCounters()
            }
            naive.counters.size = naive.entries.count
            naive.counters.bytes = naive.entries.map(\.cost).reduce(0, +)
            try #require(journal.brokenInvariants() == [], "seed \(seed), step \(step)")
            try #require(journal.counters == naive.counters, "seed \(seed), step \(step)")
            try #require(journal.watermark == naive.watermark, "seed \(seed), step \(step)")
        }
        // Once as found during the run, which may name pushes that were evicted since, and once anew.
        while !journal.findRepeats(countMax: 16) {}
        let oldest = naive.visible.first?.sequence ?? 0
        for entry in journal.entries(after: 0, limit: .max).entries {
            let repeats = entry.repeats.flatMap { $0 < oldest ? nil : $0 }
            #expect(repeats == naive.repeats(of: entry), "seed \(seed)")
        }
        let read = journal.entries(after: 0, limit: .max).entries
        let expected = naive.visible
        #expect(read.map(\.sequence) == expected.map(\.sequence), "seed \(seed)")
        #expect(read.map(\.attempt) == expected.map(\.attempt), "seed \(seed)")
        #expect(read.map(\.outcome) == expected.map(\.outcome), "seed \(seed)")
        #expect(journal.entries(before: .max, limit: .max).entries.map(\.sequence) == read.map(\.sequence).reversed())
        for entry in naive.entries {
            let newest = naive.entries.last { $0.notificationID == entry.notificationID }
            #expect(journal.newestEntry(entry.notificationID)?.sequence == newest?.sequence, "seed \(seed)")
        }
    }

    private func entry(_ sequence: UInt64, _ random: inout SeededGenerator) -> Entry {
        let ownID =
            Bool.random(using: &random)
            ? "00000000-0000-0000-0000-00000000000\(Int.random(in: 0..<9, using: &random))" : nil
        return Entry.made(
            sequence, at: Int64(sequence) * 2000,
            token: Bool.random(using: &random) ? Entry.aToken : Entry.anotherToken, id: ownID,
            body: String(repeating: "x", count: Int.random(in: 0..<6, using: &random) * 40),
            status: [200, 400, nil][Int.random(in: 0..<3, using: &random)])
    }
}
