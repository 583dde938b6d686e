import APNsRules
import Testing

@testable import MynahCore

@Suite("What is told of pushes that change")
struct ToldOutcomesTests {
    private func change(_ sequence: UInt64, _ outcome: Outcome) -> EntryChange {
        EntryChange(sequence: sequence, outcome: outcome, at: Instant(milliseconds: 5), detail: nil)
    }

    @Test("each change of a push that is there, as the push is then; nothing of one that is not, or does not change")
    func told() {
        var journal = Journal()
        for (sequence, outcome) in [(UInt64(1), Outcome.stored), (2, .delivered)] {
            _ = journal.append(Entry.made(sequence, outcome: outcome))
        }
        var told: [Entry] = []
        _ = journal.apply([
            change(1, .deferred), change(2, .expired), change(3, .delivered), change(1, .delivered),
        ]) { told.append($0) }
        #expect(told.map(\.sequence) == [1, 1])
        #expect(told.map(\.outcome) == [.deferred, .delivered])
        // The third was on its way; what it had become by then is what its own event shows.
        _ = journal.append(Entry.made(3, outcome: .stored))
        #expect(journal.entry(3)?.outcome == .delivered)
        #expect(told.count == 2)
    }
}
