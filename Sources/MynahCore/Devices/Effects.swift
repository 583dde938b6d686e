package import APNsRules

/// What became of a push after it was received, for its entry in the journal.
package struct EntryChange: Sendable, Equatable {
    package let sequence: UInt64
    package let outcome: Outcome
    /// When, on the device's clock: the moment at which it was due, whenever the device was asked.
    package let at: Instant
    package let detail: String?
    /// What the user saw of it, where more than the payload decides that.
    package var shown: ShownOutcome?
    /// Whether the push was delivered before, and this is the result of its service extension.
    package var isOnlyShown = false

    package init(sequence: UInt64, outcome: Outcome, at: Instant, detail: String?, shown: ShownOutcome? = nil) {
        self.sequence = sequence
        self.outcome = outcome
        self.at = at
        self.detail = detail
        self.shown = shown
    }
}

/// A push that a device was given, for those who watch the device.
package struct Delivery: Sendable {
    package let sequence: UInt64
    package let push: Push
    package let deliveredAt: Instant
    /// The device's id; `nil` for an unnamed device, whose id is the token's digits.
    package let device: String?
    package let scope: String?
}

/// What a call did to pushes that were accepted earlier.
package struct Effects: Sendable {
    /// By time, and at one time in the order of acceptance.
    package private(set) var changes: [EntryChange] = []
    /// Those of the changes that are deliveries, in the same order.
    package private(set) var deliveries: [Delivery] = []

    package init() {}

    package var isEmpty: Bool { changes.isEmpty }

    mutating func note(_ sequence: UInt64, _ outcome: Outcome, at: Instant, _ detail: String? = nil) {
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

    /// Adds the effects of another device or shard; ``sort()`` afterwards.
    package mutating func merge(_ other: Effects) {
        changes += other.changes
        deliveries += other.deliveries
    }

    /// Sorts by time and, at one time, by acceptance.
    ///
    /// A push may change twice at one time, as from stored to deferred; those two changes stay in their order.
    package mutating func sort() {
        let order = changes.indices.sorted { left, right in
            let (first, second) = (changes[left], changes[right])
            return (first.at, first.sequence, left) < (second.at, second.sequence, right)
        }
        changes = order.map { changes[$0] }
        deliveries.sort { ($0.deliveredAt, $0.sequence) < ($1.deliveredAt, $1.sequence) }
    }
}
