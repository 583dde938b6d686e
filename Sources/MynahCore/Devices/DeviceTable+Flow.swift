internal import APNsRules

// From APNs to the device (`DeviceBehaviour#From-APNs-to-the-device`).
extension DeviceTable {
    /// What the device's state means for one push.
    private enum Verdict {
        case deliver(isBackground: Bool)
        case wait(WaitingPush.Place, String, lookedAtAgain: Instant?)
        case discard(String)
        case expire(String)
    }

    /// Lets a push go the way of the diagram; answers what became of it and why.
    ///
    /// Whoever calls this calls ``updateDue(_:)`` after it.
    mutating func enter(
        _ waiting: WaitingPush, _ slot: Int32, at now: Instant, _ effects: inout Effects
    ) -> Entered {
        switch verdict(on: waiting, slot, at: now) {
        case .deliver(let isBackground):
            if isBackground { countWake(slot, at: now) }
            return deliver(waiting, slot, at: now)
        case .discard(let why): return Entered(.discarded, why)
        case .expire(let why): return Entered(.expired, why)
        case .wait(let place, let reason, let lookedAtAgain):
            var waiting = waiting
            waiting.place = place
            waiting.reason = reason
            waiting.lookedAtAgain = lookedAtAgain
            return wait(waiting, slot, at: now, &effects)
        }
    }

    /// What became of a push that went its way.
    struct Entered {
        let outcome: Outcome
        let detail: String?
        /// What the user saw of it, where the device has a screen.
        let shown: ShownOutcome?

        init(_ outcome: Outcome, _ detail: String?, _ shown: ShownOutcome? = nil) {
            self.outcome = outcome
            self.detail = detail
            self.shown = shown
        }
    }

    private mutating func deliver(_ waiting: WaitingPush, _ slot: Int32, at now: Instant) -> Entered {
        var detail: String?
        switch arrival(slot, at: now) {
        case .lost(let why): return Entered(.discarded, why)
        case .arrivesOddly(let why): detail = why
        case .arrives: break
        }
        let device = registrations[slot].device
        devices[device].inbox.append(waiting.sequence, at: now, limit: settings.inboxCountMax)
        return Entered(.delivered, detail, show(waiting.push, waiting.sequence, slot, at: now))
    }

    /// Puts a push where it waits; the newer of two of a kind stays.
    private mutating func wait(
        _ waiting: WaitingPush, _ slot: Int32, at now: Instant, _ effects: inout Effects
    ) -> Entered {
        let others = registrations[slot].rare.value?.waiting ?? []
        if waiting.place == .held {
            let held = others.indices.filter { others[$0].place == .held }
            if held.count >= WaitingPush.heldCountMax,
                let earliest = held.min(by: { others[$0].dueAt < others[$1].dueAt })
            {
                var released = take(earliest, from: slot)
                released.heldUntil = nil
                reenter(released, slot, at: now, &effects)
            }
        } else if let index = others.firstIndex(where: { $0.place == waiting.place }) {
            let other = others[index]
            let isNewer = waiting.sequence > other.sequence
            let (outcome, detail) = DeviceTable.displaced(
                isNewer ? other : waiting, by: isNewer ? waiting : other)
            guard isNewer else { return Entered(outcome, detail) }
            take(index, from: slot)
            effects.note(other.sequence, outcome, at: now, detail)
        }
        registrations[slot].rare[orMaking: RegistrationDetail()].waiting.append(waiting)
        if waiting.place == .stored { storedCount += 1 } else { deferredCount += 1 }
        return Entered(waiting.place.outcome, waiting.reason)
    }

    private static func displaced(_ older: WaitingPush, by newer: WaitingPush) -> (Outcome, String) {
        Push.coalesce(older.push, newer.push)
            ? (.coalesced, "push \(newer.sequence) with the same collapse id took its place")
            : (.discarded, "push \(newer.sequence) to the app took its place")
    }

    @discardableResult
    private mutating func take(_ index: Int, from slot: Int32) -> WaitingPush {
        let waiting = registrations[slot].rare[orMaking: RegistrationDetail()].waiting.remove(at: index)
        if waiting.place == .stored { storedCount -= 1 } else { deferredCount -= 1 }
        return waiting
    }

