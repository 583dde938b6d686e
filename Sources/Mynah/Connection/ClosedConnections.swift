package import APNsRules
package import MynahCore
internal import Synchronization

/// A connection that has closed, as `GET /v1/closed-connections` shows it.
package struct ClosedConnection: Sendable {
    let connection: ConnectionView
    /// When the connection closed, by the server's clock.
    let closedAt: Instant
    /// Why the server closed it, if because of an error.
    let reason: String?

    package var id: UInt64 { connection.id }

    package var json: JSONValue { .object(ClosedConnection.fields.members(of: self)) }

    package static let fields: Fields<ClosedConnection> =
        ConnectionView.fields.shown(\.connection) + [
            Field(shown: "closedAt", .time, "By the server's clock.") { .string($0.closedAt.rfc3339) },
            Field(
                shown: "reason", .nullableText,
                "The error because of which the server closed it, in a sentence; null for none."
            ) { .text($0.reason) },
        ]
}

/// The connections of a server that have closed since the start or the last reset of notifications: their number, and the
/// newest ``keptMax`` of them.
final class ClosedConnections: Sendable {
    static let keptMax = 100

    private let state = Mutex<(items: [ClosedConnection], total: UInt64)>(([], 0))

    func add(_ closed: ClosedConnection) {
        state.withLock { state in
            state.total += 1
            if state.items.count == ClosedConnections.keptMax { state.items.removeFirst() }
            state.items.append(closed)
        }
    }

    /// Oldest first.
    var newest: (items: [ClosedConnection], total: UInt64) { state.withLock { $0 } }

    func reset() { state.withLock { $0 = ([], 0) } }
}
