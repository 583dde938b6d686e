import APNsRules
import Testing

@testable import MynahCore

@Suite("The journal")
struct JournalTests {
    @Test("an entry that arrives in order is seen at once")
    func inOrder() {
        var journal = Journal()
        for sequence in 1...2 {
            let appended = journal.append(.made(UInt64(sequence)))
            #expect(appended.due == [])
            #expect(!appended.isFirstEviction)
        }
        #expect(journal.watermark == 2)
        #expect(journal.entries(after: 0, limit: 10).entries.map(\.sequence) == [1, 2])
        #expect(journal.brokenInvariants() == [])
    }

    @Test("an entry is listed only after all lower numbers have arrived")
    func outOfOrder() {
        var journal = Journal()
        _ = journal.append(.made(2))
        #expect(journal.watermark == 0)
        #expect(journal.entries(after: 0, limit: 10).entries.isEmpty)
        #expect(journal.entry(2)?.sequence == 2)
        _ = journal.append(.made(1))
        #expect(journal.watermark == 2)
        #expect(journal.entries(after: 0, limit: 10).entries.map(\.sequence) == [1, 2])
    }

    @Test("a skipped number no longer hides later entries")
    func skipped() {
        var journal = Journal()
        _ = journal.append(.made(2))
        _ = journal.skip(1)
        #expect(journal.watermark == 2)
        #expect(journal.entries(after: 0, limit: 10).entries.map(\.sequence) == [2])
        #expect(journal.brokenInvariants() == [])
    }

    @Test("the count of entries is bounded, the oldest is evicted, and the first eviction is reported")
    func bounds() {
        var journal = Journal(bounds: JournalBounds(entriesMax: 2))
        #expect(journal.append(.made(1)).isFirstEviction == false)
        #expect(journal.append(.made(2)).isFirstEviction == false)
        #expect(journal.append(.made(3)).isFirstEviction)
        #expect(journal.append(.made(4)).isFirstEviction == false)
        #expect(journal.entries(after: 0, limit: 10).entries.map(\.sequence) == [3, 4])
        #expect(journal.counters.evicted == 2)
        #expect(journal.counters.evictedThrough == 2)
        #expect(journal.counters.received == 4)
        #expect(journal.brokenInvariants() == [])
    }

    @Test("bytes are bounded, and an entry larger than the bound is counted and evicted")
    func byteBound() {
        let cost = Entry.made(1).cost
        var journal = Journal(bounds: JournalBounds(bytesMax: 2 * cost))
        for sequence in 1...3 { _ = journal.append(.made(UInt64(sequence))) }
        #expect(journal.counters.size == 2)
        #expect(journal.counters.bytes == 2 * cost)
        _ = journal.append(.made(4, body: String(repeating: "x", count: 2 * cost)))
        #expect(journal.counters.size == 0)
        #expect(journal.counters.evictedThrough == 4)
        #expect(journal.watermark == 4)
        #expect(journal.brokenInvariants() == [])
    }

    @Test("with a bound of 0 everything is counted and nothing kept")
    func countersOnly() {
        var journal = Journal(bounds: JournalBounds(entriesMax: 0))
        #expect(journal.append(.made(1)).isFirstEviction)
        _ = journal.append(.made(2, refusal: Refusal(.badTopic, "")))
        #expect(journal.counters.received == 2)
        #expect(journal.counters.accepted == 1)
        #expect(journal.counters.refused == 1)
        #expect(journal.counters.evictedThrough == 2)
        #expect(journal.watermark == 2)
        #expect(journal.entries(after: 0, limit: 10).entries.isEmpty)
        #expect(journal.update(1) { $0.outcome = .stored } == nil)
        #expect(journal.brokenInvariants() == [])
    }

    @Test("numbering continues after the last number of an earlier run")
    func continued() {
        var journal = Journal(lastSequence: 4711)
        #expect(journal.watermark == 4711)
        _ = journal.append(.made(4712))
        #expect(journal.watermark == 4712)
        #expect(journal.entries(after: 0, limit: 10).entries.map(\.sequence) == [4712])
    }

    @Test("a number far beyond the missing ones gives them up")
    func leap() {
        var journal = Journal(bounds: JournalBounds(entriesMax: 10))
        _ = journal.append(.made(1))
        _ = journal.append(.made(1_000_000_000))
        #expect(journal.watermark == 1_000_000_000)
        #expect(journal.counters.evictedThrough == 1)
        #expect(journal.brokenInvariants() == [])
    }

