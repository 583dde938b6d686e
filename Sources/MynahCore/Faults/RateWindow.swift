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
    fileprivate struct Stamps: Sendable {
        var times: [Instant] = []
        // Where the oldest is, once the ring is full.
        var oldest = 0
        var newest = Instant(milliseconds: .min)

        /// Records the time of a request; returns the time of the request that came `count` before it.
        mutating func recordRequest(at now: Instant, count: Int) -> Instant? {
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
}

extension RateWindow {
    init(stampsMax: Int = RateWindow.stampsMax) { self.init(generationMax: max(1, stampsMax / 2)) }
    var stampCount: Int { youngCount + old.values.reduce(0) { $0 + $1.times.count } }

    /// Records a request; returns whether it exceeds the rate.
    mutating func isExceeded(_ key: Key, _ rate: FaultSchedule.Rate, at now: Instant) -> Bool {
        guard rate.count > 0 else { return true }
        let known = young.removeValue(forKey: key)
        youngCount -= known?.times.count ?? 0
        var current = known ?? old.removeValue(forKey: key) ?? Stamps()
        let before = current.recordRequest(at: now, count: rate.count)
        youngCount += current.times.count
        young[key] = current
        if youngCount > generationMax { age(rate, now) }
        guard let before else { return false }
        return now.since(before) < rate.window
    }

    private mutating func age(_ rate: FaultSchedule.Rate, _ now: Instant) {
        forgotten += old.values.count { now.since($0.newest) < rate.window }
        old = young
        young = [:]
        youngCount = 0
    }
}

extension RateWindow: ByteRecord {
    static let members: some ByteForm<RateWindow> = ByteMembers({
        RateWindow(
            forgotten: $0, young: $2, old: $1, youngCount: $2.values.reduce(0) { $0 + $1.times.count },
            generationMax: RateWindow.stampsMax / 2)
    }) { ($0.forgotten, $0.old, $0.young) }
}

extension RateWindow.Stamps: ByteRecord {
    static let members = ByteMembers({
        RateWindow.Stamps(times: $0, newest: $0.last ?? Instant(milliseconds: .min))
    }) { Array($0.times[$0.oldest...] + $0.times[..<$0.oldest]) }

    var damage: String? { times.isEmpty ? "a rate counts a key without a request" : nil }
}

extension RateWindow.Key: ByteCodable, Comparable {
    private enum Kind: UInt8, NumberedCases {
        case all = 0
        case token = 1
        case topic = 2
        case connection = 3

        static func damage(_ number: UInt8) -> String { "\(number) is no key of a rate" }
    }

    private var kind: Kind {
        switch self {
        case .all: .all
        case .token: .token
        case .topic: .topic
        case .connection: .connection
        }
    }

    static func < (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.token(let one), .token(let other)): one < other
        case (.topic(let one), .topic(let other)): one < other
        case (.connection(let one), .connection(let other)): one < other
        default: one.kind.rawValue < other.kind.rawValue
        }
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .all: writer.write(kind)
        case .token(let token): writer.write(kind, token)
        case .topic(let topic): writer.write(kind, topic)
        case .connection(let connection): writer.write(kind, connection)
        }
    }

    init(from reader: inout ByteReader) throws(CodingProblem) {
        switch try Kind(from: &reader) {
        case .all: self = .all
        case .token: self = .token(try reader.read())
        case .topic: self = .topic(try reader.read())
        case .connection: self = .connection(try reader.read())
        }
    }
}
