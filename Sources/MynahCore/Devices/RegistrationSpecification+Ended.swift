extension RegistrationSpecification.Ended {
    /// Reads how an app's token ended, as an answer or an export has it; `nil` for an app that is there.
    init?(_ reader: ObjectReader) {
        guard let state: RegistrationState = reader.choice("state"), !state.isCurrent else { return nil }
        self.state = state
        since = reader.instant("since")
        endedAt = reader.instant("endedAt")
        noticedAt = reader.instant("unregisteredAt")
    }
}
