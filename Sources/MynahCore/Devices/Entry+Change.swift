extension Entry {
    /// Writes down what became of the push later, with all that was known before in the timeline.
    package mutating func note(_ change: EntryChange) {
        var events = timeline ?? [TimelineEvent(at: receivedAt, event: "received", detail: nil)]
        if timeline == nil, outcome != .pending {
            events.append(TimelineEvent(at: receivedAt, event: outcome.rawValue, detail: detail))
        }
        events.append(TimelineEvent(at: change.at, event: change.outcome.rawValue, detail: change.detail))
        timeline = events
        outcome = change.outcome
        detail = change.detail
    }
}
