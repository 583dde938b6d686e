import APNsRules
import Foundation
import MynahCore
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Mynah

@Suite("The journal, shared")
struct JournalStoreTests {
    /// The frames on the stack at each call of a listener, counted as far as Foundation tells.
    private final class Depths: Sendable {
        private let depths = Mutex<[Int]>([])

        var all: [Int] { depths.withLock { $0 } }

        func note() { depths.withLock { $0.append(Thread.callStackReturnAddresses.count) } }
    }

    @Test("the stack below a listener doesn't grow with the number of reads")
    func readsDoNotLengthenTheWayToAListener() async throws {
        let journal = JournalStore(bounds: JournalBounds()) { _ in }
        let depths = Depths()
        journal.onSettle { depths.note() }
        for _ in 0..<1000 { _ = await journal.settled() }
        let all = depths.all
        #expect(all.count == 1000)
        let first = try #require(all.prefix(10).max())
        #expect(try #require(all.suffix(10).max()) <= first + 16)
    }

    private final class Steps: Sendable {
        private let steps = Mutex<[String]>([])

        var all: [String] { steps.withLock { $0 } }

        func note(_ step: String) { steps.withLock { $0.append(step) } }
    }

    private final class Wakes: Sendable {
        private let wakes = Mutex<[@Sendable () -> Void]>([])

        var all: [@Sendable () -> Void] { wakes.withLock { $0 } }

        func add(_ wake: @escaping @Sendable () -> Void) { wakes.withLock { $0.append(wake) } }
    }

    private func push(_ sequence: UInt64) -> Entry {
        let request = Candidate(
            PushRequest(headers: HeaderBlock()), credential: .none, environment: .sandbox, settings: RuleSettings(),
            receivedAt: Instant(milliseconds: 1_795_253_400_000))
        var entry = Entry(request, id: NotificationID(generated: 1), bytes: [], connection: 1, stream: 1)
        entry.sequence = sequence
        return entry
    }

    @Test("an append leaves it to others when the tasks that waited for it continue")
    func waking() async throws {
        let wakes = Wakes()
        let steps = Steps()
        let journal = JournalStore(bounds: JournalBounds(), onFirstEviction: { _ in }, wake: { wakes.add($0) })
        let revision = journal.read { $0.revision }
        let task = Task {
            await journal.wait(.change(since: revision))
            steps.note("awake")
        }
        while journal.waiterCount == 0 { await Task.yield() }
        journal.append(push(journal.takeSequence()))
        #expect(journal.waiterCount == 0)
        steps.note("appended")
        for wake in wakes.all { wake() }
        await task.value
        #expect(steps.all == ["appended", "awake"])
    }

    @Test("the first eviction is reported, with the counters, and once until a reset")
    func firstEviction() {
        let steps = Steps()
        let journal = JournalStore(bounds: JournalBounds(entriesMax: 2)) {
            steps.note("evicted \($0.evicted), kept \($0.size) of \($0.received)")
        }
        func append(_ count: Int) { for _ in 0..<count { journal.append(push(journal.takeSequence())) } }
        append(2)
        #expect(steps.all.isEmpty)
        append(3)
        #expect(steps.all == ["evicted 1, kept 2 of 3"])
        #expect(journal.reset() == 2)
        append(4)
        #expect(steps.all == ["evicted 1, kept 2 of 3", "evicted 1, kept 2 of 3"])
    }

    @Test("an event loop puts off what waits until it has answered, another thread does it at once")
    func afterAnswers() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let steps = Steps()
        await withCheckedContinuation { continuation in
            group.next().execute {
                AfterAnswers.run {
                    steps.note("woken")
                    continuation.resume()
                }
                steps.note("answered")
            }
        }
        #expect(steps.all == ["answered", "woken"])
        AfterAnswers.run { steps.note("at once") }
        #expect(steps.all.last == "at once")
        // What a loop has put off is not lost when the loop ends.
        try await group.next().submit { AfterAnswers.run { steps.note("at the end") } }.get()
        try await group.shutdownGracefully()
        #expect(steps.all.last == "at the end")
    }
}
