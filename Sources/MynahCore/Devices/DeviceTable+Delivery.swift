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
    mutating func deliver(
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
        // The payload is parsed only where the answer matters.
        let dependsOnKind =
            power != .normal || app.appState == .forceQuit || !app.backgroundRefresh
            || settings.backgroundBudget != nil
        let isBackground = dependsOnKind && (waiting.place == .deferredBackground || waiting.push.isBackground())
        if isBackground, app.appState == .forceQuit { return .discard("the user has force-quit the app") }
        if isBackground, !app.backgroundRefresh { return .discard("Background App Refresh is turned off") }

        let place = isBackground ? WaitingPush.Place.deferredBackground : .deferred
        if let deferral = power.deferral(
            of: waiting.push.priority, isBackground: isBackground, acceptedAt: waiting.acceptedAt,
            deferralMax: settings.deferralMax, at: now)
        {
            return .wait(place, deferral.reason, nextAttemptAt: deferral.until)
        }
        if isBackground, let budget = settings.backgroundBudget {
            let free = (detail?.backgroundBudget ?? BackgroundBudget()).nextFree(budget: budget, at: now)
            guard let free, free <= now else {
                return .wait(place, "background budget of \(budget) an hour", nextAttemptAt: free)
            }
        }
        return .deliver(isBackground: isBackground)
    }
}
