package import APNsRules
internal import MynahCore
internal import MynahWire
internal import Synchronization

/// A TLS handshake that failed, as `GET /v1/failed-handshakes` shows it.
package struct FailedHandshake: Sendable, Hashable {
    /// The connection's number.
    let id: UInt64
    /// When it failed, by the server's clock.
    let at: Instant
    /// The client's address and port.
    let peer: String
    /// The server name that the client asked for; `nil` when it asked for none, or sent no ClientHello.
    let serverName: String?
    /// The environment that its pushes would have gone to.
    let environment: APNsEnvironment
    /// Why it failed.
    let cause: HandshakeFailure.Cause
    /// What happened and what helps, in a sentence.
    let reason: String
    /// How many have failed for this cause so far, this one included.
    var count: UInt64 = 0

    /// The failure as the control API prints it.
    package var json: JSONValue {
        [
            "id": .number(JSONNumber(id)), "at": .string(at.rfc3339), "peer": .string(peer),
            "sni": serverName.map { .string($0) } ?? .null, "environment": .string(environment.rawValue),
            "cause": .string(cause.rawValue), "reason": .string(reason), "count": .number(JSONNumber(count)),
        ]
    }
}

/// The TLS handshakes of a server that failed: how many for each cause, and the newest of them.
///
/// Bounded whatever clients do: further failures of one cause within ``interval`` are one event, and only the newest
/// ``keptMax`` are kept.
final class FailedHandshakes: Sendable {
    /// How many are kept: enough for a person to read.
    static let keptMax = 100
    /// The least time between two events about one cause; a flood then leaves room for hours of other events.
    static let interval: Duration = .seconds(1)

    private struct State {
        var newest: [FailedHandshake] = []
        var counts: [HandshakeFailure.Cause: UInt64] = [:]
        // The counts at the last reset.
        var countsBefore: [HandshakeFailure.Cause: UInt64] = [:]

        var sinceReset: UInt64 { counts.values.reduce(0, +) - countsBefore.values.reduce(0, +) }
    }

    private let state = Mutex(State())
    private let events: EventLog?

    /// None; they are noted as events.
    init(events: EventLog?) {
        self.events = events
    }

    /// Counts and keeps one.
    func note(_ failure: FailedHandshake) {
        let counted = state.withLock { state in
            var counted = failure
            state.counts[failure.cause, default: 0] += 1
            counted.count = state.counts[failure.cause, default: 0]
            if state.newest.count == FailedHandshakes.keptMax { state.newest.removeFirst() }
            state.newest.append(counted)
            return counted
        }
        // No rule has an id with a space.
        events?.notePaced("handshake \(failure.cause)", interval: FailedHandshakes.interval) {
            .connection(counted.json, .failed)
        }
    }

    /// The newest, oldest first, and how many there were since the start or the last reset.
    var newest: (items: [FailedHandshake], total: UInt64) { state.withLock { ($0.newest, $0.sinceReset) } }

    /// How many failed since the start, by cause, in the order of the causes.
    var counts: [(cause: HandshakeFailure.Cause, count: UInt64)] {
        state.withLock { state in HandshakeFailure.Cause.allCases.map { ($0, state.counts[$0, default: 0]) } }
    }

    /// Forgets those that are kept; the counts by cause go on.
    func reset() {
        state.withLock { state in
            state.newest.removeAll()
            state.countsBefore = state.counts
        }
    }
}
