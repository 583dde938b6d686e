import APNsRules
import MynahCore
import Synchronization
import Testing

@testable import Mynah
@testable import MynahControl

/// Repeated reads of the journal by a waiting call.
@Suite("Following the journal")
struct JournalFollowerTests {
    /// The numbers of the delivered pushes of one topic after a number, read from the whole journal.
    private static func wanted(_ journal: JournalStore, after: UInt64) async throws -> [UInt64] {
        try await journal.views(after: after, through: .max).filter(isWanted).map(\.entry.sequence)
    }

    private static func isWanted(_ view: PushView) -> Bool { view.topic == "even" && view.entry.outcome == .delivered }

    @Test(
        "after additions, changes, removals and evictions a look finds the same as reading all",
        arguments: 0..<8 as Range<UInt64>)
    func agrees(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await Box.with({ server, _ in server.retain = 60 }) { box in
            let journal = box.server.journal
            for _ in 0..<10 { box.push() }
            let after = UInt64.random(in: 0...12, using: &random)
            // With and without a prefilter.
            let filter = seed.isMultiple(of: 2) ? Filter() : try Filter(line: "topic:even")
            var follower = JournalFollower(journal, after: after, filter: filter) { entry in
                Self.isWanted(PushView(entry)) ? entry.outcome : nil
            }
            for _ in 0..<120 {
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    let isEven = Bool.random(using: &random)
                    box.push(topic: isEven ? "even" : "odd", refused: Bool.random(using: &random) ? .badTopic : nil)
                }
                let all = journal.read { $0.entries(after: 0, limit: 1000).entries }.map(\.sequence)
                switch Int.random(in: 0..<12, using: &random) {
                case 0: _ = journal.remove(all.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
                case 1 where Int.random(in: 0..<4, using: &random) == 0: _ = journal.reset()
                default:
                    for sequence in all where Int.random(in: 0..<9, using: &random) == 0 {
                        let outcome: Outcome = Bool.random(using: &random) ? .delivered : .stored
                        journal.recordAnswer(
                            LateAnswer(at: box.server.now, status: 200, outcome: outcome), of: sequence)
                    }
                }
                let before = (follower.revision, follower.kept.map(\.sequence))
                _ = try await follower.readChanges(through: await journal.settled())
                let wanted = try await Self.wanted(journal, after: after)
                #expect(follower.revision > before.0 || follower.kept.map(\.sequence) == before.1)
                #expect(follower.kept.map(\.sequence) == wanted)
            }
        }
    }

    /// What an unmet expectation over a full journal looks at: each push once by the filter, and once by each search for
    /// near misses, however often it is asked while it waits.
    @Test(
        "an unmet expectation looks at a full journal a few times, and then at what is new alone",
        arguments: [
            #"{"match":{"topic":"none"},"within":"0s"}"#, #"{"match":{"payload":{"/a":1}},"within":"0s"}"#,
            #"{"match":{"topic":"none"},"within":"0s","after":1000}"#,
            #"{"inOrder":[{"topic":"even"},{"topic":"none"}],"within":"0s"}"#,
        ])
    func unmetExpectation(document: String) async throws {
        // What is looked at: the journal once, its newest for near misses, and once more for each kind of hint.
        let readsMax = 4
        for retained in [1000, 8000] {
            try await Box.with({ server, _ in server.retain = retained }) { box in
                let journal = box.server.journal
                for _ in 0..<(retained + 1500) { box.push(topic: "even") }
                _ = await journal.settled()
                let expectation = try Expectation(json: JSONValue(parsing: document))
                let before = journal.lookedAt.load(ordering: .relaxed)
                let answer = try #require(try await box.server.check(expectation))
                #expect(!answer.isMet)
                let looked = journal.lookedAt.load(ordering: .relaxed) - before
                #expect(looked >= retained / 2, "\(looked)")
                // The last piece of a range is read whole.
                #expect(looked <= readsMax * (retained + JournalStore.pieceCount), "\(looked)")
            }
        }
    }

    @Test("a look reads only what has changed")
    func readsLittle() async throws {
        try await Box.with { box in
            let journal = box.server.journal
            for _ in 0..<500 { box.push(topic: "even") }
            var follower = JournalFollower(journal, after: 0) { $0.sequence }
            let first = try await follower.readChanges(through: await journal.settled())
            let second = try await follower.readChanges(through: await journal.settled())
            #expect([first, second] == [500, 0])
            box.push()
            journal.recordAnswer(LateAnswer(at: box.server.now, status: 200, outcome: .stored), of: 3)
            let third = try await follower.readChanges(through: await journal.settled())
            #expect(third == 2)
            #expect(follower.kept.count == 501)
        }
    }

    @Test("a cancelled read stops at the next entry")
    func cancelled() async throws {
        try await Box.with { box in
            for _ in 0..<100 { box.push() }
            let journal = box.server.journal
            let read = Task {
                var count = 0
                await #expect(throws: CancellationError.self) {
                    try await journal.forEach(after: 0, through: .max) { _ in
                        count += 1
                        if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }
                return count
            }
            #expect(await read.value == 3)
        }
    }
}
