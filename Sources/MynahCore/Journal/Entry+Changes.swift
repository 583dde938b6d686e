package import APNsRules

extension Entry {
    /// Notes what became of a push after it was received, and adds the step to its timeline.
    ///
    /// A final outcome stays: of two changes that crossed on their way the device decided the first.
    package mutating func apply(_ change: EntryChange) {
        if change.isOnlyShown, let shown = change.shown { return noteLater(shown) }
        guard !outcome.isFinal else { return }
        var events = timeline ?? firstEvents
        events.append(TimelineEvent(at: change.at, event: change.outcome.rawValue, detail: change.detail))
        if change.outcome == .delivered { events += shownEvents(change.shown, at: change.at) }
        timeline = events
        outcome = change.outcome
        shown = change.shown?.isShown
        presentation = change.shown?.presentation ?? Rare()
        deviceWarnings = change.shown?.warnings ?? []
    }

    /// Notes what the device showed of a push that was delivered at once.
    package mutating func note(_ shown: ShownOutcome, at time: Instant) {
        self.shown = shown.isShown
        presentation = shown.presentation
        deviceWarnings = shown.warnings
        timeline = (timeline ?? firstEvents) + shownEvents(shown, at: time)
    }

    /// Notes what a delivered push came to when its service extension had run.
    mutating func noteLater(_ shown: ShownOutcome) {
        guard outcome == .delivered else { return }
        self.shown = shown.isShown
        presentation = shown.presentation
        deviceWarnings = shown.warnings
        timeline = (timeline ?? firstEvents) + shownEvents(shown, at: shown.at)
    }

    /// What had happened when the push was answered.
    private var firstEvents: [TimelineEvent] {
        [
            TimelineEvent(at: receivedAt, event: "received", detail: nil),
            TimelineEvent(at: receivedAt, event: outcome.rawValue, detail: detail),
        ]
    }

    private func shownEvents(_ shown: ShownOutcome?, at time: Instant) -> [TimelineEvent] {
        guard let shown, !shown.isAwaited else { return [] }
        return [
            TimelineEvent(
                at: shown.isShown ? shown.at : time, event: shown.isShown ? "shown" : "notShown", detail: shown.reason)
        ]
    }
}

extension Journal {
    /// Notes what became of pushes since they were received; one that is on its way here is changed when it arrives,
    /// and one that is not retained any more is left out.
    ///
    /// - Parameter told: Is given each push that is changed by it, as it is then.
    package mutating func apply(_ changes: [EntryChange], _ told: (Entry) -> Void = { _ in }) -> [Waiter.ID] {
        var due: [Waiter.ID] = []
        for change in changes {
            var changed: Entry?
            let woken = update(change.sequence) { entry in
                let steps = entry.timeline?.count
                entry.apply(change)
                if entry.timeline?.count != steps { changed = entry }
            }
            if let woken {
                due += woken
                if let changed { told(changed) }
            } else if isOnItsWay(change.sequence) {
                late[change.sequence, default: []].append(change)
            }
        }
        return due
    }

    /// Whether a push with this number may still arrive.
    private func isOnItsWay(_ sequence: UInt64) -> Bool {
        guard sequence > watermark else { return false }
        return !ring.sequences.contains(sequence) || ring.state(sequence) == .vacant
    }
}
