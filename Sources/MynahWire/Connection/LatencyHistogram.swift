internal import NIOCore

/// The latency of the replies on one loop, which counts without a lock; a reader adds up the copies of all loops.
package struct LatencyHistogram: Sendable, Equatable {
    /// The buckets' upper bounds in nanoseconds, inclusive: 50 µs to 2.5 s, more than the range on one machine.
    package static let bounds: [UInt64] = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000,
    ]

    package private(set) var counts = [UInt64](repeating: 0, count: bounds.count + 1)
    package private(set) var nanoseconds: UInt64 = 0

    package init() {}

    package mutating func record(_ nanoseconds: UInt64, count: Int) {
        let bucket = Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count
        counts[bucket] += UInt64(count)
        self.nanoseconds &+= nanoseconds &* UInt64(count)
    }

    package mutating func add(_ other: LatencyHistogram) {
        for bucket in counts.indices { counts[bucket] += other.counts[bucket] }
        nanoseconds &+= other.nanoseconds
    }
}

/// Times a connection's replies, from the read that completed their requests until they are handed to TLS.
struct ReplyTimer {
    private(set) var readAt = NIODeadline.uptimeNanoseconds(0)
    private var waiting = 0

    /// Records the time of a read; must not be called while earlier requests wait for their turn.
    mutating func bytesRead() { if waiting == 0 { readAt = .now() } }
    mutating func answered(_ count: Int) { waiting += count }

    /// Records the answered requests as handed over to TLS or, without TLS, to the channel.
    mutating func handedOver(to histogram: inout LatencyHistogram) {
        guard waiting > 0 else { return }
        histogram.record(UInt64(max(0, (.now() - readAt).nanoseconds)), count: waiting)
        waiting = 0
    }
}