    @Test("an entry older than evicted ones is counted as evicted")
    func late() {
        var journal = Journal(bounds: JournalBounds(entriesMax: 1))
        _ = journal.append(.made(2))
        _ = journal.append(.made(3))
        _ = journal.append(.made(1))
        #expect(journal.counters.evicted == 2)
        #expect(journal.counters.evictedThrough == 2)
        #expect(journal.entries(after: 0, limit: 10).entries.map(\.sequence) == [3])
        #expect(journal.brokenInvariants() == [])
    }

    @Test("reading goes on from a number, in either direction, in pieces")
    func reading() {
        var journal = Journal()
        for sequence in 1...10 { _ = journal.append(.made(UInt64(sequence))) }
        _ = journal.append(.made(12))
        _ = journal.remove([4, 5])
        #expect(journal.entries(after: 2, limit: 3).entries.map(\.sequence) == [3, 6, 7])
        #expect(journal.entries(after: 7, limit: 30).entries.map(\.sequence) == [8, 9, 10])
        #expect(journal.entries(after: 10, limit: 30).entries.isEmpty)
        #expect(journal.entries(after: .max, limit: 30).entries.isEmpty)
        #expect(journal.entries(before: .max, limit: 2).entries.map(\.sequence) == [10, 9])
        #expect(journal.entries(before: 7, limit: 3).entries.map(\.sequence) == [6, 3, 2])
        #expect(journal.entries(before: 1, limit: 3).entries.isEmpty)
        #expect(journal.entries(before: 0, limit: 3).entries.isEmpty)
    }

    @Test("removed entries don't count as evicted, and entries that they hid are found again")
    func removal() throws {
        var journal = Journal()
        _ = journal.append(.made(1, id: Entry.anID))
        _ = journal.append(.made(2, id: Entry.anID))
        _ = journal.append(.made(3))
        let id = try #require(NotificationID(Entry.anID))
        #expect(journal.newestEntry(id)?.sequence == 2)
        #expect(journal.remove([2, 2, 77]).removed == 1)
        #expect(journal.newestEntry(id)?.sequence == 1)
        #expect(journal.counters.removed == 1)
        #expect(journal.counters.evictedThrough == 0)
        #expect(journal.remove([1, 3]).removed == 2)
        #expect(journal.newestEntry(id) == nil)
        #expect(journal.counters.size == 0)
        #expect(journal.counters.bytes == 0)
        #expect(journal.brokenInvariants() == [])
    }

    @Test("a reset counts from zero, but numbers go on and a push on its way still arrives")
    func reset() {
        var journal = Journal()
        for sequence in [1, 2, 4] { _ = journal.append(.made(UInt64(sequence))) }
        #expect(journal.reset().removed == 3)
        #expect(journal.counters == JournalCounters())
        #expect(journal.watermark == 2)
        _ = journal.append(.made(3))
        #expect(journal.watermark == 4)
        _ = journal.append(.made(5))
        #expect(journal.entries(after: 0, limit: 10).entries.map(\.sequence) == [3, 5])
        #expect(journal.brokenInvariants() == [])
    }

    @Test("a late answer changes entry and counters")
    func update() {
        var journal = Journal()
        _ = journal.append(.made(1, status: nil, outcome: .pending))
        #expect(journal.counters.accepted == 0)
        let due = journal.update(1) { entry in
            entry.status = 200
            entry.outcome = .delivered
            entry.timeline = [.init(at: entry.receivedAt, event: "received", detail: nil)]
        }
        #expect(due == [])
        #expect(journal.counters.accepted == 1)
        #expect(journal.entry(1)?.outcome == .delivered)
        #expect(journal.update(2) { _ in } == nil)
        journal.countLateAnswer(503, to: 1)
        #expect(journal.counters.refused == 1)
    }

    @Test("a late answer to a push from before a reset isn't counted, also after a restart")
    func lateAnswerAfterReset() throws {
        var journal = Journal()
        _ = journal.append(.made(1, status: nil, outcome: .pending))
        _ = journal.reset()
        journal.countLateAnswer(200, to: 1)
        #expect(journal.counters.accepted == 0)
        var read = try Journal(pieces: journal.pieces, bounds: JournalBounds())
        read.countLateAnswer(503, to: 1)
        #expect(read.counters.refused == 0)
        #expect(read.brokenInvariants() == [])
        _ = read.append(.made(2, status: nil, outcome: .pending))
        _ = read.remove([2])
        read.countLateAnswer(200, to: 2)
        #expect(read.counters.accepted == 1)
    }

    @Test("an update of a number that has not arrived changes nothing")
    func updateOfAwaited() {
        var journal = Journal()
        _ = journal.append(.made(2))
        #expect(journal.update(1) { $0.status = 500 } == nil)
        _ = journal.append(.made(1))
        #expect(journal.watermark == 2)
        #expect(journal.brokenInvariants() == [])
    }
}

