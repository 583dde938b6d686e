internal import APNsRules

/// What became of a push on its way to a device.
struct DeliveryResult {
    let outcome: Outcome
    let detail: String?
    /// What the user saw of it, if the device has a screen.
    let shown: ShownOutcome?

    init(_ outcome: Outcome, _ detail: String?, _ shown: ShownOutcome? = nil) {
        self.outcome = outcome
        self.detail = detail
        self.shown = shown
    }
}

// From APNs to the device (`DeviceBehaviour#From-APNs-to-the-device`).
extension DeviceTable {
    /// Sends a push that was accepted just now on its way.
    mutating func deliver(
        _ push: borrowing Push, _ sequence: UInt64, _ slot: Int32, _ order: DeliveryOrder = .deliver,
        at time: Instant, _ effects: inout Effects
    ) -> DeliveryResult {
        var waiting = WaitingPush(push, sequence: sequence, acceptedAt: time)
        switch order {
        case .deliver: break
        case .hold(let delay): waiting.heldUntil = time.advanced(by: delay)
        case .drop: return DeliveryResult(.lost, "a fault accepted it and dropped it")
        }
        let result = deliver(waiting, slot, at: time, &effects)
        updateDue(tokens[slot].device)
        return result
    }

    /// Delivers a push, or stores, defers, discards or expires it, as the device's state demands.
    ///
    /// The caller calls ``updateDue(_:)`` afterwards.
    private mutating func deliver(
        _ waiting: WaitingPush, _ slot: Int32, at now: Instant, _ effects: inout Effects
    ) -> DeliveryResult {
        switch verdict(on: waiting, slot, at: now) {
        case .deliver(let isBackground):
            if isBackground, let budget = settings.backgroundBudget {
                tokens[slot].detail.orDefault.backgroundBudget.count(at: now, budget: budget)
            }
            return arrive(waiting, slot, at: now)
        case .discard(let why): return DeliveryResult(.discarded, why)
        case .expire(let why): return DeliveryResult(.expired, why)
        case .wait(let place, let reason, let nextAttemptAt):
            var waiting = waiting
            waiting.place = place
            waiting.reason = reason
            waiting.nextAttemptAt = nextAttemptAt
            return wait(waiting, slot, at: now, &effects)
        }
    }

    private mutating func arrive(_ waiting: WaitingPush, _ slot: Int32, at now: Instant) -> DeliveryResult {
        var detail: String?
        switch arrival(slot, at: now) {
        case .lost(let why): return DeliveryResult(.discarded, why)
        case .arrivesOddly(let why): detail = why
        case .arrives: break
        }
        devices[tokens[slot].device].inbox.append(waiting.sequence, at: now, limit: settings.inboxCountMax)
        return DeliveryResult(.delivered, detail, show(waiting.push, waiting.sequence, slot, at: now))
    }

    private enum Verdict {
        case deliver(isBackground: Bool)
        case wait(WaitingPush.Place, String, nextAttemptAt: Instant?)
        case discard(String)
        case expire(String)
    }

    private func verdict(on waiting: WaitingPush, _ slot: Int32, at now: Instant) -> Verdict {
        if let heldUntil = waiting.heldUntil, now < heldUntil {
            return .wait(.held, "a fault delivers it late", nextAttemptAt: heldUntil)
        }
        let device = tokens[slot].device
        guard devices[device].isOnline else {
            return waiting.isOnce
                ? .expire("the device is offline, and expiration 0 allows one attempt")
                : .wait(.stored, "device offline", nextAttemptAt: nil)
        }
        let power = devices[device].power
        let detail = tokens[slot].detail.value
        let app = detail?.app ?? AppSettings()
        let isForceQuit = app.presentation.appState == .forceQuit
        // The payload is parsed only where the answer matters.
        let dependsOnKind =
            power != .normal || isForceQuit || !app.backgroundRefresh || settings.backgroundBudget != nil
        let isBackground = dependsOnKind && (waiting.place == .deferredBackground || waiting.push.isBackground())
        if isBackground, isForceQuit { return .discard("the user has force-quit the app") }
        if isBackground, !app.backgroundRefresh { return .discard("Background App Refresh is turned off") }

        if let deferral = power.deferral(
            of: waiting.push.priority, isBackground: isBackground, acceptedAt: waiting.acceptedAt,
            deferralMax: settings.deferralMax, at: now)
        {
            return .wait(isBackground ? .deferredBackground : .deferred, deferral.reason, nextAttemptAt: deferral.until)
        }
        if isBackground, let budget = settings.backgroundBudget {
            let free = (detail?.backgroundBudget ?? BackgroundBudget()).nextFree(budget: budget, at: now)
            guard let free, free <= now else {
                return .wait(.deferredBackground, "background budget of \(budget) an hour", nextAttemptAt: free)
            }
        }
        return .deliver(isBackground: isBackground)
    }

