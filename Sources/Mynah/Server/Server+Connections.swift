internal import APNsRules
internal import MynahWire

/// The counters of a server since its start, over all loops.
package struct ServerCounts: Sendable {
    package let answers: AnswerCounts
    /// The times from the read that completed a request until its reply was handed to TLS, in seconds: the buckets' upper
    /// bounds, inclusive, and the number of replies in each, of which the last has no bound.
    package let replyTimes: (bounds: [Double], counts: [UInt64], sum: Double)
    package let openStreams: Int
    package let openedConnections: UInt64
    /// The number of failed TLS handshakes, by cause.
    package let failedHandshakes: [(cause: String, count: UInt64)]
}

/// The connections (`ControlAPI#Endpoints`).
extension Server {
    /// The open connections, in the order of their numbers, with their traffic, which each one's loop knows.
    package func connections() async -> [ConnectionView] { await views(of: connectionTable.entries().entries) }
    /// The open connections without their traffic, and how often they have changed.
    package var connectionEntries: (entries: [ConnectionView], revision: UInt64) { connectionTable.entries() }

    /// Asks connections for their traffic; connections that have closed meanwhile are left out.
    package func views(of entries: [ConnectionView]) async -> [ConnectionView] {
        var views: [ConnectionView] = []
        for var view in entries {
            guard connectionTable.isOwn(view) else {
                views.append(view)
                continue
            }
            guard let traffic = await connectionTable.traffic(of: view.id) else { continue }
            view.traffic = traffic
            views.append(view)
        }
        return views
    }

    /// Waits until a connection has opened, closed or proved a credential since a revision, at most until a deadline.
    package func waitForConnections(since revision: UInt64, until deadline: ContinuousClock.Instant) async {
        _ = await finishes(before: deadline) { [connectionTable] in await connectionTable.wait(since: revision) }
    }

    /// Ends a connection by GOAWAY with `--shutdown-grace`, or by a TCP reset, and waits for its end; `false` if not open.
    ///
    /// - Throws: ``InputError`` if it is one that is only listed, and its end can't be ordered at present.
    package func closeConnection(_ id: UInt64, abort: Bool = false) async throws(InputError) -> Bool {
        guard connectionTable.isOnlyListed(id) else {
            return await connectionTable.close(id, reason: .shutdown, grace: settings.shutdownGrace, abort: abort)
        }
        try await perform(EndConnections(connections: [id], isAborted: abort))
        await connectionTable.waitForEnd(ofListed: id, grace: settings.shutdownGrace)
        return true
    }

    /// Ends all connections with GOAWAY, those that are only listed as well; returns how many there were.
    package func closeConnections() async throws(InputError) -> Int {
        let listed = connectionTable.onlyListed
        if !listed.isEmpty { try await perform(EndConnections(connections: listed, isAborted: false)) }
        let own = await connectionTable.shutDown(reason: .shutdown, grace: settings.shutdownGrace)
        for number in listed { await connectionTable.waitForEnd(ofListed: number, grace: settings.shutdownGrace) }
        return own + listed.count
    }

    /// The newest failures, oldest first, and how many there were since the start or the last reset of notifications.
    package var failedHandshakes: (items: [FailedHandshake], total: UInt64) { connectionTable.failedHandshakes.newest }
    /// The newest connections that have closed, oldest first, and how many there were since the start or the last reset of
    /// notifications.
    package var closedConnections: (items: [ClosedConnection], total: UInt64) {
        connectionTable.closedConnections.newest
    }
    /// The number of connections, including those in their handshake.
    package var connectionCount: Int { connectionTable.count }
    /// Connections that were reset because of `--reconnect-limit`.
    package var refusedConnectionCount: Int { connectionTable.refusedCount }

    /// Asks every loop and every connection; throws if the server has shut down.
    package func counts() async throws -> ServerCounts {
        var answers = simulation.journal.laterOutcomes
        if let order { answers.add(try await order.answers()) }
        var latency = LatencyHistogram()
        for loop in try await loops.ask({ ($0.applier.answers, $0.wire.latency) }) {
            answers.add(loop.0)
            latency.add(loop.1)
        }
        func seconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1_000_000_000 }
        return ServerCounts(
            answers: answers,
            replyTimes: (LatencyHistogram.bounds.map(seconds), latency.counts, seconds(latency.nanoseconds)),
            openStreams: await connectionTable.openStreams(), openedConnections: connectionTable.acceptedCount,
            failedHandshakes: connectionTable.failedHandshakes.counts.map { ($0.cause.rawValue, $0.count) })
    }
}
