package import APNsRules

extension Entry {
    /// Notes what became of a push after it was received.
    ///
    /// A final outcome stays: of two changes that crossed on their way, the device decided the first one.
    package mutating func apply(_ change: EntryChange) {
        if change.isOnlyShown, let shown = change.shown { return noteLater(shown) }
        guard !outcome.isFinal else { return }
        let step = TimelineEvent(at: change.at, event: change.outcome.rawValue, detail: change.detail)
        timeline = (timeline ?? firstEvents) + [step]
        outcome = change.outcome
        shown = nil
        presentation = Boxed()
        deviceWarnings = []
        if outcome == .delivered, let shown = change.shown { note(shown, at: change.at) }
    }

    /// Notes what the device showed of a push that it was given at a time.
    package mutating func note(_ shown: ShownOutcome, at time: Instant) {
        self.shown = shown.isShown
        presentation = shown.presentation
        deviceWarnings = shown.warnings
        timeline = (timeline ?? firstEvents) + shownEvents(shown, at: time)
    }

    /// Notes what the device showed of a delivered push after its service extension had run.
    mutating func noteLater(_ shown: ShownOutcome) {
        guard outcome == .delivered else { return }
        note(shown, at: shown.at)
    }

    /// What had happened when the push was answered.
    private var firstEvents: [TimelineEvent] {
        [
            TimelineEvent(at: receivedAt, event: "received", detail: nil),
            TimelineEvent(at: receivedAt, event: outcome.rawValue, detail: detail),
        ]
    }

    private func shownEvents(_ shown: ShownOutcome, at time: Instant) -> [TimelineEvent] {
        guard !shown.isAwaited else { return [] }
        return [
            TimelineEvent(
                at: shown.isShown ? shown.at : time, event: shown.isShown ? "shown" : "notShown", detail: shown.reason)
        ]
    }
}
