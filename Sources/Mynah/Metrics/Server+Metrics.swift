internal import MynahWire

/// The counters of a server since its start, over all loops.
package struct ServerCounts: Sendable {
    /// Times from the read that completed a request until its reply was handed to TLS, in seconds.
    package struct ReplyTimes: Sendable {
        /// The buckets' upper bounds, inclusive.
        package let bounds: [Double]
        /// The number of replies in each bucket; the last one has no bound.
        package let counts: [UInt64]
        package let sum: Double
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

extension ServerCounts.ReplyTimes {
    private static let nanosecondsOfASecond = 1_000_000_000.0

    init(_ histogram: LatencyHistogram) {
        bounds = LatencyHistogram.bounds.map { Double($0) / Self.nanosecondsOfASecond }
        counts = histogram.counts
        sum = Double(histogram.nanoseconds) / Self.nanosecondsOfASecond
    }
}
