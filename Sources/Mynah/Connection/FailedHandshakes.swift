package import APNsRules
package import MynahCore
internal import MynahWire
internal import Synchronization

/// A TLS handshake that failed, as `GET /v1/failed-handshakes` shows it.
package struct FailedHandshake: Sendable, Hashable {
    package let id: UInt64
    /// When the handshake failed, by the server's clock.
    let at: Instant
    let peer: String
    /// The server name of the ClientHello, if there was one.
    let serverName: String?
    /// The environment that pushes on the connection would have gone to.
    let environment: APNsEnvironment
    let cause: HandshakeFailure.Cause
    /// What happened, and a remedy.
    let reason: String
    /// How many have failed for this cause, including this one.
    var count: UInt64 = 0

    package var json: JSONValue { .object(FailedHandshake.fields.members(of: self)) }

    package static let fields: Fields<FailedHandshake> = [
        Field(shown: "id", .whole, "The number of the connection.") { .whole($0.id) },
        Field(shown: "at", .time, "By the server's clock.") { .string($0.at.rfc3339) },
        Field(shown: "peer", .anyText, "The client's address and port.") { .string($0.peer) },
        Field(shown: "sni", .nullableText, "The host name that the client sent; null for none.") {
            .text($0.serverName)
        },
        Field(shown: "environment", APNsEnvironment.form, "The environment of APNs.") { $0.environment.json },
        Field(shown: "cause", .choice(HandshakeFailure.Cause.self), causes) { .string($0.cause.rawValue) },
        Field(shown: "reason", .anyText, "What happened and how to fix it, in a sentence.") { .string($0.reason) },
        Field(shown: "count", .whole, "Failures with this cause since the start, including this one.") {
            .whole($0.count)
        },
    ]

    private static let causes = """
        serverNotTrusted: the client refused the server's certificate; notTLS: the client sent something \
        other than TLS; noHTTP2: its ALPN list has no h2, and it did not use HTTP/2; tlsVersion: it offers neither \
        TLS 1.2 nor 1.3; clientCertificate: its certificate was refused; hungUp: it closed the connection without \
        an alert, in the handshake or right after it; timedOut: it did not finish in time; fault: a fault rule acted \
        on the handshake.
        """
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
    func count(_ failure: FailedHandshake) -> FailedHandshake {
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
