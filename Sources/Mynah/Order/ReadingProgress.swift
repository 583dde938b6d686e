/// Says now and then how far a start that takes long has read.
struct ReadingProgress {
    /// How often the progress is logged.
    static let interval: Duration = .seconds(2)

    private let what: String
    private var reported: ContinuousClock.Instant

    /// Begins with the reading; `what` is read, such as "the run".
    init(of what: String, at now: ContinuousClock.Instant = .now) {
        self.what = what
        reported = now
    }

    /// The line to log after a batch; `nil` if the last one is not long ago.
    mutating func line(
        after position: UInt64, of last: UInt64, at now: ContinuousClock.Instant = .now
    ) -> String? {
        guard now - reported >= ReadingProgress.interval else { return nil }
        reported = now
        return "reading \(what): batch \(position) of \(max(position, last))"
    }
}
