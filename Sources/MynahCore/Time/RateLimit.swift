internal import APNsRules

/// The most connections of one address, or pushes to one device token, within a time of the clock.
public struct RateLimit: Hashable, Sendable {
    /// Connections or pushes, at least 1.
    public var count: Int
    /// The time, above zero; it begins with the first of them.
    public var period: Duration

    /// A limit.
    public init(count: Int, period: Duration) {
        self.count = count
        self.period = period
    }
}

/// The number that was accepted within a period, which begins with the first one, or with the first one after the last
/// period's end; refused ones don't count.
struct RateLimitPeriod: Hashable, Sendable {
    private(set) var start: Instant
    private(set) var accepted = 0

    /// Counts one more; returns `false` if the limit is reached.
    mutating func accept(at now: Instant, _ limit: RateLimit) -> Bool {
        if now.since(start) >= limit.period { self = RateLimitPeriod(start: now) }
        guard accepted < limit.count else { return false }
        accepted += 1
        return true
    }
}

extension RateLimitPeriod: ByteRecord {
    static let members = ByteMembers(RateLimitPeriod.init) { ($0.start, $0.accepted) }
}
