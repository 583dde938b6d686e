internal import APNsRules

/// How many pushes to one device token are accepted within a time (`ProviderAPI#Request-rates`).
package struct RequestLimit: Sendable, Equatable {
    package let count: Int
    package let period: Duration

    package init(count: Int, period: Duration) {
        precondition(count > 0 && period > .zero, "a limit accepts something")
        (self.count, self.period) = (count, period)
    }
}

/// The pushes to one device token that were accepted since a period began: with its first push, or the first one after
/// the last period's end.
struct RequestWindow: Sendable, Hashable {
    private var start: Instant?
    private var accepted = 0

    /// Counts a push that is accepted otherwise; throws if it is one too many, which doesn't count.
    mutating func count(at now: Instant, _ limit: RequestLimit) throws(Refusal) {
        guard let start, now.since(start) < limit.period else {
            (start, accepted) = (now, 1)
            return
        }
        guard accepted < limit.count else {
            throw Refusal(
                .tooManyRequests,
                "the device token has had \(accepted) pushes since \(start.rfc3339); at most \(limit.count) within "
                    + "\(DurationText.text(limit.period)) are allowed")
        }
        accepted += 1
    }
}
