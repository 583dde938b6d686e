internal import APNsRules
internal import MynahWire

/// The connections (`ControlAPI#Endpoints`).
extension Server {
    /// The open connections, in the order of their numbers; each is asked on its own loop.
    package func connections() async -> [ConnectionView] { await views(of: connectionTable.entries().entries) }

    /// The open connections without their traffic, and how often they have changed.
    package var connectionEntries: (entries: [ConnectionView], revision: UInt64) { connectionTable.entries() }

    /// Asks connections for their traffic; those that have closed meanwhile are left out.
    package func views(of entries: [ConnectionView]) async -> [ConnectionView] {
        var views: [ConnectionView] = []
        for entry in entries {
            guard let traffic = await connectionTable.traffic(of: entry.id) else { continue }
            views.append(entry.with(traffic))
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
    package func closeConnection(_ id: UInt64, abort: Bool = false) async -> Bool {
        await connectionTable.close(id, reason: .shutdown, grace: settings.shutdownGrace, abort: abort)
    }

    /// Ends all connections with GOAWAY; returns how many there were.
    package func closeConnections() async -> Int {
        await connectionTable.shutDown(reason: .shutdown, grace: settings.shutdownGrace)
    }

    /// The newest connections whose TLS handshake failed, oldest first, and how many failed since the start or the last
    /// reset of notifications.
    package var failedHandshakes: (items: [FailedHandshake], total: UInt64) { connectionTable.failedHandshakes.newest }

    /// How many connections are open.
    package var connectionCount: Int { connectionTable.count }

    /// Connections that were reset because of `--reconnect-limit`.
    package var refusedConnectionCount: Int { connectionTable.refusedCount }
}

/// The counters of a server since its start, over all loops.
package struct ServerCounts: Sendable {
    /// Times from the read that completed a request until its reply was handed to TLS, in seconds.
    package struct ReplyTimes: Sendable {
        /// The buckets' upper bounds, inclusive.
        package let bounds: [Double]
        /// The number of replies in each bucket; the last one has no bound.
        package let counts: [UInt64]
        package let sum: Double

        fileprivate init(_ histogram: LatencyHistogram) {
            let nanosecondsOfASecond = 1_000_000_000.0
            bounds = LatencyHistogram.bounds.map { Double($0) / nanosecondsOfASecond }
            counts = histogram.counts
            sum = Double(histogram.nanoseconds) / nanosecondsOfASecond
        }
    }

    package let answers: AnswerCounts
    package let replyTimes: ReplyTimes
    package let openStreams: Int
    package let openedConnections: UInt64
    /// The number of failed TLS handshakes, by cause.
    package let failedHandshakes: [(cause: String, count: UInt64)]
}

extension Server {
    /// Asks every loop and every connection; throws if the server has shut down.
    package func counts() async throws -> ServerCounts {
        var answers = core.journal.laterOutcomes
        var latency = LatencyHistogram()
        for loop in try await loops.ask({ ($0.answers, $0.wire.latency) }) {
            answers.add(loop.0)
            latency.add(loop.1)
        }
        return ServerCounts(
            answers: answers, replyTimes: ServerCounts.ReplyTimes(latency),
            openStreams: await connectionTable.openStreams(), openedConnections: connectionTable.acceptedCount,
            failedHandshakes: connectionTable.failedHandshakes.counts.map { ($0.cause.rawValue, $0.count) })
    }
}