@Suite("Attempts")
struct AttemptTests {
    @Test("a push with the same apns-id is the next attempt, whatever the case of the id")
    func byID() {
        var journal = Journal()
        _ = journal.append(.made(1, id: Entry.anID, body: "a"))
        _ = journal.append(.made(2, at: 9_000_000_000_000, id: Entry.anID.lowercased(), body: "b"))
        _ = journal.append(.made(3, id: "00000000-0000-0000-0000-000000000001"))
        #expect((1...3).map { journal.entry($0)?.attempt } == [1, 2, 1])
    }

    @Test("without an apns-id every push is its first attempt")
    func withoutID() {
        var journal = Journal()
        for sequence in 1...3 { _ = journal.append(.made(UInt64(sequence), body: "{}")) }
        #expect((1...3).map { journal.entry($0)?.attempt } == [1, 1, 1])
    }

    @Test("a push with a generated apns-id of an earlier one is its second attempt")
    func byGeneratedID() {
        var journal = Journal()
        _ = journal.append(.made(1, generatedID: 7, body: "{}"))
        _ = journal.append(.made(2, id: "00000000-0000-0000-0000-000000000007", body: "{}"))
        _ = journal.append(.made(3, id: "00000000-0000-0000-0000-000000000007", body: "{}"))
        #expect((1...3).map { journal.entry($0)?.attempt } == [1, 2, 3])
    }

    @Test("of two pushes out of order, the one with the lower number is the earlier attempt")
    func overtaken() {
        var journal = Journal()
        _ = journal.append(.made(2, id: Entry.anID))
        _ = journal.append(.made(1, id: Entry.anID))
        _ = journal.append(.made(3, id: Entry.anID))
        #expect((1...3).map { journal.entry($0)?.attempt } == [1, 2, 3])
    }
}

@Suite("Repeats")
struct RepeatTests {
    private func repeats(_ journal: inout Journal, _ sequences: ClosedRange<UInt64>) -> [UInt64?] {
        while !journal.findRepeats(countMax: 2) {}
        return sequences.map { journal.entry($0)?.repeats }
    }

    @Test("a push repeats the latest one with its token and body within 30 s, whatever the apns-id")
    func byContent() {
        var journal = Journal()
        _ = journal.append(.made(1, at: 0, body: "{}"))
        _ = journal.append(.made(2, at: 30_000, body: "{}"))
        _ = journal.append(.made(3, at: 60_001, body: "{}"))
        _ = journal.append(.made(4, at: 60_001, body: "{ }"))
        _ = journal.append(.made(5, at: 60_001, token: Entry.anotherToken, body: "{}"))
        _ = journal.append(.made(6, at: 60_001, id: Entry.anID, body: "{}"))
        _ = journal.append(.made(7, at: 60_002, body: "{}"))
        #expect(repeats(&journal, 1...7) == [nil, 1, nil, nil, nil, 3, 6])
        #expect(journal.brokenInvariants() == [])
    }

    @Test("a push without a token repeats none")
    func withoutToken() {
        var journal = Journal()
        for sequence in 1...2 { _ = journal.append(.made(UInt64(sequence), token: nil)) }
        #expect(repeats(&journal, 1...2) == [nil, nil])
    }

    @Test("long bodies that differ in one byte only are told apart", arguments: [0, 1, 500, 2047, 4094, 4095])
    func longBodies(place: Int) {
        var other = Array(repeating: UInt8(ascii: "a"), count: 4096)
        let body = String(decoding: other, as: UTF8.self)
        other[place] = UInt8(ascii: "b")
        var journal = Journal()
        _ = journal.append(.made(1, body: body))
        _ = journal.append(.made(2, body: String(decoding: other, as: UTF8.self)))
        _ = journal.append(.made(3, body: body))
        #expect(repeats(&journal, 1...3) == [nil, nil, 1])
    }

    @Test("cut bodies are equal if their beginnings and sizes are")
    func cutBodies() {
        var journal = Journal()
        for (sequence, size) in [(1, 5000), (2, 6000), (3, 5000)] {
            var entry = Entry.made(UInt64(sequence), body: "aaaa")
            entry.bodyByteCount = Int32(size)
            _ = journal.append(entry)
        }
        #expect(repeats(&journal, 1...3) == [nil, nil, 1])
    }

    @Test("pushes out of order are compared by their numbers")
    func overtaken() {
        var journal = Journal()
        _ = journal.append(.made(1, body: "x"))
        _ = journal.append(.made(3, body: "x"))
        #expect(repeats(&journal, 1...3) == [nil, nil, nil])
        _ = journal.append(.made(2, body: "x"))
        #expect(repeats(&journal, 1...3) == [nil, 1, 2])
    }

