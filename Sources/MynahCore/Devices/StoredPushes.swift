internal import APNsRules

/// An accepted push that has not reached its app.
struct WaitingPush: Sendable {
    enum Place: UInt8, Sendable {
        /// In APNs' storage, because the device is offline.
        case stored
        /// Held back by power.
        case deferred
        /// A background push, held back by power or its budget.
        case deferredBackground
        /// Held back by a fault that delivers it late.
        case held

        var outcome: Outcome { self == .stored ? .stored : .deferred }
    }

    let sequence: UInt64
    let push: Push
    let acceptedAt: Instant
    let expiresAt: Instant
    /// Whether the provider asked for one attempt only.
    let isOnce: Bool
    var place = Place.stored
    /// Why it waits, for people.
    var reason = ""
    /// When a new attempt is due by itself.
    var nextAttemptAt: Instant?
    /// Until when a fault holds it back, whatever the device's state.
    var heldUntil: Instant?

    /// When something happens to it by itself.
    var dueAt: Instant { min(expiresAt, nextAttemptAt ?? expiresAt) }

    init(_ push: borrowing Push, sequence: UInt64, acceptedAt: Instant) {
        let end = push.storageEnd(acceptedAt: acceptedAt)
        self.sequence = sequence
        self.push = copy push
        self.acceptedAt = acceptedAt
        expiresAt = end ?? acceptedAt.advanced(by: Limits.storageMax)
        isOnce = end == nil
    }
}

/// The pushes that wait for one app on one device: at most one in each place, except for those that faults hold back.
struct StoredPushes: Sendable {
    /// How many pushes wait for the devices of a table.
    struct Counts: Sendable, Equatable {
        fileprivate(set) var stored = 0
        fileprivate(set) var deferred = 0

        fileprivate mutating func add(_ count: Int, _ place: WaitingPush.Place) {
            if place == .stored { stored += count } else { deferred += count }
        }
    }

    /// The most pushes that faults hold back; for one more, the earliest is delivered at once.
    static let heldCountMax = 256

    private(set) var all: [WaitingPush] = []

    /// The index of the push to which something happens first.
    var earliest: Int? {
        all.indices.min { (all[$0].dueAt, all[$0].sequence) < (all[$1].dueAt, all[$1].sequence) }
    }

    /// Adds a push and returns the one that ``Coalescing`` has replaced, which may be the added one.
    mutating func add(
        _ waiting: WaitingPush, counting counts: inout Counts
    ) -> (push: WaitingPush, outcome: Outcome, detail: String)? {
        var replaced: (push: WaitingPush, outcome: Outcome, detail: String)?
        if waiting.place != .held, let index = all.firstIndex(where: { $0.place == waiting.place }) {
            replaced = Coalescing.replaced(all[index], waiting)
            guard replaced?.push.sequence != waiting.sequence else { return replaced }
            take(index, counting: &counts)
        }
        all.append(waiting)
        counts.add(1, waiting.place)
        return replaced
    }

    @discardableResult
    mutating func take(_ index: Int, counting counts: inout Counts) -> WaitingPush {
        let waiting = all.remove(at: index)
        counts.add(-1, waiting.place)
        return waiting
    }

    /// Takes the push that a fault holds back for the shortest time, if there is no room for another.
    mutating func takeEarliestHeld(counting counts: inout Counts) -> WaitingPush? {
        let held = all.indices.filter { all[$0].place == .held }
        guard held.count >= StoredPushes.heldCountMax else { return nil }
        return held.min { all[$0].dueAt < all[$1].dueAt }.map { take($0, counting: &counts) }
    }

    /// Takes all pushes, the last one first.
    mutating func takeAll(counting counts: inout Counts) -> [WaitingPush] {
        for waiting in all { counts.add(-1, waiting.place) }
        defer { all = [] }
        return all.reversed()
    }
}

extension DeviceTable {
    /// Tries again to deliver everything that waits for a device, or for one of its registrations, in the order of
    /// acceptance: the device came online, or its power or an app changed.
    mutating func deliverWaiting(
        _ device: Int32, only: Int32? = nil, at now: Instant, _ effects: inout Effects
    ) {
        var all: [(slot: Int32, waiting: WaitingPush)] = []
        for slot in tokens.slots(of: devices[device]) where only == nil || only == slot {
            all += takeWaiting(slot).map { (slot, $0) }
        }
        all.sort { $0.waiting.sequence < $1.waiting.sequence }
        for (slot, waiting) in all { deliverAgain(waiting, slot, at: now, &effects) }
        updateDue(device)
    }

