internal import MynahCore
internal import Synchronization

/// Numbers connections in the order of their first requests since the start or the last reset, so that the same seed and
/// requests lead to the same generated ids.
final class ConnectionRandomSource: Sendable {
    private let seed: UInt64
    // The number of resets in the upper half, of connections since then in the lower.
    private let counts = Atomic<UInt64>(0)
    init(seed: UInt64) { self.seed = seed }
    var resetCount: UInt32 { UInt32(counts.load(ordering: .acquiring) >> 32) }

    /// The random numbers for a connection that sends its first request.
    func next() -> ConnectionRandom {
        let counted = counts.add(1, ordering: .acquiringAndReleasing).newValue
        let place = UInt64(UInt32(truncatingIfNeeded: counted))
        return ConnectionRandom(
            resetCount: UInt32(counted >> 32), random: SeededGenerator(seed: seed).split(for: place))
    }

    /// Starts over with the first number, for open connections too.
    func reset() {
        var counted = counts.load(ordering: .relaxed)
        while true {
            let (isDone, found) = counts.compareExchange(
                expected: counted, desired: (counted >> 32 + 1) << 32, ordering: .acquiringAndReleasing)
            if isDone { return }
            counted = found
        }
    }
}

/// The random numbers of one connection, a stream for each request.
struct ConnectionRandom {
    /// The number of resets before this connection was numbered; after another one it gets a new number.
    let resetCount: UInt32
    private let random: SeededGenerator
    private var requestCount: UInt64 = 0

    fileprivate init(resetCount: UInt32, random: SeededGenerator) {
        (self.resetCount, self.random) = (resetCount, random)
    }

    mutating func next() -> SeededGenerator {
        requestCount += 1
        return random.split(for: requestCount)
    }
}
