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
    /// When something is due next on the device.
    package let dueAt: Instant?
    /// What the user saw of it; `nil` if the payload alone decides that.
    package var shown: ShownOutcome?
    package var label: DeviceLabel? { device.map { DeviceLabel(device: $0, scope: scope) } }
}

/// What a fault demands of the delivery of an accepted push (`Documents#Actions`).
package enum DeliveryOrder: Sendable, Hashable {
    case deliver
    /// Deliver it after this time of the device's clock.
    case hold(Duration)
    case drop
}

/// What became of a push after it was received, for its entry in the journal.
package struct EntryChange: Sendable, Equatable {
    package let sequence: UInt64
    package let outcome: Outcome
    /// When it was due by the device's clock, even if it was processed later.
    package let at: Instant
    package let detail: String?
    /// What the user saw of it; `nil` if the payload alone decides that.
    package private(set) var shown: ShownOutcome?
    /// Whether the push was delivered before, and this is the result of its service extension.
    package private(set) var isOnlyShown = false
}

/// What a call did to pushes that were accepted earlier.
package struct Effects: Sendable {
    /// Ordered by time, then by acceptance.
    package private(set) var changes: [EntryChange] = []
    /// The ids of the devices that were given a push, once for each push.
    package private(set) var receivers: [String] = []
    package init() {}
    package var isEmpty: Bool { changes.isEmpty }

    mutating func note(
        _ sequence: UInt64, _ outcome: Outcome, at: Instant, detail: String? = nil, shown: ShownOutcome? = nil
    ) {
        changes.append(EntryChange(sequence: sequence, outcome: outcome, at: at, detail: detail, shown: shown))
    }

    /// Notes what the service extension of a delivered push made of it.
    mutating func note(_ sequence: UInt64, _ shown: ShownOutcome) {
        changes.append(
            EntryChange(
                sequence: sequence, outcome: .delivered, at: shown.at, detail: nil, shown: shown, isOnlyShown: true))
    }

    mutating func noteDelivery(to device: String) { receivers.append(device) }

    /// Adds the effects of another device or shard; ``sort()`` afterwards.
    package mutating func merge(_ other: Effects) {
        changes += other.changes
        receivers += other.receivers
    }

    /// Sorts by time, then by acceptance; the sort is stable, so that a push's changes at one time (from stored to
    /// deferred) stay in their order.
    package mutating func sort() { changes.sort { ($0.at, $0.sequence) < ($1.at, $1.sequence) } }
}