    /// Does what has fallen due on a device, each thing at its own time, in the order of time and acceptance.
    mutating func settle(_ device: Int32, to now: Instant, _ effects: inout Effects) {
        while devices[device].dueAt <= now {
            if let due = screenDue(device), due == devices[device].dueAt {
                endExtensions(of: device, at: due, &effects)
            } else if let waiting = takeEarliest(device) {
                if waiting.push.expiresAt <= waiting.push.dueAt {
                    effects.note(waiting.push.sequence, .expired, at: waiting.push.expiresAt, "its time was over")
                } else {
                    deliverAgain(waiting.push, waiting.slot, at: waiting.push.dueAt, &effects)
                }
            } else {
                preconditionFailure("a device has something due and nothing waits")
            }
            updateDue(device)
        }
    }

    mutating func discardWaiting(_ slot: Int32, at now: Instant, _ why: String, _ effects: inout Effects) {
        for waiting in takeWaiting(slot) { effects.note(waiting.sequence, .discarded, at: now, why) }
        updateDue(tokens[slot].device)
    }

    /// Stores a push or holds it back.
    mutating func wait(
        _ waiting: WaitingPush, _ slot: Int32, at now: Instant, _ effects: inout Effects
    ) -> DeliveryResult {
        if waiting.place == .held,
            var released = tokens[slot].detail.orDefault.waiting.takeEarliestHeld(counting: &waitingCounts)
        {
            released.heldUntil = nil
            deliverAgain(released, slot, at: now, &effects)
        }
        if let replaced = tokens[slot].detail.orDefault.waiting.add(waiting, counting: &waitingCounts) {
            guard replaced.push.sequence != waiting.sequence else {
                return DeliveryResult(replaced.outcome, replaced.detail)
            }
            effects.note(replaced.push.sequence, replaced.outcome, at: now, replaced.detail)
        }
        return DeliveryResult(waiting.place.outcome, waiting.reason)
    }

    private mutating func deliverAgain(
        _ waiting: WaitingPush, _ slot: Int32, at now: Instant, _ effects: inout Effects
    ) {
        let result = deliver(waiting, slot, at: now, &effects)
        if result.outcome == .delivered {
            let device = tokens[slot].device
            let delivery = Delivery(
                sequence: waiting.sequence, push: waiting.push, deliveredAt: now, device: devices[device].id,
                scope: devices.scope(of: device))
            effects.note(delivery, result.detail, result.shown)
        } else if result.outcome != waiting.place.outcome {
            effects.note(waiting.sequence, result.outcome, at: now, result.detail)
        }
    }

    private mutating func takeWaiting(_ slot: Int32) -> [WaitingPush] {
        guard tokens[slot].detail.value?.waiting.all.isEmpty == false else { return [] }
        return tokens[slot].detail.orDefault.waiting.takeAll(counting: &waitingCounts)
    }

    private mutating func takeEarliest(_ device: Int32) -> (push: WaitingPush, slot: Int32)? {
        var best: (slot: Int32, index: Int, dueAt: Instant, sequence: UInt64)?
        for slot in tokens.slots(of: devices[device]) {
            guard let stored = tokens[slot].detail.value?.waiting, let index = stored.earliest else { continue }
            let (dueAt, sequence) = (stored.all[index].dueAt, stored.all[index].sequence)
            if let best, (best.dueAt, best.sequence) < (dueAt, sequence) { continue }
            best = (slot, index, dueAt, sequence)
        }
        guard let best else { return nil }
        return (tokens[best.slot].detail.orDefault.waiting.take(best.index, counting: &waitingCounts), best.slot)
    }

    /// Brings ``Device/dueAt`` up to date after what waits for a device, or on its screen, has changed.
    mutating func updateDue(_ device: Int32) {
        var dueAt = screenDue(device) ?? Device.never
        var slot = devices[device].firstRegistration
        while slot >= 0 {
            if let detail = tokens[slot].detail.value {
                for waiting in detail.waiting.all { dueAt = min(dueAt, waiting.dueAt) }
            }
            slot = tokens[slot].next
        }
        devices.setDue(device, at: dueAt)
    }
}
