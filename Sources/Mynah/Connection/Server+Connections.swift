internal import APNsRules

// MARK: - Connections

extension Server {
    /// The open connections, in the order of their numbers; each is asked on its own loop.
    public func connections() async -> [ConnectionView] {
        await views(of: connectionTable.entries().entries)
    }

    /// The entries of the open connections, and how often they have changed.
    package var connectionEntries: (entries: [ConnectionEntry], revision: UInt64) { connectionTable.entries() }

    /// Asks connections for their traffic; those that have closed meanwhile are left out.
    package func views(of entries: [ConnectionEntry]) async -> [ConnectionView] {
        var views: [ConnectionView] = []
        for entry in entries {
            guard let traffic = await connectionTable.traffic(of: entry.id) else { continue }
            views.append(ConnectionView(entry, traffic))
        }
        return views
    }

    /// Waits until a connection has opened, closed or proved a credential since a revision, at most until a deadline.
    package func waitForConnections(since revision: UInt64, until deadline: ContinuousClock.Instant) async {
        await connectionTable.wait(since: revision, until: deadline)
    }

    /// Ends a connection: by GOAWAY, its streams finished for at most `--shutdown-grace`, or at once by a TCP reset.
    ///
    /// Returns when it has ended; `false` if no open connection has the number.
    public func closeConnection(_ id: UInt64, abort: Bool = false) async -> Bool {
        await connectionTable.close(id, reason: .shutdown, grace: settings.shutdownGrace, abort: abort)
    }

    /// The newest connections whose TLS handshake failed, oldest first, and how many failed since the start or the last
    /// reset of notifications.
    package var failedHandshakes: (items: [FailedHandshake], total: UInt64) { connectionTable.failedHandshakes.newest }

    /// Connections that were reset because of `--reconnect-limit`.
    public var refusedConnectionCount: Int { connectionTable.refusedCount }
}
