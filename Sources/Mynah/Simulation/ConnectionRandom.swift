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
        return ConnectionRandom(resetCount: UInt32(counted >> 32), place: place, seed: seed)
    }

    /// The random numbers for a connection in a shared order, by its own number, because the count here isn't of all
    /// connections; they go on behind those that it had before a reset.
    func next(for connection: UInt64, after before: ConnectionRandom?) -> ConnectionRandom {
        ConnectionRandom(
            resetCount: resetCount, place: connection, seed: seed, requestCount: before?.requestCount ?? 0)
    }

    /// Continues after the numbers of a request that is read from a log.
    func advance(past random: RequestRandom) {
        var counted = counts.load(ordering: .relaxed)
        while UInt64(UInt32(truncatingIfNeeded: counted)) < random.connection {
            let (isDone, found) = counts.compareExchange(
                expected: counted, desired: (counted >> 32) << 32 | random.connection, ordering: .acquiringAndReleasing)
            if isDone { return }
            counted = found
        }
    }

    /// The count of connections and requests, as a snapshot keeps it.
    var count: UInt64 { counts.load(ordering: .acquiring) }
    func restore(count: UInt64) { counts.store(count, ordering: .releasing) }

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
    private let place: UInt64
    private let random: SeededGenerator
    fileprivate private(set) var requestCount: UInt64

    fileprivate init(resetCount: UInt32, place: UInt64, seed: UInt64, requestCount: UInt64 = 0) {
        self.resetCount = resetCount
        self.place = place
        self.requestCount = requestCount
        random = SeededGenerator(seed: seed).split(for: place)
    }

    mutating func next() -> RequestRandom {
        requestCount += 1
        return RequestRandom(connection: place, request: requestCount, generator: random.split(for: requestCount))
    }
}

/// The random numbers of one request.
struct RequestRandom: Sendable {
    /// The place of the request's connection among the connections since the last reset.
    let connection: UInt64
    /// The place of the request among the requests of its connection.
    let request: UInt64
    let generator: SeededGenerator

    fileprivate init(connection: UInt64, request: UInt64, generator: SeededGenerator) {
        self.connection = connection
        self.request = request
        self.generator = generator
    }

    /// Finds the random numbers of a request again by the places of its connection and the request.
    init(connection: UInt64, request: UInt64, seed: UInt64) {
        let generator = SeededGenerator(seed: seed).split(for: connection).split(for: request)
        self.init(connection: connection, request: request, generator: generator)
    }
}