    private func verdict(on waiting: WaitingPush, _ slot: Int32, at now: Instant) -> Verdict {
        if let heldUntil = waiting.heldUntil, now < heldUntil {
            return .wait(.held, "a fault delivers it late", lookedAtAgain: heldUntil)
        }
        let device = registrations[slot].device
        guard devices[device].isOnline else {
            return waiting.isOnce
                ? .expire("the device is offline, and expiration 0 allows one attempt")
                : .wait(.stored, "device offline", lookedAtAgain: nil)
        }
        let power = devices[device].power
        let detail = registrations[slot].rare.value
        let app = detail?.app ?? AppSettings()
        // Elsewhere the payload need not be read.
        let asksForKind =
            power != .normal || app.appState == .forceQuit || !app.backgroundRefresh
            || settings.backgroundBudget != nil
        let isBackground = asksForKind && (waiting.place == .deferredBackground || waiting.push.isBackground())
        if isBackground, app.appState == .forceQuit { return .discard("the user has force-quit the app") }
        if isBackground, !app.backgroundRefresh { return .discard("Background App Refresh is turned off") }

        let place = isBackground ? WaitingPush.Place.deferredBackground : .deferred
        let mustGo = endOfDeferral(waiting)
        if power.holds(waiting.push.priority, isBackground: isBackground), mustGo.map({ now < $0 }) ?? true {
            return .wait(place, power == .low ? "low power mode" : "device asleep", lookedAtAgain: mustGo)
        }
        if isBackground, let budget = settings.backgroundBudget {
            // Never more than the budget, so the first is the one that has to be an hour old.
            let wakes = detail?.wakes ?? []
            let free =
                wakes.count < budget ? now : wakes.first?.advanced(by: DeviceSettings.backgroundBudgetWindow)
            guard let free, free <= now else {
                return .wait(place, "background budget of \(budget) an hour", lookedAtAgain: free)
            }
        }
        return .deliver(isBackground: isBackground)
    }

    /// When power may hold a push back no longer, or `nil` when it may for ever: priority 1 never wakes a device.
    private func endOfDeferral(_ waiting: WaitingPush) -> Instant? {
        guard waiting.push.priority == .powerConsiderate, let longest = settings.deferralMax else { return nil }
        return waiting.acceptedAt.advanced(by: longest)
    }

    private mutating func countWake(_ slot: Int32, at now: Instant) {
        guard let budget = settings.backgroundBudget else { return }
        registrations[slot].rare[orMaking: RegistrationDetail()].wakes.append(now)
        let surplus = registrations[slot].rare[orMaking: RegistrationDetail()].wakes.count - budget
        if surplus > 0 { registrations[slot].rare[orMaking: RegistrationDetail()].wakes.removeFirst(surplus) }
    }

    // MARK: - Waiting pushes, later

    /// Does what has fallen due on a device, each thing at its time, in the order of time and acceptance.
    mutating func settle(_ device: Int32, to now: Instant, _ effects: inout Effects) {
        while devices[device].dueAt <= now {
            if let due = screenDue(device), due == devices[device].dueAt {
                endExtensions(of: device, at: due, &effects)
                updateDue(device)
                continue
            }
            guard let (slot, index) = earliest(device) else {
                preconditionFailure("a device has something due and nothing waits")
            }
            let waiting = take(index, from: slot)
            if waiting.expiresAt <= waiting.dueAt {
                effects.note(waiting.sequence, .expired, at: waiting.expiresAt, "its time was over")
            } else {
                reenter(waiting, slot, at: waiting.dueAt, &effects)
            }
            updateDue(device)
        }
    }

    /// Lets all that waits for a device go its way again, in the order of acceptance; the device has changed.
    ///
    /// With `only`, those of one registration.
    mutating func reenterAll(
        _ device: Int32, only: Int32? = nil, at now: Instant, _ effects: inout Effects
    ) {
        var all: [(slot: Int32, waiting: WaitingPush)] = []
        for slot in slots(of: device) where only == nil || only == slot {
            while let last = registrations[slot].rare.value?.waiting.indices.last {
                all.append((slot, take(last, from: slot)))
            }
        }
        all.sort { $0.waiting.sequence < $1.waiting.sequence }
        for (slot, waiting) in all { reenter(waiting, slot, at: now, &effects) }
        updateDue(device)
    }

