internal import MynahCore
internal import Synchronization

/// Numbers connections in the order of their first requests since the start or the last reset, so that the same seed and
/// requests get the same generated ids again.
final class ConnectionChances: Sendable {
    private let seed: UInt64
    // Resets in the upper half, connections since then in the lower.
    private let counts = Atomic<UInt64>(0)

    init(seed: UInt64) {
        self.seed = seed
    }

    /// How many resets there have been.
    var resetCount: UInt32 { UInt32(counts.load(ordering: .acquiring) >> 32) }

    /// The random numbers of a connection that sends its first request.
    func next() -> ConnectionChance {
        let counted = counts.add(1, ordering: .acquiringAndReleasing).newValue
        let place = UInt64(UInt32(truncatingIfNeeded: counted))
        return ConnectionChance(
            resetCount: UInt32(counted >> 32), random: SeededGenerator(seed: seed).split(for: place))
    }

    /// Lets all connections count anew, open ones too.
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

/// The random numbers of one connection's requests, each request's its own.
struct ConnectionChance {
    /// The resets before this connection was numbered; after a further one it is numbered anew.
    let resetCount: UInt32
    private let random: SeededGenerator
    private var requestCount: UInt64 = 0

    fileprivate init(resetCount: UInt32, random: SeededGenerator) {
        self.resetCount = resetCount
        self.random = random
    }

    /// Those of the next request.
    mutating func next() -> SeededGenerator {
        requestCount += 1
        return random.split(for: requestCount)
    }
}
