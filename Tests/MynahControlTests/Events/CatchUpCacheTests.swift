import MynahCore
import Testing

@testable import Mynah
@testable import MynahControl

@Suite("Readers of events whose place has been evicted")
struct OldestPushesTests {
    private let now = ContinuousClock.now

    private func read(_ journal: JournalStore, behind position: UInt64, limit: Int = 4) -> OldestPushes.Piece {
        journal.read { journal in
            let pushes = journal.entries(after: position, limit: limit)
            return OldestPushes.Piece(
                pushes: pushes, watermark: journal.watermark, evictedThrough: journal.counters.evictedThrough,
                removalCount: journal.removalCount,
                isOldest: pushes.first.map { journal.isOldest($0.sequence) } ?? false)
        }
    }

    private func withJournal(_ body: (Box) async throws -> Void) async throws {
        try await Box.with { settings, _ in
            settings.retain = 10
        } _: {
            try await body($0)
        }
    }

    @Test("those who look at the same moment get the same pushes, although others have come and gone between")
    func together() async throws {
        try await withJournal { box in
            let (journal, oldest) = (box.server.journal, OldestPushes())
            for _ in 1...20 { box.push() }
            let first = oldest.piece(behind: 3, removalCount: 0, now: now) { read(journal, behind: 3) }
            #expect(first.pushes.map(\.sequence) == [11, 12, 13, 14])
            for _ in 1...5 { box.push() }
            let soon = now + OldestPushes.validity
            let second = oldest.piece(behind: 7, removalCount: 0, now: soon) { read(journal, behind: 7) }
            #expect(second.pushes.map(\.sequence) == [11, 12, 13, 14] && second.evictedThrough == 10)
            let late = oldest.piece(behind: 7, removalCount: 0, now: soon + .milliseconds(1)) {
                read(journal, behind: 7)
            }
            #expect(late.pushes.map(\.sequence) == [16, 17, 18, 19] && late.evictedThrough == 15)
        }
    }

    @Test("pushes that were removed are given to no further reader")
    func removed() async throws {
        try await withJournal { box in
            let (journal, oldest) = (box.server.journal, OldestPushes())
            for _ in 1...20 { box.push() }
            _ = oldest.piece(behind: 3, removalCount: 0, now: now) { read(journal, behind: 3) }
            _ = journal.remove([11])
            let removalCount = journal.read { $0.removalCount }
            let after = oldest.piece(behind: 7, removalCount: removalCount, now: now) { read(journal, behind: 7) }
            #expect(after.pushes.map(\.sequence) == [12, 13, 14, 15])
        }
    }

    @Test("who has not fallen behind, or has what there is, gets what there is now")
    func others() async throws {
        try await withJournal { box in
            let (journal, oldest) = (box.server.journal, OldestPushes())
            func piece(behind position: UInt64, limit: Int = 4) -> [UInt64] {
                oldest.piece(behind: position, removalCount: 0, now: now) {
                    read(journal, behind: position, limit: limit)
                }
                .pushes.map(\.sequence)
            }
            // Nothing evicted: a piece from the beginning is for its reader alone.
            for _ in 1...6 { box.push() }
            #expect(piece(behind: 0) == [1, 2, 3, 4])
            for _ in 1...14 { box.push() }
            #expect(piece(behind: 3) == [11, 12, 13, 14])
            #expect(piece(behind: 12) == [13, 14, 15, 16])
            #expect(piece(behind: 20) == [])
            oldest.removeAll()
            // With nothing behind it, a piece would keep its readers from what has come since.
            #expect(piece(behind: 3, limit: 10) == Array(11...20))
            box.push()
            #expect(piece(behind: 3, limit: 10) == Array(12...21))
        }
    }

    @Test("a hundred pushes later, each reader goes on behind the piece that all had")
    func goOn() async throws {
        try await Box.with { settings, _ in
            settings.retain = 1000
        } _: { box in
            for _ in 1...3000 { box.push() }
            let readers = EventReaders()
            var texts: [String] = []
            for _ in 1...3 {
                readers.enter()
                let query = try EventQuery(QueryString(""), lastEventID: nil)
                var stream = EventStream(box.server, query, behind: 1, StreamLimits(), readers, issued: 3000)
                var written: [UInt8] = []
                #expect(try await stream.writePiece { written += $0 })
                #expect(try await stream.writePiece { written += $0 })
                texts.append(String(decoding: written, as: UTF8.self))
                #expect(stream.position == 2512)
            }
            #expect(Set(texts).count == 1)
            #expect(texts[0].split(separator: "\n").filter { $0.hasPrefix("id:") }.count == 512)
            #expect(texts[0].contains(#""from":2,"to":2000"#))
        }
    }
}
