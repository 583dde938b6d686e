package import APNsRules

/// What a device table decided about a push that passed all checks.
package struct Decision: Sendable {
    package let sequence: UInt64
    package let outcome: Outcome
    package let detail: String?
    /// The time of the device's clock at which this was decided.
    package let at: Instant
    /// What happened to earlier pushes of the device.
    package let effects: Effects
    /// The device's id; `nil` for an unnamed device, whose id is the token's digits.
    package let device: String?
    package let scope: String?
    package let token: DeviceToken
    /// When something is due next on the device by itself.
    package let dueAt: Instant?
    /// What the user saw of it, where more than the payload decides that.
    package var shown: ShownOutcome?

    package var label: DeviceLabel? { device.map { DeviceLabel(device: $0, scope: scope) } }
}

/// What a fault demands of the delivery of an accepted push (`Documents#Actions`).
package enum DeliveryOrder: Sendable, Hashable {
    case deliver
    /// Deliver it later by this, on the device's clock.
    case hold(Duration)
    /// Never deliver it.
    case drop
}
