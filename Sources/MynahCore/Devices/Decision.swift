package import APNsRules

/// What a device table decided about a push that passed all checks; a class, because it is handed on several times.
package final class Decision: Sendable {
    package let sequence: UInt64
    package let outcome: Outcome
    package let detail: String?
    /// The time of the device's clock at which this was decided.
    package let at: Instant
    /// What happened to earlier pushes of the device.
    package let effects: Effects
    /// The device and its scope; `nil` for an unnamed device, whose id is the token's digits.
    package let label: DeviceLabel?
    package let token: DeviceToken
    /// When something is due next on the device.
    package let dueAt: Instant?
    /// What the user saw of it; `nil` if the payload alone decides that.
    package let shown: ShownOutcome?

    init(
        sequence: UInt64, outcome: Outcome, detail: String?, at: Instant, effects: Effects, label: DeviceLabel?,
        token: DeviceToken, dueAt: Instant?, shown: ShownOutcome?
    ) {
        self.sequence = sequence
        self.outcome = outcome
        self.detail = detail
        self.at = at
        self.effects = effects
        self.label = label
        self.token = token
        self.dueAt = dueAt
        self.shown = shown
    }

    /// A push that was accepted although no device can get it.
    package convenience init(discarded sequence: UInt64, _ detail: String, at now: Instant) {
        self.init(
            sequence: sequence, outcome: .discarded, detail: detail, at: now, effects: Effects(), label: nil,
            token: .placeholder, dueAt: nil, shown: nil)
    }

    package var device: String? { label?.device }
    package var scope: String? { label?.scope }
}

/// The number of a push that no device takes, and the device that its token named at that number.
package struct NumberedPush: Sendable {
    package let sequence: UInt64
    package let label: DeviceLabel?

    package init(sequence: UInt64, label: DeviceLabel?) {
        self.sequence = sequence
        self.label = label
    }
}

/// What a fault demands of the delivery of an accepted push (`Documents#Actions`).
package enum DeliveryOrder: Sendable, Hashable {
    case deliver
    /// Deliver it after this time of the device's clock.
    case hold(Duration)
    case drop
}
