import APNsRules
import NIOCore
import NIOPosix
import Testing

@testable import Mynah
@testable import MynahCore

@Suite("The log of events")
struct EventLogTests {
    private static let now = Instant(milliseconds: 1_795_253_400_000)

    private func store(retain: Int = 100_000) -> (JournalStore, EventLog) {
        let journal = JournalStore(bounds: JournalBounds(entriesMax: retain)) { _ in }
        return (journal, EventLog(journal: journal) { Self.now })
    }

    private func push(_ sequence: UInt64, _ outcome: Outcome = .delivered) -> Entry {
        var headers = HeaderBlock()
        headers.append("apns-topic", "com.example.app")
        let request = Candidate(
            PushRequest(headers: headers), credential: .none, environment: .sandbox, settings: RuleSettings(),
            receivedAt: Self.now)
        var entry = Entry(
            request, id: NotificationID(generated: UInt128(sequence)), bytes: headers.bytes, connection: 1, stream: 1)
        entry.sequence = sequence
        entry.status = 200
        entry.outcome = outcome
        return entry
    }

    @Test("pushes and events of many threads are all found up to the watermark", arguments: [1, 0])
    func concurrent(retainsPushes: Int) async {
        let (journal, events) = store(retain: retainsPushes * 100_000)
        let writers = 4
        let each = 500
        await withTaskGroup { group in
            for _ in 0..<writers {
                group.addTask {
                    for _ in 0..<each { journal.append(push(journal.takeSequence())) }
                }
                group.addTask {
                    for _ in 0..<each { events.record(.fault(["id": "f"], .changed)) }
                }
            }
            group.addTask {
                var position: UInt64 = 0
                var found = 0
                var last: UInt64 = 0
                while found < writers * each {
                    await journal.wait(.watermark(atLeast: position + 1))
                    let watermark = journal.read { $0.watermark }
                    let (piece, evicted) = events.events(after: position, through: watermark, limit: .max)
                    #expect(evicted == 0)
                    #expect(piece.allSatisfy { $0.sequence > last })
                    last = piece.last?.sequence ?? last
                    found += piece.count
                    position = watermark
                }
                #expect(found == writers * each)
            }
        }
        #expect(await journal.settled() == UInt64(2 * writers * each))
    }

    @Test("a later outcome is an event with a higher number, and wakes a waiting reader")
    func outcomes() async {
        let (journal, events) = store()
        journal.onOutcomes { events.record(outcomes: $0) }
        journal.append(push(journal.takeSequence(), .stored))
        journal.apply([EntryChange(sequence: 1, outcome: .delivered, at: Self.now, detail: nil)])
        await journal.wait(.watermark(atLeast: 2))
        let (found, _) = events.events(after: 0, through: 2, limit: 10)
        #expect(found.map(\.sequence) == [2])
        #expect(found.map(\.kind) == [.outcome])
        #expect(found.first?.json["outcome"] == "delivered")
        #expect(journal.lastIssued == 2)
    }

    @Test("events don't evict pushes")
    func evictNothing() {
        let (journal, events) = store(retain: 10)
        journal.append(push(journal.takeSequence()))
        for _ in 0..<300_000 { events.record(.fault(["id": "f"], .changed)) }
        journal.append(push(journal.takeSequence()))
        #expect(journal.read { $0.counters.evicted } == 0)
        #expect(journal.read { $0.entries(after: 0, limit: 10).entries }.map(\.sequence) == [1, 300_002])
    }

    @Test("a delayed report of a firing is made in a task, not on the timer's loop")
    func firingsLeaveTheLoop() async throws {
        let (_, events) = store()
        let loop = NIOSingletons.posixEventLoopGroup.next()
        let timer = DeviceTimer(on: loop) { events.recordPending() }
        events.begin { timer.scheduleLook(within: $0) }
        let (descriptions, description) = AsyncStream.makeStream(of: Bool.self)
        for _ in 1...2 {
            events.recordFiring(of: "f") {
                description.yield(loop.inEventLoop)
                return ["id": "f"]
            }
        }
        var isOnLoop: [Bool] = []
        for await each in descriptions {
            isOnLoop.append(each)
            if isOnLoop.count == 2 { break }
        }
        #expect(isOnLoop == [false, false])
    }
}
