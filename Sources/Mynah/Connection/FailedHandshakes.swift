package import APNsRules
internal import MynahCore
internal import MynahWire
internal import Synchronization

/// A TLS handshake that failed, as `GET /v1/failed-handshakes` shows it.
package struct FailedHandshake: Sendable, Hashable {
    package let id: UInt64
    /// When it failed, by the server's clock.
    let at: Instant
    let peer: String
    /// The server name of the ClientHello, if there was one.
    let serverName: String?
    /// The environment that its pushes would have gone to.
    let environment: APNsEnvironment
    let cause: HandshakeFailure.Cause
    /// What happened, and a remedy.
    let reason: String
    /// How many have failed for this cause, including this one.
    var count: UInt64 = 0

    package var json: JSONValue {
        [
            "id": .whole(id), "at": .string(at.rfc3339), "peer": .string(peer), "sni": .text(serverName),
            "environment": .string(environment.rawValue), "cause": .string(cause.rawValue),
            "reason": .string(reason), "count": .whole(count),
        ]
    }
}

/// The failed TLS handshakes of a server: their number by cause, and the newest ``keptMax`` of them.
final class FailedHandshakes: Sendable {
    static let keptMax = 100

    private struct State {
        var newest: [FailedHandshake] = []
        var counts: [HandshakeFailure.Cause: UInt64] = [:]
        // The counts at the last reset.
        var countsBefore: [HandshakeFailure.Cause: UInt64] = [:]
        var sinceReset: UInt64 { counts.values.reduce(0, +) - countsBefore.values.reduce(0, +) }
    }

    private let state = Mutex(State())

    /// Counts a failure, and returns it with the count.
    func note(_ failure: FailedHandshake) -> FailedHandshake {
        state.withLock { state in
            state.counts[failure.cause, default: 0] += 1
            var counted = failure
            counted.count = state.counts[failure.cause, default: 0]
            if state.newest.count == FailedHandshakes.keptMax { state.newest.removeFirst() }
            state.newest.append(counted)
            return counted
        }
    }

    /// The newest failures, oldest first, and the number of all since the start or the last reset.
    var newest: (items: [FailedHandshake], total: UInt64) { state.withLock { ($0.newest, $0.sinceReset) } }

    /// The number of failures since the start, by cause.
    var counts: [(cause: HandshakeFailure.Cause, count: UInt64)] {
        state.withLock { state in HandshakeFailure.Cause.allCases.map { ($0, state.counts[$0, default: 0]) } }
    }

    /// Forgets the newest failures; the counts by cause continue.
    func reset() {
        state.withLock { state in
            state.newest.removeAll()
            state.countsBefore = state.counts
        }
    }
}
