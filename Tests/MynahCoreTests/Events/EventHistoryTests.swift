import APNsRules
import Testing

@testable import MynahCore

extension Event {
    /// An event that shows a document.
    static func made(
        _ sequence: UInt64, _ kind: Kind = .device, _ document: JSONValue = ["id": "d"], at milliseconds: Int64 = 0
    ) -> Event {
        Event(kind, sequence: sequence, at: Instant(milliseconds: milliseconds), .document(document.encoded))
    }
}

@Suite("The history of events")
struct EventHistoryTests {
    @Test("events after one number and up to another are found, oldest first")
    func finds() {
        var history = EventHistory()
        for number in stride(from: UInt64(2), through: 20, by: 2) { history.append(.made(number)) }
        func numbers(_ after: UInt64, _ last: UInt64, _ limit: Int) -> [UInt64] {
            history.events(after: after, through: last, limit: limit).map(\.sequence)
        }
        #expect(numbers(0, .max, 100) == Array(stride(from: 2, through: 20, by: 2)))
        #expect(numbers(4, 11, 100) == [6, 8, 10])
        #expect(numbers(5, .max, 2) == [6, 8])
        #expect(numbers(20, .max, 100).isEmpty)
        #expect(history.evictedThrough == 0)
    }

    @Test("too many events evict the oldest, and the history knows which")
    func countBound() {
        var history = EventHistory(eventsMax: 3, bytesMax: 1_000_000)
        for number in UInt64(1)...1000 { history.append(.made(number)) }
        #expect(history.count == 3)
        #expect(history.events(after: 0, through: .max, limit: 10).map(\.sequence) == [998, 999, 1000])
        #expect(history.evictedThrough == 997)
        #expect(history.bytes == 3 * Event.made(1).cost)
    }

    @Test("too many bytes evict the oldest events, but never the newest")
    func byteBound() {
        let large = Event.made(3, .device, ["id": .string(String(repeating: "x", count: 10_000))])
        var history = EventHistory(eventsMax: 100, bytesMax: 5000)
        history.append(.made(1))
        history.append(.made(2))
        history.append(large)
        #expect(history.events(after: 0, through: .max, limit: 10).map(\.sequence) == [3])
        history.append(.made(4))
        #expect(history.events(after: 0, through: .max, limit: 10).map(\.sequence) == [4])
        #expect(history.evictedThrough == 3)
    }

    @Test("only the events of removed pushes are forgotten, which does not count as eviction")
    func forgets() {
        var history = EventHistory(eventsMax: 5, bytesMax: 1_000_000)
        func outcome(_ number: UInt64, of push: UInt64) -> Event {
            Event(.outcome, sequence: number, at: Instant(milliseconds: 0), .push(.made(push)))
        }
        for number in UInt64(1)...3 { history.append(.made(number)) }
        for number in UInt64(11)...14 { history.append(outcome(number, of: number - 10)) }
        history.forgetPushes { $0.sequence != 2 }
        #expect(history.events(after: 0, through: .max, limit: 10).map(\.sequence) == [3, 12])
        #expect(history.count == 2)
        #expect(history.evictedThrough == 2)
        #expect(history.bytes == Event.made(3).cost + outcome(12, of: 2).cost)
        for number in UInt64(15)...18 { history.append(.made(number)) }
        #expect(history.events(after: 0, through: .max, limit: 10).map(\.sequence) == [12, 15, 16, 17, 18])
        #expect(history.evictedThrough == 3)
    }
}

@Suite("Pieces of the event stream")
struct EventPieceTests {
    private func piece(_ pushes: [UInt64], _ events: [UInt64], limit: Int, watermark: UInt64) -> EventPiece {
        EventPiece(
            pushes: pushes.map { Entry.made($0) }, limit: limit, events: events.map { .made($0) }, limit: limit,
            watermark: watermark)
    }

    @Test("pushes and events come in the order of their numbers")
    func order() {
        let piece = piece([2, 5, 6], [1, 3, 9], limit: 10, watermark: 9)
        #expect(piece.items.map(\.sequence) == [1, 2, 3, 5, 6, 9])
        #expect(piece.end == 9)
        #expect(!piece.isCut)
    }

    @Test("a full list ends the piece, because more of its kind may follow")
    func limits() {
        let full = piece([2, 5], [1, 3, 9], limit: 2, watermark: 12)
        #expect(full.items.map(\.sequence) == [1, 2, 3, 5])
        #expect(full.end == 5)
        #expect(full.isCut)
        #expect(piece([2, 5], [3], limit: 2, watermark: 12).end == 5)
        #expect(piece([], [], limit: 2, watermark: 12).end == 12)
    }

    @Test("pieces merge any two lists without losses or duplicates", arguments: 1...50)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let watermark = UInt64.random(in: 1...60, using: &random)
        let pushes = (1...watermark).filter { _ in Bool.random(using: &random) }
        let events = (1...watermark).filter { !pushes.contains($0) && Bool.random(using: &random) }
        let limit = Int.random(in: 1...8, using: &random)
        var position: UInt64 = 0
        var found: [UInt64] = []
        var count = 0
        while position < watermark, count < 100 {
            let next = piece(
                Array(pushes.filter { $0 > position }.prefix(limit)),
                Array(events.filter { $0 > position }.prefix(limit)), limit: limit, watermark: watermark)
            found += next.items.map(\.sequence)
            #expect(next.isCut == (next.end < watermark))
            position = next.end
            count += 1
        }
        #expect(found == (pushes + events).sorted())
    }
}

@Suite("Gaps in a reader's events")
struct GapReporterTests {
    @Test("an eviction is reported once, and then only what was evicted since")
    func once() {
        var gaps = GapReporter()
        #expect(gaps.unreported(after: 10, evictedThrough: 0) == nil)
        #expect(gaps.unreported(after: 10, evictedThrough: 10) == nil)
        #expect(gaps.unreported(after: 10, evictedThrough: 15) == 11...15)
        #expect(gaps.unreported(after: 10, evictedThrough: 15) == nil)
        #expect(gaps.unreported(after: 12, evictedThrough: 17) == 16...17)
        #expect(gaps.unreported(after: 30, evictedThrough: 20) == nil)
        #expect(gaps.unreported(after: 30, evictedThrough: 31) == 31...31)
    }
}