    private mutating func reenter(
        _ waiting: WaitingPush, _ slot: Int32, at now: Instant, _ effects: inout Effects
    ) {
        let entered = enter(waiting, slot, at: now, &effects)
        if entered.outcome == .delivered {
            let device = registrations[slot].device
            let delivery = Delivery(
                sequence: waiting.sequence, push: waiting.push, deliveredAt: now, device: devices[device].id,
                scope: scopeName(device))
            effects.note(delivery, entered.detail, entered.shown)
        } else if entered.outcome != waiting.place.outcome {
            effects.note(waiting.sequence, entered.outcome, at: now, entered.detail)
        }
    }

    /// Discards all that waits for a registration.
    mutating func discardWaiting(_ slot: Int32, at now: Instant, _ why: String, _ effects: inout Effects) {
        while let last = registrations[slot].rare.value?.waiting.indices.last {
            effects.note(take(last, from: slot).sequence, .discarded, at: now, why)
        }
        updateDue(registrations[slot].device)
    }

    private func earliest(_ device: Int32) -> (slot: Int32, index: Int)? {
        var best: (slot: Int32, index: Int, dueAt: Instant, sequence: UInt64)?
        for slot in slots(of: device) {
            for (index, waiting) in (registrations[slot].rare.value?.waiting ?? []).enumerated() {
                if let best, (best.dueAt, best.sequence) < (waiting.dueAt, waiting.sequence) { continue }
                best = (slot, index, waiting.dueAt, waiting.sequence)
            }
        }
        return best.map { ($0.slot, $0.index) }
    }

    // MARK: - What is due

    /// Brings ``Device/dueAt`` and the heap up to date; what waits for the device, or on it, has changed.
    mutating func updateDue(_ device: Int32) {
        var dueAt = screenDue(device) ?? Device.never
        var slot = devices[device].first
        while slot >= 0 {
            if let detail = registrations[slot].rare.value {
                for waiting in detail.waiting { dueAt = min(dueAt, waiting.dueAt) }
            }
            slot = registrations[slot].next
        }
        setDue(device, dueAt)
    }

    mutating func setDue(_ device: Int32, _ dueAt: Instant) {
        let before = devices[device].dueAt
        guard dueAt != before else { return }
        devices[device].dueAt = dueAt
        let scope = devices[device].scope
        var due = dues.removeValue(forKey: scope) ?? ScopeDues()
        if before == Device.never { due.deviceCount += 1 }
        if dueAt == Device.never {
            due.deviceCount -= 1
        } else {
            due.heap.insert(DueHeap.Item(at: dueAt, device: device))
        }
        // With the last device, what is outdated in the heap goes, too.
        guard due.deviceCount > 0 else { return }
        // At most as many outdated items as good ones, apart from a few.
        if due.heap.count > 2 * due.deviceCount + 64 { tidy(&due.heap, scope) }
        dues[scope] = due
    }

    private func tidy(_ heap: inout DueHeap, _ scope: Int32) {
        var seen: Set<Int32> = []
        var items: [DueHeap.Item] = []
        while let item = heap.first {
            heap.removeFirst()
            if isGood(item, scope), seen.insert(item.device).inserted { items.append(item) }
        }
        heap.rebuild(items)
    }

    /// Whether an item of a heap is still what its device says.
    func isGood(_ item: DueHeap.Item, _ scope: Int32) -> Bool {
        devices[item.device].isOccupied && devices[item.device].dueAt == item.at && devices[item.device].scope == scope
    }
}

extension Power {
    /// Whether a push waits for better power.
    fileprivate func holds(_ priority: Priority, isBackground: Bool) -> Bool {
        switch self {
        case .normal: false
        case .low: priority != .immediate || isBackground
        case .asleep: priority != .immediate
        }
    }
}
