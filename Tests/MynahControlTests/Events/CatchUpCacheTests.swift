import MynahCore
import Testing

@testable import Mynah
@testable import MynahControl

@Suite("Readers of events whose position has been evicted")
struct CatchUpCacheTests {
    private let now = ContinuousClock.now

    private func read(_ journal: JournalStore, after position: UInt64, limit: Int = 4) -> CatchUpCache.Piece {
        journal.read { journal in
            let pushes = journal.entries(after: position, limit: limit).entries
            return CatchUpCache.Piece(
                pushes: pushes, limit: limit, watermark: journal.watermark,
                evictedThrough: journal.counters.evictedThrough,
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

    @Test("readers that poll at the same time get the same pushes, even if the journal has moved on")
    func samePiece() async throws {
        try await withJournal { box in
            let journal = box.server.journal
            let oldest = CatchUpCache()
            for _ in 1...20 { box.push() }
            let first = oldest.piece(after: 3, removalCount: 0, now: now) { read(journal, after: 3) }
            #expect(first.pushes.map(\.sequence) == [11, 12, 13, 14])
            for _ in 1...5 { box.push() }
            let soon = now + CatchUpCache.validity
            let second = oldest.piece(after: 7, removalCount: 0, now: soon) { read(journal, after: 7) }
            #expect(second.pushes.map(\.sequence) == [11, 12, 13, 14] && second.evictedThrough == 10)
            let late = oldest.piece(after: 7, removalCount: 0, now: soon + .milliseconds(1)) {
                read(journal, after: 7)
            }
            #expect(late.pushes.map(\.sequence) == [16, 17, 18, 19] && late.evictedThrough == 15)
        }
    }

    @Test("removed pushes are not shared with further readers")
    func removed() async throws {
        try await withJournal { box in
            let journal = box.server.journal
            let oldest = CatchUpCache()
            for _ in 1...20 { box.push() }
            _ = oldest.piece(after: 3, removalCount: 0, now: now) { read(journal, after: 3) }
            _ = journal.remove([11])
            let removalCount = journal.read { $0.removalCount }
            let after = oldest.piece(after: 7, removalCount: removalCount, now: now) { read(journal, after: 7) }
            #expect(after.pushes.map(\.sequence) == [12, 13, 14, 15])
        }
    }

    @Test("a reader that has not fallen behind reads the journal itself")
    func others() async throws {
        try await withJournal { box in
            let journal = box.server.journal
            let oldest = CatchUpCache()
            func piece(after position: UInt64, limit: Int = 4) -> [UInt64] {
                oldest.piece(after: position, removalCount: 0, now: now) {
                    read(journal, after: position, limit: limit)
                }
                .pushes.map(\.sequence)
            }
            // Nothing is evicted: the piece is not shared.
            for _ in 1...6 { box.push() }
            #expect(piece(after: 0) == [1, 2, 3, 4])
            for _ in 1...14 { box.push() }
            #expect(piece(after: 3) == [11, 12, 13, 14])
            #expect(piece(after: 12) == [13, 14, 15, 16])
            #expect(piece(after: 20) == [])
            oldest.removeAll()
            // A piece with nothing after it is not shared, because it would hide later pushes.
            #expect(piece(after: 3, limit: 10) == Array(11...20))
            box.push()
            #expect(piece(after: 3, limit: 10) == Array(12...21))
        }
    }

    @Test("each reader continues after the shared piece")
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
                var stream = EventStream(
                    box.server, kinds: query.kinds, filter: query.filter, after: 1, limits: StreamLimits(),
                    readers: readers, issued: 3000)
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
