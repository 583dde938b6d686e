import APNsRules
import MynahCore
import MynahWire
import Testing

@testable import Mynah

/// What is kept and reported of failed TLS handshakes, however many there are.
struct FailedHandshakesTests {
    private static let now = Instant(milliseconds: 1_795_253_400_000)

    private func failure(_ id: UInt64, _ cause: HandshakeFailure.Cause) -> FailedHandshake {
        FailedHandshake(
            id: id, at: Self.now, peer: "127.0.0.1:1", serverName: nil, environment: .sandbox, cause: cause,
            reason: "TLS handshake failed")
    }

    @Test("a flood is counted, and keeps the newest hundred")
    func flood() {
        let failures = FailedHandshakes()
        for id in 1...5_000 {
            let noted = failures.count(failure(UInt64(id), id.isMultiple(of: 2) ? .hungUp : .notTLS))
            #expect(noted.count == UInt64((id + 1) / 2))
        }
        let (items, total) = failures.newest
        #expect(total == 5_000)
        #expect(items.map(\.id) == Array(4_901...5_000))
        #expect(items.last?.count == 2_500)
        #expect(failures.counts.map { $0.cause } == HandshakeFailure.Cause.allCases)
        for (cause, count) in failures.counts {
            #expect(count == (cause == .hungUp || cause == .notTLS ? 2_500 : 0), "\(cause)")
        }
    }

    @Test("a flood is few events for each cause")
    func events() {
        let journal = JournalStore(bounds: JournalBounds(entriesMax: 10)) { _ in }
        let wall = Wall()
        wall.set(to: Self.now)
        let events = EventLog(journal: journal, wall: wall) { Self.now }
        for id in 1...5_000 {
            events.record(.failed, ofConnection: failure(UInt64(id), id.isMultiple(of: 2) ? .hungUp : .notTLS).json)
        }
        // The first of each cause; what is delayed is never reported, as no loop looks at it.
        let told = events.events(after: 0, through: .max, limit: 5_000).events
        #expect(told.count == 2)
        #expect(told.allSatisfy { $0.kind == .connection })
        #expect(told.first?.json.encodedText.contains(#""change":"failed""#) == true)
    }

    @Test("a reset forgets kept failures, and the counts for metrics continue")
    func reset() {
        let failures = FailedHandshakes()
        _ = failures.count(failure(1, .notTLS))
        failures.reset()
        #expect(failures.newest.items.isEmpty)
        #expect(failures.newest.total == 0)
        _ = failures.count(failure(2, .notTLS))
        #expect(failures.newest.items.map(\.id) == [2])
        #expect(failures.newest.total == 1)
        #expect(failures.counts.first { $0.cause == .notTLS }?.count == 2)
    }
}
