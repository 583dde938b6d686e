/// The polling interval of a reader of events; it grows under load so that readers don't slow down pushes.
///
/// Under light load a short interval only batches what arrives together. Under heavier load, and with more readers,
/// each reader waits longer: together they use about a quarter of a core at ``loadMin`` pushes a second and a twentieth
/// of one at ten times that rate; from ``floodMin`` on, each reads once per ``longest``. Readers then lag, within what
/// the journal keeps, until the load falls. All readers poll at the same times, so that those at the same position find
/// in the ``RenderedEventCache`` what the first of them has written.
struct PollingInterval: Sendable {
    /// The rate of pushes and other events, per second, at which readers begin to slow down.
    static let loadMin: Double = 2000
    /// The rate of pushes and other events, per second, at which readers poll only once per ``longest``.
    static let floodMin: Double = 40_000
    /// Batches what arrives together; the longest delay of an event under light load.
    static let shortest: Duration = .milliseconds(5)
    /// A power of two in milliseconds, like all intervals that readers align.
    static let longest: Duration = .milliseconds(1024)

    /// All readers, including this one.
    let readers: EventReaders
    private var lastIssued: UInt64
    private var lastInterval: ContinuousClock.Instant
    private var readBegan: ContinuousClock.Instant

    /// The interval of a reader that begins when `issued` is the last sequence number.
    init(_ readers: EventReaders, issued: UInt64, now: ContinuousClock.Instant) {
        self.readers = readers
        self.lastIssued = issued
        self.lastInterval = now
        self.readBegan = now
    }

    mutating func begin(now: ContinuousClock.Instant) { readBegan = now }

    /// How long to wait after reading, when `issued` is the last sequence number; zero if nothing was found, because
    /// the reader then waits for a change.
    mutating func next(issued: UInt64, hasFound: Bool, hasMore: Bool, now: ContinuousClock.Instant) -> Duration {
        let seconds = max(lastInterval.duration(to: now) / .seconds(1), 0.001)
        let load = Double(issued - lastIssued) / seconds
        lastIssued = issued
        lastInterval = now
        guard hasFound else { return .zero }
        guard load >= PollingInterval.loadMin else { return hasMore ? .zero : PollingInterval.shortest }
        guard load < PollingInterval.floodMin else { return aligned(PollingInterval.longest, now) }
        let interval =
            readBegan.duration(to: now) * ((load / PollingInterval.loadMin + 1) * 2 * Double(readers.count))
        return aligned(min(max(interval, PollingInterval.shortest), PollingInterval.longest), now)
    }

    /// An interval of about the given length that ends at the same time as those of other readers.
    private func aligned(_ interval: Duration, _ now: ContinuousClock.Instant) -> Duration {
        var period: Duration = .milliseconds(1)
        while period < interval { period *= 2 }
        let sinceEpoch = readers.epoch.duration(to: now)
        let next = period * (Int(sinceEpoch / period) + 1) - sinceEpoch
        // At least half of the requested interval.
        return next * 2 < interval ? next + period : next
    }
}
