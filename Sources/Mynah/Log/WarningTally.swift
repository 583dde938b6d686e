/// Decides which of the warnings that clients cause become log lines: the first of its kind at once, further ones as a
/// number at the end of each interval.
///
/// A value without a clock: its owner says when an interval ends.
struct WarningTally: Sendable {
    /// Warnings of one kind that were not logged.
    struct Repeats: Sendable, Equatable {
        /// The kind; `nil` for all kinds beyond ``kindsMax``.
        let kind: String?
        /// How many there were.
        let count: Int
    }

    /// What to do with a warning.
    enum Advice: Sendable, Equatable {
        /// Log it; `beginsInterval` when no interval was running.
        case log(beginsInterval: Bool)
        /// Don't: it is counted.
        case count
    }

    /// The most kinds that are told apart, since a client can make new ones at will.
    static let kindsMax = 64

    // How often each kind that was logged came again in this interval.
    private var repeats: [String: Int] = [:]
    private var beyondMax = 0

    /// Takes a warning.
    mutating func note(_ kind: String) -> Advice {
        if let count = repeats[kind] {
            repeats[kind] = count + 1
            return .count
        }
        guard repeats.count < WarningTally.kindsMax else {
            beyondMax += 1
            return .count
        }
        let beginsInterval = repeats.isEmpty
        repeats[kind] = 0
        return .log(beginsInterval: beginsInterval)
    }

    /// Ends an interval: returns what was counted in it, and forgets the kinds that did not come again.
    mutating func endInterval() -> (repeats: [Repeats], goesOn: Bool) {
        var found = repeats.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { Repeats(kind: $0.key, count: $0.value) }
        if beyondMax > 0 { found.append(Repeats(kind: nil, count: beyondMax)) }
        repeats = repeats.filter { $0.value > 0 }.mapValues { _ in 0 }
        beyondMax = 0
        return (found, !repeats.isEmpty)
    }
}
