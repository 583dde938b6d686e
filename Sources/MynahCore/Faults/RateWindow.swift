internal import APNsRules

/// The recent requests of each key: the memory of `rateOver`.
///
/// A sliding window, exact to the millisecond: a request is above the rate when the `count` requests before it all
/// arrived within the window. ``stampsMax`` bounds the memory: the keys quiet for longest are forgotten first.
struct RateWindow: Sendable {
    enum Key: Hashable, Sendable {
        case token(DeviceToken)
        case topic(String)
        case connection(UInt64)
        case all
    }

    /// The last times of one key, as a ring.
    private struct Stamps: Sendable {
        var times: [Instant] = []
        // Where the oldest is, once the ring is full.
        var oldest = 0
        var newest = Instant(milliseconds: .min)

        /// Notes a request; returns the time of the one `count` before it.
        mutating func note(_ now: Instant, count: Int) -> Instant? {
            newest = now
            guard times.count == count else {
                times.append(now)
                return nil
            }
            defer { oldest = (oldest + 1) % count }
            let before = times[oldest]
            times[oldest] = now
            return before
        }
    }

    /// The most times that one rule remembers, 8 MB of them.
    static let stampsMax = 1_000_000

    /// Keys that were forgotten although they were within their window.
    private(set) var forgotten = 0
    // Two generations: a key that is used moves to the young one; when that has half of all times, the old one goes.
    private var young: [Key: Stamps] = [:]
    private var old: [Key: Stamps] = [:]
    private var youngCount = 0
    private let generationMax: Int
    init(stampsMax: Int = RateWindow.stampsMax) { generationMax = max(1, stampsMax / 2) }
    var stampCount: Int { youngCount + old.values.reduce(0) { $0 + $1.times.count } }

    /// Notes a request; returns whether it exceeds the rate.
    mutating func isExceeded(_ key: Key, _ rate: FaultSchedule.Rate, at now: Instant) -> Bool {
        guard rate.count > 0 else { return true }
        let known = young.removeValue(forKey: key)
        youngCount -= known?.times.count ?? 0
        var current = known ?? old.removeValue(forKey: key) ?? Stamps()
        let before = current.note(now, count: rate.count)
        youngCount += current.times.count
        young[key] = current
        if youngCount > generationMax { age(rate, now) }
        guard let before else { return false }
        return now.since(before) < rate.window
    }

    private mutating func age(_ rate: FaultSchedule.Rate, _ now: Instant) {
        forgotten += old.values.count { now.since($0.newest) < rate.window }
        (old, young, youngCount) = (young, [:], 0)
    }
}
