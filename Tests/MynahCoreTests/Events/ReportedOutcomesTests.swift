import APNsRules
import Testing

@testable import MynahCore

@Suite("Reports of changed pushes")
struct ReportedOutcomesTests {
    private func change(_ sequence: UInt64, _ outcome: Outcome) -> EntryChange {
        EntryChange(sequence: sequence, outcome: outcome, at: Instant(milliseconds: 5), detail: nil)
    }

    @Test("each change of a retained push is reported with the push as it was then")
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
        // The third had not arrived; its own event shows what became of it by then.
        _ = journal.append(Entry.made(3, outcome: .stored))
        #expect(journal.entry(3)?.outcome == .delivered)
        #expect(told.count == 2)
    }
}
