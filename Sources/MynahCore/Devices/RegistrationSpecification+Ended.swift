internal import APNsRules

extension RegistrationSpecification.Ended {
    /// Reads how an app's token ended, as an answer or an export has it; `nil` for an app that is there.
    init?(_ reader: FieldReader) throws(DeviceError) {
        guard let state: RegistrationState = try reader.choice("state"), !state.isCurrent else { return nil }
        self.state = state
        since = try Self.instant("since", reader)
        endedAt = try Self.instant("endedAt", reader)
        noticedAt = try Self.instant("unregisteredAt", reader)
    }

    private static func instant(_ name: String, _ reader: FieldReader) throws(DeviceError) -> Instant? {
        guard let text = try reader.text(name) else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw DeviceError(
                .invalid, at: reader.place(name), "invalid time \(text): expected the form 2026-11-21T09:30:00.000Z")
        }
        return instant
    }
}
