package import APNsRules

/// A change in what became of a push, for its entry in the journal.
package struct EntryChange: Sendable, Equatable {
    /// The push.
    package let sequence: UInt64
    /// What became of it.
    package let outcome: Outcome
    /// When, on the device's clock: the moment at which it fell due, whenever somebody asked.
    package let at: Instant
    /// Why, for people.
    package let detail: String?
    /// What the user saw of it, where more than the payload decides that.
    package var shown: ShownOutcome?
    /// Whether the push was delivered before, and this tells only what its service extension came to.
    package var isOnlyShown = false

    /// A change.
    package init(sequence: UInt64, outcome: Outcome, at: Instant, detail: String?, shown: ShownOutcome? = nil) {
        self.sequence = sequence
        self.outcome = outcome
        self.at = at
        self.detail = detail
        self.shown = shown
    }
}

/// Whether the user saw a push, and why.
package struct ShownOutcome: Sendable, Equatable {
    /// Whether there is something on screen.
    package let isShown: Bool
    /// Whether a service extension still runs, so that ``at`` is to come and another change tells what is seen.
    package let isAwaited: Bool
    /// When: later than the delivery where a service extension runs.
    package let at: Instant
    /// Why, or how, for people.
    package let reason: String
    /// What in payload, app or strings is not as it should be.
    package let warnings: [String]
    // What is seen, heard and counted, word for word; none where nothing is to be presented, or not yet.
    let presentation: Rare<Presentation>

    /// What is seen.
    package init(
        isShown: Bool, isAwaited: Bool = false, at: Instant, reason: String, warnings: [String] = [],
        presentation: Presentation? = nil
    ) {
        self.isShown = isShown
        self.isAwaited = isAwaited
        self.at = at
        self.reason = reason
        self.warnings = warnings
        self.presentation = Rare(presentation)
    }
}

/// A push that a device was given, for the screen and for event streams.
package struct Delivery: Sendable {
    /// The push's number in the journal.
    package let sequence: UInt64
    /// The push, with its bytes.
    package let push: Push
    /// When the device got it.
    package let deliveredAt: Instant
    /// The device's id; `nil` for one that no call has named, whose id is the token's digits.
    package let device: String?
    /// The device's scope.
    package let scope: String?
}

/// What a call changed beside what it was about: pushes that waited, and tokens that lie in another shard.
package struct Effects: Sendable {
    /// Changes of earlier pushes, by time, at one time in the order of acceptance.
    package private(set) var changes: [EntryChange] = []
    /// Those of them that the device was given, in the same order.
    package private(set) var deliveries: [Delivery] = []

    /// Nothing happened.
    package init() {}

    /// Whether nothing happened.
    package var isEmpty: Bool { changes.isEmpty }

    mutating func note(
        _ sequence: UInt64, _ outcome: Outcome, at: Instant, _ detail: String? = nil
    ) {
        changes.append(EntryChange(sequence: sequence, outcome: outcome, at: at, detail: detail))
    }

    mutating func note(_ sequence: UInt64, _ shown: ShownOutcome) {
        var change = EntryChange(sequence: sequence, outcome: .delivered, at: shown.at, detail: nil, shown: shown)
        change.isOnlyShown = true
        changes.append(change)
    }

    mutating func note(_ delivery: Delivery, _ detail: String?, _ shown: ShownOutcome?) {
        changes.append(
            EntryChange(
                sequence: delivery.sequence, outcome: .delivered, at: delivery.deliveredAt, detail: detail, shown: shown
            ))
        deliveries.append(delivery)
    }

    /// Adds what another device or shard reports, in the order of time.
    package mutating func merge(_ other: Effects) {
        changes += other.changes
        deliveries += other.deliveries
    }

    /// Sorts by time and, at one time, by acceptance; needed after ``merge(_:)``.
    ///
    /// One push may change twice at one time, as from stored to deferred; those two stay in their order.
    package mutating func sort() {
        let order = changes.indices.sorted { left, right in
            let (first, second) = (changes[left], changes[right])
            return (first.at, first.sequence, left) < (second.at, second.sequence, right)
        }
        changes = order.map { changes[$0] }
        deliveries.sort { ($0.deliveredAt, $0.sequence) < ($1.deliveredAt, $1.sequence) }
    }
}

/// What was decided about one push that passed all checks.
package struct Decision: Sendable {
    /// The number it has in the journal.
    package let sequence: UInt64
    /// What became of it so far.
    package let outcome: Outcome
    /// Why, for people, where that is not plain.
    package let detail: String?
    /// The time of the device's clock at which this was decided.
    package let at: Instant
    /// What happened to earlier pushes of the device.
    package let effects: Effects
    /// The device's id; `nil` for one that no call has named, whose id is the token's digits.
    package let device: String?
    /// The device's scope.
    package let scope: String?
    /// The push's token.
    package let token: DeviceToken
    /// When something falls due on the device by itself; `nil` when nothing does.
    package let dueAt: Instant?
    /// What the user saw of it, where more than the payload decides that.
    package var shown: ShownOutcome?

    /// Whose the push is, for its entry in the journal.
    package var label: DeviceLabel? { device.map { DeviceLabel(device: $0, scope: scope) } }

    /// The push as it is given to the screen; `nil` when it was not delivered at once.
    package func delivery(of push: Push) -> Delivery? {
        guard outcome == .delivered else { return nil }
        return Delivery(sequence: sequence, push: push, deliveredAt: at, device: device, scope: scope)
    }
}

/// What a fault wants of the way from an accepted push to its device (`Documents#Actions`).
package enum DeliveryOrder: Sendable, Hashable {
    /// As without it.
    case deliver
    /// The device gets it so much later, on its own clock.
    case hold(Duration)
    /// The device never gets it.
    case drop
}
