package import APNsRules

/// Limits how often the same thing is reported: the first time at once, all others within an interval together at its
/// end; remembers only the keys that were recorded within their interval, and at most as many others.
package struct ReportThrottle: Sendable, Equatable {
    package enum Advice: Sendable, Equatable {
        case report
        /// Call ``ReportThrottle/takeDue(at:)`` after this time.
        case reportLater(Duration)
        /// Report nothing now: a later report includes this occurrence.
        case counted
    }

    /// The unreported repetitions of one key.
    package struct Repeats: Sendable, Equatable {
        /// `nil` for all keys beyond the limit.
        package let key: String?
        package let count: Int
    }

    fileprivate struct Reported: Equatable {
        let at: Instant
        let interval: Duration
        var repeats = 0

        /// What is left of the interval; `nil` when it is over, or the clock was set back.
        func rest(at now: Instant) -> Duration? {
            let rest = interval - now.since(at)
            return rest > .zero && rest <= interval ? rest : nil
        }
    }

    private static let rememberedMin = 64
    private var reported: [String?: Reported] = [:]
    private let keysMax: Int
    // When this many keys are remembered, keys that have been quiet are forgotten.
    private var rememberedMax = ReportThrottle.rememberedMin

    /// - Parameter keysMax: How many keys are distinguished; the others count as one.
    package init(keysMax: Int = .max) { self.keysMax = keysMax }
    var rememberedCount: Int { reported.count }

    /// Records that something happened, by a key and the least time between two reports of it.
    package mutating func recordOccurrence(of key: String, at now: Instant, interval: Duration) -> Advice {
        var key: String? = key
        if reported[key] == nil {
            if reported.count >= min(rememberedMax, keysMax - 1) { forgetQuiet(at: now) }
            if reported.count >= keysMax - 1 { key = nil }
        }
        guard let last = reported[key], last.repeats > 0 || last.rest(at: now) != nil else {
            reported[key] = Reported(at: now, interval: interval)
            return .report
        }
        reported[key]?.repeats += 1
        guard last.repeats == 0, let rest = last.rest(at: now) else { return .counted }
        return .reportLater(rest)
    }

    /// Whether ``takeDue(at:)`` would return repeats.
    package func hasDue(at now: Instant) -> Bool {
        reported.values.contains { $0.repeats > 0 && $0.rest(at: now) == nil }
    }

    /// The keys that are to be reported again.
    package var repeatedKeys: [String] { reported.compactMap { $0.value.repeats > 0 ? $0.key : nil } }

    /// Takes the repeats whose interval is over, by key, begins their next one, and returns when to call this again;
    /// keys without repeats are forgotten.
    package mutating func takeDue(at now: Instant) -> (due: [Repeats], next: Duration?) {
        var due: [Repeats] = []
        var next: Duration?
        for (key, last) in reported {
            if let rest = last.rest(at: now) {
                if last.repeats > 0 { next = min(next ?? rest, rest) }
            } else if last.repeats > 0 {
                due.append(Repeats(key: key, count: last.repeats))
                reported[key] = Reported(at: now, interval: last.interval)
            } else {
                reported.removeValue(forKey: key)
            }
        }
        return (due.sorted { ($0.key == nil ? 1 : 0, $0.key ?? "") < ($1.key == nil ? 1 : 0, $1.key ?? "") }, next)
    }

    /// A throttle with only the keys that were recorded within their interval, or are to be reported.
    package func narrowed(at now: Instant) -> ReportThrottle {
        var narrowed = self
        narrowed.forgetQuiet(at: now)
        return narrowed
    }

    private mutating func forgetQuiet(at now: Instant) {
        reported = reported.filter { $0.value.repeats > 0 || $0.value.rest(at: now) != nil }
        rememberedMax = max(ReportThrottle.rememberedMin, 2 * reported.count)
    }
}

extension ReportThrottle: ByteRecord {
    /// What may still matter, not how many keys are distinguished.
    package static let members: some ByteForm<ReportThrottle> = ByteMembers(ReportThrottle.init(reported:)) {
        OptionallyKeyed($0.reported)
    }

    private init(reported: OptionallyKeyed<Reported>) {
        self.init()
        self.reported = reported.values
        rememberedMax = max(ReportThrottle.rememberedMin, 2 * reported.values.count)
    }
}

extension ReportThrottle.Reported: ByteRecord {
    static let members = ByteMembers(ReportThrottle.Reported.init) { ($0.at, $0.interval, $0.repeats) }
}
