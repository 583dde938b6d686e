/// How long a reader of events rests between two looks, so that watching does not slow what is watched.
///
/// While few pushes come, a short rest only gathers what comes together. The more come, and the more readers there are, the
/// longer each rests: all of them together take about a quarter of a core at ``loadMin`` pushes a second, a twentieth
/// at ten times as many, and from ``floodMin`` on each looks once in ``restMax``. They lag behind then, within what the
/// journal keeps, until fewer come. They look at the same moments, so that those who are equally far find in
/// ``RenderedPushes`` what the first of them has written.
struct ReadingPace: Sendable {
    /// Pushes and other events per second from which on readers hold back.
    static let loadMin: Double = 2000
    /// Pushes and other events per second that nobody can read anyway.
    static let floodMin: Double = 40_000
    /// A rest that gathers; the most that an event is late while little happens.
    static let gatheringRest: Duration = .milliseconds(5)
    /// The longest rest, a power of two milliseconds like all by which readers wait for each other.
    static let restMax: Duration = .milliseconds(1024)

    /// All readers, this one among them.
    let readers: EventReaders
    private var lastIssued: UInt64
    private var lastRest: ContinuousClock.Instant
    private var lookBegan: ContinuousClock.Instant

    /// The pace of a reader that begins when the numbers have come to `issued`.
    init(_ readers: EventReaders, issued: UInt64, now: ContinuousClock.Instant) {
        self.readers = readers
        self.lastIssued = issued
        self.lastRest = now
        self.lookBegan = now
    }

    /// A look begins.
    mutating func begin(now: ContinuousClock.Instant) { lookBegan = now }

    /// How long to rest after the look, when the numbers have come to `issued`.
    ///
    /// - Parameters:
    ///   - hasFound: Whether the look found anything; if not, the reader waits for a change.
    ///   - hasMore: Whether there is more to read at once.
    mutating func rest(
        issued: UInt64, hasFound: Bool, hasMore: Bool, now: ContinuousClock.Instant
    ) -> Duration {
        let seconds = max(lastRest.duration(to: now) / .seconds(1), 0.001)
        let load = Double(issued - lastIssued) / seconds
        lastIssued = issued
        lastRest = now
        guard hasFound else { return .zero }
        guard load >= ReadingPace.loadMin else { return hasMore ? .zero : ReadingPace.gatheringRest }
        guard load < ReadingPace.floodMin else { return together(ReadingPace.restMax, now) }
        let rest = lookBegan.duration(to: now) * ((load / ReadingPace.loadMin + 1) * 2 * Double(readers.count))
        return together(min(max(rest, ReadingPace.gatheringRest), ReadingPace.restMax), now)
    }

    /// A rest of about the given length that ends when that of other readers does.
    private func together(_ rest: Duration, _ now: ContinuousClock.Instant) -> Duration {
        var beat: Duration = .milliseconds(1)
        while beat < rest { beat *= 2 }
        let sinceStart = readers.start.duration(to: now)
        let next = beat * (Int(sinceStart / beat) + 1) - sinceStart
        // No shorter than half of what was wanted.
        return next * 2 < rest ? next + beat : next
    }
}
