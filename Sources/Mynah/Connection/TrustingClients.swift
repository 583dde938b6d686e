internal import Synchronization

/// The clients that have just trusted the server's certificate, so that one of their spare connections, which they drop
/// unused, isn't taken for a sign of distrust.
final class TrustingClients: Sendable {
    /// Connections of one TLS library on one machine, which are counted as one client: programs can't be told apart
    /// otherwise.
    struct Client: Hashable, Sendable {
        private let address: Substring
        private let kind: Int

        /// A client by its address with a port, and by what its ClientHello offers.
        init(peer: String, kind: Int) {
            address = peer.lastIndex(of: ":").map { peer[..<$0] } ?? peer[...]
            self.kind = kind
        }
    }

    /// How long a client is known after the end of its last connection: one that lost a connection often opens spare ones.
    static let time: Duration = .seconds(10)
    /// The most clients that are remembered.
    static let countMax = 1024

    private struct Use {
        var openCount = 0
        var lastSeen: ContinuousClock.Instant
    }

    private let uses = Mutex<[Client: Use]>([:])

    /// Records a connection on which the client has sent something inside TLS.
    func enter(_ client: Client, at now: ContinuousClock.Instant = .now) {
        uses.withLock { uses in
            if uses[client] == nil, uses.count >= TrustingClients.countMax {
                uses = uses.filter { $0.value.openCount > 0 || now - $0.value.lastSeen < TrustingClients.time }
                guard uses.count < TrustingClients.countMax else { return }
            }
            uses[client, default: Use(lastSeen: now)].openCount += 1
        }
    }

    /// Records the end of a connection on which a client had sent something inside TLS.
    func leave(_ client: Client, at now: ContinuousClock.Instant = .now) {
        uses.withLock { uses in
            guard let use = uses[client] else { return }
            uses[client] = Use(openCount: max(use.openCount - 1, 0), lastSeen: now)
        }
    }

    func contains(_ client: Client, at now: ContinuousClock.Instant = .now) -> Bool {
        uses.withLock { uses in
            guard let use = uses[client] else { return false }
            return use.openCount > 0 || now - use.lastSeen < TrustingClients.time
        }
    }
}