    @Test("a removed push is not repeated, the one before it is")
    func removed() {
        var journal = Journal()
        for sequence in 1...4 { _ = journal.append(.made(UInt64(sequence), body: "x")) }
        #expect(repeats(&journal, 1...4) == [nil, 1, 2, 3])
        _ = journal.remove([1, 3])
        #expect(repeats(&journal, 1...4) == [nil, nil, nil, 2])
        _ = journal.reset()
        _ = journal.append(.made(5, body: "x"))
        #expect(repeats(&journal, 5...5) == [nil])
    }

    @Test("a push that was evicted is not repeated, whenever the repeat was found")
    func evicted() throws {
        var journal = Journal(bounds: JournalBounds(entriesMax: 2))
        for sequence in UInt64(1)...2 { _ = journal.append(.made(sequence, body: "x")) }
        #expect(repeats(&journal, 1...2) == [nil, 1])
        _ = journal.append(.made(3, body: "y"))
        #expect(repeats(&journal, 2...3) == [nil, nil])
        #expect(journal.repeats(2) == nil)
        #expect(journal.entries(after: 0, limit: 9).entries.map(\.repeats) == [nil, nil])
        var unread = Journal(bounds: JournalBounds(entriesMax: 2))
        for sequence in UInt64(1)...3 { _ = unread.append(.made(sequence, body: sequence < 3 ? "x" : "y")) }
        #expect(repeats(&unread, 2...3) == [nil, nil])
    }

    @Test("repeats are found when the journal is read, once for each entry")
    func onlyWhenRead() {
        var journal = Journal()
        for sequence in UInt64(1)...10 { _ = journal.append(.made(sequence, body: "x")) }
        #expect(journal.entry(10)?.repeats == nil)
        // Ten entries, found two at a time: five calls find some, the sixth finds nothing more.
        var calls = 1
        while !journal.findRepeats(countMax: 2) { calls += 1 }
        #expect(calls == 6)
        let knewAll = journal.findRepeats(countMax: 1)
        _ = journal.append(.made(11, body: "x"))
        let knewNew = journal.findRepeats(countMax: 1)
        let knowsNew = journal.findRepeats(countMax: 1)
        #expect([knewAll, knewNew, knowsNew] == [true, false, true])
        #expect(journal.entry(11)?.repeats == 10)
    }

    @Test("a full journal remembers about as many bodies as it has entries")
    func bounded() {
        var journal = Journal(bounds: JournalBounds(entriesMax: 10))
        for sequence in UInt64(1)...1000 {
            _ = journal.append(.made(sequence, body: "\(sequence / 2)"))
            _ = journal.findRepeats(countMax: 4)
        }
        #expect(journal.repeatKeyCount <= 2 * 10 + 2 * 4)
        #expect(repeats(&journal, 998...1000) == [nil, 998, nil])
    }
}

@Suite("Waiters of the journal")
struct WaiterTests {
    @Test("a waiter is due when all numbers up to its own have arrived")
    func watermark() throws {
        var journal = Journal()
        let first = try waiter(&journal, .watermark(atLeast: 2))
        #expect(journal.append(.made(2)).due == [])
        #expect(journal.append(.made(1)).due == [first])
        #expect(journal.append(.made(3)).due == [])
        #expect(journal.register(.watermark(atLeast: 3)) == nil)
    }

    @Test("a waiter for changes is due after an append, an update, a removal and a reset")
    func changes() throws {
        var journal = Journal()
        var next = try waiter(&journal, .change(since: journal.revision))
        #expect(journal.append(.made(1)).due == [next])
        next = try waiter(&journal, .change(since: journal.revision))
        #expect(journal.update(1) { $0.outcome = .expired } == [next])
        next = try waiter(&journal, .change(since: journal.revision))
        #expect(journal.remove([1]).due == [next])
        next = try waiter(&journal, .change(since: journal.revision))
        #expect(journal.remove([1]).due == [])
        #expect(journal.reset().due == [next])
        #expect(journal.register(.change(since: journal.revision - 1)) == nil)
    }

    private func waiter(_ journal: inout Journal, _ condition: Waiter.Condition) throws -> Waiter.ID {
        let waiter = journal.register(condition)
        return try #require(waiter)
    }

    @Test("a cancelled waiter is not woken")
    func cancelled() throws {
        var journal = Journal()
        let first = try waiter(&journal, .watermark(atLeast: 1))
        let second = try waiter(&journal, .watermark(atLeast: 1))
        #expect(journal.cancel(first) == true)
        #expect(journal.cancel(first) == false)
        #expect(journal.append(.made(1)).due == [second])
        #expect(journal.cancel(second) == false)
    }
}
