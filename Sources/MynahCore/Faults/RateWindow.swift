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
        old = young
        young = [:]
        youngCount = 0
    }
}

extension RateWindow: ByteCodable {
    func write(to writer: inout ByteWriter) {
        writer.write(forgotten)
        for generation in [old, young] {
            writer.write(varint: UInt64(generation.count))
            for (key, stamps) in generation.sorted(by: { $0.key < $1.key }) {
                writer.write(key)
                writer.write(Array(stamps.times[stamps.oldest...] + stamps.times[..<stamps.oldest]))
            }
        }
    }

    init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init()
        forgotten = try reader.read()
        old = try RateWindow.generation(from: &reader)
        young = try RateWindow.generation(from: &reader)
        youngCount = young.values.reduce(0) { $0 + $1.times.count }
    }

    private static func generation(from reader: inout ByteReader) throws(CodingProblem) -> [Key: Stamps] {
        var generation: [Key: Stamps] = [:]
        for _ in 0..<(try reader.count()) {
            let key = try Key(from: &reader)
            let times = try [Instant](from: &reader)
            guard let newest = times.last, generation[key] == nil else {
                throw reader.problem("a rate counts a key twice, or without a request")
            }
            generation[key] = Stamps(times: times, newest: newest)
        }
        return generation
    }
}

extension RateWindow.Key: ByteCodable, Comparable {
    private enum Kind: UInt8 {
        case all = 0
        case token = 1
        case topic = 2
        case connection = 3
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
        case (.token(let one), .token(let other)) where one.leadingWord != other.leadingWord:
            one.leadingWord < other.leadingWord
        case (.token(let one), .token(let other)): one.bytes.lexicographicallyPrecedes(other.bytes)
        case (.topic(let one), .topic(let other)): one < other
        case (.connection(let one), .connection(let other)): one < other
        default: one.kind.rawValue < other.kind.rawValue
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.write(fixed: kind.rawValue)
        switch self {
        case .all: break
        case .token(let token): writer.write(token)
        case .topic(let topic): writer.write(topic)
        case .connection(let connection): writer.write(connection)
        }
    }

    init(from reader: inout ByteReader) throws(CodingProblem) {
        let number = try reader.byte()
        guard let kind = Kind(rawValue: number) else { throw reader.problem("\(number) is no key of a rate") }
        self =
            switch kind {
            case .all: .all
            case .token: .token(try reader.read())
            case .topic: .topic(try reader.read())
            case .connection: .connection(try reader.read())
            }
    }
}