    // MARK: - What waits

    /// Stores a push or holds it back.
    private mutating func wait(
        _ waiting: WaitingPush, _ slot: Int32, at now: Instant, _ effects: inout Effects
    ) -> DeliveryResult {
        if waiting.place == .held,
            var released = tokens[slot].detail.orDefault.waiting.takeEarliestHeld(counting: &waitingCounts)
        {
            released.heldUntil = nil
            deliverAgain(released, slot, at: now, &effects)
        }
        if let coalescing = tokens[slot].detail.orDefault.waiting.add(waiting, counting: &waitingCounts) {
            guard coalescing.replaced.sequence != waiting.sequence else {
                return DeliveryResult(coalescing.outcome, coalescing.detail)
            }
            effects.note(coalescing.replaced.sequence, coalescing.outcome, at: now, coalescing.detail)
        }
        return DeliveryResult(waiting.place.outcome, waiting.reason)
    }

    /// Tries again to deliver everything that waits for a device, or for one of its registrations, in the order of
    /// acceptance: the device came online, or its power or an app changed.
    mutating func deliverWaiting(_ device: Int32, only: Int32? = nil, at now: Instant, _ effects: inout Effects) {
        var all: [(slot: Int32, waiting: WaitingPush)] = []
        for slot in tokens.slots(of: devices[device]) where only == nil || only == slot {
            all += takeWaiting(slot).map { (slot, $0) }
        }
        all.sort { $0.waiting.sequence < $1.waiting.sequence }
        for (slot, waiting) in all { deliverAgain(waiting, slot, at: now, &effects) }
        updateDue(device)
    }

    mutating func discardWaiting(_ slot: Int32, at now: Instant, _ why: String, _ effects: inout Effects) {
        for waiting in takeWaiting(slot) { effects.note(waiting.sequence, .discarded, at: now, why) }
        updateDue(tokens[slot].device)
    }

    private mutating func deliverAgain(
        _ waiting: WaitingPush, _ slot: Int32, at now: Instant, _ effects: inout Effects
    ) {
        let result = deliver(waiting, slot, at: now, &effects)
        guard result.outcome != waiting.place.outcome else { return }
        effects.note(
            EntryChange(
                sequence: waiting.sequence, outcome: result.outcome, at: now, detail: result.detail,
                shown: result.shown))
        if result.outcome == .delivered { effects.noteDelivery(to: id(of: tokens[slot].device)) }
    }

    private mutating func takeWaiting(_ slot: Int32) -> [WaitingPush] {
        guard tokens[slot].detail.value?.waiting.all.isEmpty == false else { return [] }
        return tokens[slot].detail.orDefault.waiting.takeAll(counting: &waitingCounts)
    }

    // MARK: - What falls due

    /// Does what has fallen due on a device, each thing at its own time, in the order of time and acceptance.
    mutating func settle(_ device: Int32, to now: Instant, _ effects: inout Effects) {
        while devices[device].dueAt <= now {
            if let due = screenDue(device), due == devices[device].dueAt {
                endExtensions(of: device, at: due, &effects)
            } else if let (waiting, slot) = takeEarliest(device) {
                if waiting.expiresAt <= waiting.dueAt {
                    effects.note(waiting.sequence, .expired, at: waiting.expiresAt, "its time was over")
                } else {
                    deliverAgain(waiting, slot, at: waiting.dueAt, &effects)
                }
            } else {
                preconditionFailure("a device has something due and nothing waits")
            }
            updateDue(device)
        }
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
            for waiting in tokens[slot].detail.value?.waiting.all ?? [] { dueAt = min(dueAt, waiting.dueAt) }
            slot = tokens[slot].next
        }
        devices.setDue(device, at: dueAt)
    }
}
