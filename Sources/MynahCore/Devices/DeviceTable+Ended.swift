package import APNsRules

extension RegistrationSpecification {
    /// An app that is gone or has another token, as an export holds it: its token answers 410.
    package struct Ended: Sendable, Equatable {
        /// `unregistered` or `expired`.
        package var state: RegistrationState
        /// When its token was issued; `nil`: when it is read.
        package var since: Instant?
        /// When it ended; `nil`: when it is read.
        package var endedAt: Instant?
        /// When APNs notices; `nil` while nothing tells it.
        package var noticedAt: Instant?
    }
}

extension RegistrationSpecification.Ended {
    /// What an answer says of an app that has ended; `nil` for one that is there.
    init?(_ reader: ObjectReader) {
        guard let state: RegistrationState = reader.choice("state"), !state.isCurrent else { return nil }
        self.state = state
        since = reader.instant("since")
        endedAt = reader.instant("endedAt")
        noticedAt = reader.instant("unregisteredAt")
    }
}

extension DeviceTable {
    /// Makes an app that has ended, with the token that tells so; one without a token leaves nothing.
    mutating func restore(
        _ app: RegistrationSpecification, _ ended: RegistrationSpecification.Ended, _ device: Int32,
        _ environment: APNsEnvironment, at now: Instant, _ effects: inout Effects
    ) {
        guard let token = app.token else { return }
        // A device that only a push made gives its token up, as to an app that is there.
        if let other = find(token) { remove(registrations[other].device, at: now, &effects) }
        let slot = append(
            Registration(
                token: token, since: ended.since ?? now, topic: retainTopic(Array(app.topic.utf8).span), device: device,
                state: ended.state, environment: environment))
        registrations[slot].rare[orMaking: RegistrationDetail()].endedAt = ended.endedAt ?? now
        registrations[slot].rare[orMaking: RegistrationDetail()].noticedAt = ended.noticedAt
        index(slot)
    }
}
