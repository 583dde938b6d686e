internal import MynahWire

/// What a server has counted since it started, over all loops.
package struct ServerCounts: Sendable {
    /// Times from the read that completed a request until its reply was handed to TLS, in seconds.
    package struct ReplyTimes: Sendable {
        /// The buckets' upper bounds, inclusive.
        package let bounds: [Double]
        /// How many replies fell into each bucket; the last one has no bound.
        package let counts: [UInt64]
        /// All times together.
        package let sum: Double
    }

    /// Pushes by answer and by outcome.
    package let answers: AnswerCounts
    /// How long replies took.
    package let replyTimes: ReplyTimes
    /// Streams of HTTP/2 that are open now.
    package let openStreams: Int
    /// Connections that were accepted.
    package let openedConnections: UInt64
    /// TLS handshakes that failed, by the names of their causes.
    package let failedHandshakes: [(cause: String, count: UInt64)]
}

extension Server {
    /// Asks every loop and every connection what it has counted; costs each one short task.
    ///
    /// - Throws: an error when the server has shut down.
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

extension ServerCounts.ReplyTimes {
    private static let nanosecondsOfASecond = 1_000_000_000.0

    init(_ histogram: LatencyHistogram) {
        bounds = LatencyHistogram.bounds.map { Double($0) / Self.nanosecondsOfASecond }
        counts = histogram.counts
        sum = Double(histogram.nanoseconds) / Self.nanosecondsOfASecond
    }
}
