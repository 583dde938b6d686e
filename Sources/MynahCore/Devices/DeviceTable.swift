package import APNsRules

/// The simulated devices of one shard, with their apps, their tokens and the pushes that wait for them.
///
/// One lock protects each table. A token names one app on one device in one environment
/// (`DeviceBehaviour#Registration-and-tokens`). A named device is in the shard of its id, and the tokens issued for it
/// fall into the same shard, so that a push takes one lock. A token that a call gives to the device may fall into
/// another shard, which then forwards its pushes.
///
/// Time is an argument: every method that takes one first processes what is due by then, each item at its own time, so
/// the results are the same whether or not the table was asked in between.
package struct DeviceTable: Sendable {
    package enum Answer: Sendable {
        case accepted(Decision)
        case refused(Refusal)
        /// The token belongs to a device of another shard: ask that one with `isForwarded`.
        case elsewhere(shard: Int)
    }

    let settings: DeviceSettings
    // Extensions in other files change single devices and registrations through the subscripts.
    private(set) var devices = DeviceDirectory()
    private(set) var tokens: TokenDirectory
    private var waitingCounts = StoredPushes.Counts()
    /// The running activities that follow broadcast channels.
    package private(set) var followers = ChannelFollowers()
    // What happened to earlier pushes since the last call returned.
    private(set) var effects = Effects()

    package var count: Int { devices.count }
    /// How many registrations belong to web apps.
    package var webAppCount: Int { tokens.webApps.count }
    /// How many pushes are stored for devices that are offline.
    package var storedCount: Int { waitingCounts.stored }
    /// How many pushes a device's state, a budget or a fault holds back.
    package var deferredCount: Int { waitingCounts.deferred }

    /// A table without devices; all shards may have the same `random`.
    package init(
        settings: DeviceSettings = DeviceSettings(), shard: Int = 0, of shardCount: Int = 1,
        random: SeededGenerator = SeededGenerator(seed: 0)
    ) {
        self.settings = settings
        tokens = TokenDirectory(settings: settings, shard: shard, of: shardCount, random: random)
    }

    /// A table of what was read; what follows from it is made anew.
    init(
        settings: DeviceSettings, devices: consuming DeviceDirectory, tokens: consuming TokenDirectory, effects: Effects
    ) {
        self.settings = settings
        self.devices = devices
        self.tokens = tokens
        self.effects = effects
        for device in self.devices.places {
            for activity in self.devices[device].detail.value?.activities.all ?? [] where activity.isRunning {
                setFollowing(activity, of: device, true)
            }
            var slot = self.devices[device].firstRegistration
            while slot >= 0 {
                self.tokens[slot].detail.value?.waiting.count(in: &waitingCounts)
                slot = self.tokens[slot].next
            }
            updateDue(device)
        }
    }

    subscript(device device: Int32) -> Device {
        _read { yield devices[device] }
        _modify { yield &devices[device] }
    }

    subscript(registration slot: Int32) -> Registration {
        _read { yield tokens[slot] }
        _modify { yield &tokens[slot] }
    }

    /// Returns what has happened to earlier pushes since this was last called.
    mutating func takeEffects() -> Effects {
        guard !effects.isEmpty else { return Effects() }
        defer { effects = Effects() }
        return effects
    }

    /// Records what time has done to a Live Activity.
    mutating func recordActivityChange(_ change: ActivityChange) { effects.recordActivityChange(change) }

    /// Records what the user saw of an earlier push.
    mutating func recordShown(of sequence: UInt64, _ shown: ShownOutcome) { effects.recordShown(of: sequence, shown) }

    /// Calls `body`; if it throws, what it noted about earlier pushes is forgotten.
    mutating func forgettingEffectsOfFailure<Value>(
        _ body: (inout DeviceTable) throws(InputError) -> Value
    ) throws(InputError) -> Value {
        let before = effects
        do throws(InputError) {
            return try body(&self)
        } catch {
            effects = before
            throw error
        }
    }

    // MARK: - A push

    /// Checks what only the devices know, in APNs' order, and takes the push in: delivered, stored, deferred,
    /// expired, or discarded (`DeviceBehaviour#From-APNs-to-the-device`).
    ///
    /// `clock` returns a scope's time; `isForwarded` if another shard answered that the token is here. `takeSequence` is
    /// called once, only for an accepted push, and under the caller's lock, so that a device's pushes are numbered in
    /// the order of acceptance.
    package mutating func accept(
        _ push: borrowing Push, at now: Instant, clock: (String) -> Instant, isForwarded: Bool = false,
        order: DeliveryOrder = .deliver, takeSequence: () -> UInt64
    ) -> Answer {
        if let slot = tokens.find(push.token) {
            let time = time(of: tokens[slot].device, now, clock)
            if let refusal = refusal(of: push, slot, at: time) { return .refused(refusal) }
            if let refusal = countRequest(slot, at: time) { return .refused(refusal) }
            return .accepted(receive(push, sequence: takeSequence(), for: slot, order: order, at: time))
        }
        if let shard = tokens.shardOfForeignDevice(with: push.token) { return .elsewhere(shard: shard) }
        guard settings.policy == .open, !isForwarded else {
            return .refused(Refusal(.badDeviceToken, "no device has this token, and only known devices are accepted"))
        }
        if push.contradictsItself, let refusal = push.contradiction { return .refused(refusal) }
        let device = devices.insertUnnamed(push.environment)
        let slot = addRegistration(
            of: push.topicBytes.span.extracting(push.topic), to: device, in: push.environment, token: push.token,
            state: .active, since: now)
        if let refusal = countRequest(slot, at: now) { return .refused(refusal) }
        return .accepted(receive(push, sequence: takeSequence(), for: slot, order: order, at: now))
    }

    private mutating func receive(
        _ push: borrowing Push, sequence: UInt64, for slot: Int32, order: DeliveryOrder, at time: Instant
    ) -> Decision {
        let device = tokens[slot].device
        if order == .deliver, isAlwaysDelivered(slot, device), devices[device].dueAt > time {
            devices[device].inbox.append(sequence, at: time, limit: settings.inboxCountMax)
            return decision(on: sequence, result: DeliveryResult(outcome: .delivered, detail: nil), for: slot, at: time)
        }
        settle(device, to: time)
        let state = tokens[slot].state
        let result =
            state == .active
            ? deliver(push, sequence: sequence, to: slot, order: order, at: time)
            : DeliveryResult(
                outcome: .discarded,
                detail: Unregistration.discardReason(state, isOfActivity: tokens.activity(of: slot) != nil))
        return decision(on: sequence, result: result, for: slot, at: time)
    }

    /// Whether every push to a registration is delivered at once, so that nothing else need be looked at.
    private func isAlwaysDelivered(_ slot: Int32, _ device: Int32) -> Bool {
        tokens[slot].detail.isAbsent && tokens[slot].state == .active && devices[device].state == DeviceState()
            && settings.backgroundBudget == nil && devices[device].detail.isAbsent
            && !tokens.isComplication(slot) && !tokens.isForActivities(slot)
    }

    /// Counts a push to a device token; returns its refusal if it is one too many (`--request-limit`).
    private mutating func countRequest(_ slot: Int32, at now: Instant) -> Refusal? {
        guard let limit = settings.requestLimit else { return nil }
        var requests = tokens[slot].detail.value?.requests ?? RateLimitPeriod(start: now)
        guard requests.accept(at: now, limit) else {
            return Refusal(
                .tooManyRequests,
                "the device token has had \(requests.accepted) pushes since \(requests.start.rfc3339); at most "
                    + "\(limit.count) within \(DurationText.text(limit.period)) are allowed")
        }
        tokens[slot].detail.orDefault.requests = requests
        return nil
    }

    /// Checks the environment, the topic, whether the push contradicts itself, and the token's state, in this order
    /// (`ProviderAPI#Order-of-checks`).
    private func refusal(of push: borrowing Push, _ slot: Int32, at now: Instant) -> Refusal? {
        let environment = tokens[slot].environment
        guard environment == push.environment else {
            return Refusal(
                .badDeviceToken,
                "the token is for \(environment.rawValue), the push came to \(push.environment.rawValue)")
        }
        let topic = push.topicBytes.span.extracting(push.topic)
        guard topic.equals(tokens.topic(of: slot)) else {
            return Refusal(
                .deviceTokenNotForTopic,
                "the token belongs to \(tokens.topicText(of: slot)), the push names \(topic.text)")
        }
        if push.contradictsItself, let refusal = push.contradiction { return refusal }
        let state = tokens[slot].state
        return state == .active ? nil : tokens[slot].detail.value?.unregistration?.refusal(state, at: now)
    }

    private mutating func decision(
        on sequence: UInt64, result: DeliveryResult, for slot: Int32, at time: Instant
    ) -> Decision {
        let device = tokens[slot].device
        let dueAt = devices[device].dueAt
        let label = devices[device].id.map { DeviceLabel(device: $0, scope: devices.scope(of: device)) }
        return Decision(
            sequence: sequence, outcome: result.outcome, detail: result.detail, at: time, effects: takeEffects(),
            label: label, token: tokens[slot].token, dueAt: dueAt == Device.never ? nil : dueAt, shown: result.shown)
    }

    /// Gives a device a push without checking APNs' rules, for a fault that delivers late or twice; `nil` if no device
    /// has the token or its app is gone.
    package mutating func redeliver(
        _ push: borrowing Push, sequence: UInt64, at now: Instant, clock: (String) -> Instant
    ) -> Decision? {
        guard let slot = tokens.find(push.token), tokens[slot].state == .active else { return nil }
        let time = settled(tokens[slot].device, at: now, clock)
        let result = deliver(push, sequence: sequence, to: slot, order: .deliver, at: time)
        return decision(on: sequence, result: result, for: slot, at: time)
    }

    // MARK: - From APNs to the device (`DeviceBehaviour#From-APNs-to-the-device`)

    private struct DeliveryResult {
        let outcome: Outcome
        let detail: String?
        /// What the user saw of it, if the device has a screen.
        var shown: ShownOutcome?
    }

    private enum Verdict {
        case deliver(isBackground: Bool)
        case wait(WaitingPush.Place, String, nextAttemptAt: Instant?)
        case end(Outcome, String)
    }

    private mutating func deliver(
        _ push: borrowing Push, sequence: UInt64, to slot: Int32, order: DeliveryOrder, at time: Instant
    ) -> DeliveryResult {
        var waiting = WaitingPush(push, sequence: sequence, acceptedAt: time)
        switch order {
        case .deliver: break
        case .hold(let delay): waiting.heldUntil = time.advanced(by: delay)
        case .drop: return DeliveryResult(outcome: .lost, detail: "a fault accepted it and dropped it")
        }
        let result = deliver(waiting, slot, at: time)
        updateDue(tokens[slot].device)
        return result
    }

    /// Delivers, keeps or ends a push, depending on the device's state; the caller calls ``updateDue(_:)`` afterwards.
    private mutating func deliver(_ waiting: WaitingPush, _ slot: Int32, at now: Instant) -> DeliveryResult {
        switch verdict(on: waiting, slot, at: now) {
        case .deliver(let isBackground):
            if isBackground, let budget = settings.backgroundBudget {
                tokens[slot].detail.orDefault.backgroundBudget.count(at: now, budget: budget)
            }
            if let budget = activityBudget(for: waiting.push, slot) {
                let topic = tokens.topicText(of: slot)
                devices[tokens[slot].device].detail.orDefault.activityBudgets[topic, default: HourlyBudget()]
                    .count(at: now, budget: budget)
            }
            return arrive(waiting, slot, at: now)
        case .end(let outcome, let why): return DeliveryResult(outcome: outcome, detail: why)
        case .wait(let place, let reason, let nextAttemptAt):
            var waiting = waiting
            waiting.place = place
            waiting.reason = reason
            waiting.nextAttemptAt = nextAttemptAt
            return wait(waiting, slot, at: now)
        }
    }

    private mutating func arrive(_ waiting: WaitingPush, _ slot: Int32, at now: Instant) -> DeliveryResult {
        var detail: String?
        let isWeb = tokens[slot].detail.value?.web != nil
        switch isWeb ? webArrival(waiting.push, slot, at: now) : arrival(slot, at: now) {
        case .lost(let why): return DeliveryResult(outcome: .discarded, detail: why)
        case .arrivesWithRemark(let why): detail = why
        case .arrives: break
        }
        var shown: ShownOutcome?
        if tokens.isForActivities(slot) {
            switch changeActivity(waiting.push, sequence: waiting.sequence, slot, at: now) {
            case .shown(let outcome): shown = outcome
            case .unchanged(let why): return DeliveryResult(outcome: .discarded, detail: why)
            }
        } else {
            shown = show(waiting.push, sequence: waiting.sequence, for: slot, at: now)
        }
        devices[tokens[slot].device].inbox.append(waiting.sequence, at: now, limit: settings.inboxCountMax)
        return DeliveryResult(outcome: .delivered, detail: detail, shown: shown)
    }

    private func verdict(on waiting: WaitingPush, _ slot: Int32, at now: Instant) -> Verdict {
        if let heldUntil = waiting.heldUntil, now < heldUntil {
            return .wait(.held, "a fault delivers it late", nextAttemptAt: heldUntil)
        }
        let device = tokens[slot].device
        let detail = tokens[slot].detail.value
        // The payload is parsed only where the answer matters.
        if detail?.app.presentation.permissions.authorization == .denied, waiting.push.isForUserAlone {
            return .end(.discarded, "the user has turned the app's notifications off")
        }
        guard devices[device].state.isOnline else {
            return waiting.isOnce
                ? .end(.expired, "the device is offline, and expiration 0 allows one attempt")
                : .wait(.stored, "device offline", nextAttemptAt: nil)
        }
        let power = devices[device].state.power
        let obstacle = detail?.app.backgroundObstacle
        let dependsOnKind = power != .normal || obstacle != nil || settings.backgroundBudget != nil
        let isBackground =
            dependsOnKind && detail?.web == nil && (waiting.place == .deferredBackground || waiting.push.isBackground())
        if isBackground, let obstacle { return .end(.discarded, obstacle) }

        if let deferral = power.deferral(
            of: waiting.push.priority, isBackground: isBackground, acceptedAt: waiting.acceptedAt,
            deferralMax: settings.deferralMax, at: now)
        {
            return .wait(isBackground ? .deferredBackground : .deferred, deferral.reason, nextAttemptAt: deferral.until)
        }
        if isBackground, let budget = settings.backgroundBudget {
            let free = (detail?.backgroundBudget ?? HourlyBudget()).nextFree(budget: budget, at: now)
            guard let free, free <= now else {
                return .wait(.deferredBackground, "background budget of \(budget) an hour", nextAttemptAt: free)
            }
        }
        if let budget = activityBudget(for: waiting.push, slot) {
            let spent = devices[device].detail.value?.activityBudgets[tokens.topicText(of: slot)] ?? HourlyBudget()
            let free = spent.nextFree(budget: budget, at: now)
            guard let free, free <= now else {
                // Only the newest update counts, which has the whole state; each start is an activity of its own.
                return .wait(
                    detail?.activity == nil ? .deferred : .deferredUpdate, "activity budget of \(budget) an hour",
                    nextAttemptAt: free)
            }
        }
        return .deliver(isBackground: isBackground)
    }

    // MARK: - Waiting pushes

    private mutating func wait(_ waiting: WaitingPush, _ slot: Int32, at now: Instant) -> DeliveryResult {
        if waiting.place == .held,
            var released = tokens[slot].detail.orDefault.waiting.takeEarliestHeld(counting: &waitingCounts)
        {
            released.heldUntil = nil
            deliverAgain(released, slot, at: now)
        }
        if let coalescing = tokens[slot].detail.orDefault.waiting.add(waiting, counting: &waitingCounts) {
            guard coalescing.replaced.sequence != waiting.sequence else {
                return DeliveryResult(outcome: coalescing.outcome, detail: coalescing.detail)
            }
            effects.record(coalescing.outcome, of: coalescing.replaced.sequence, at: now, detail: coalescing.detail)
        }
        return DeliveryResult(outcome: waiting.place.outcome, detail: waiting.reason)
    }

    /// Tries again to deliver everything that waits for a device, or for one of its registrations, in the order of
    /// acceptance: the device came online, or its power or an app changed.
    mutating func deliverWaiting(_ device: Int32, only: Int32? = nil, at now: Instant) {
        var all: [(slot: Int32, waiting: WaitingPush)] = []
        for slot in tokens.slots(of: devices[device]) where only == nil || only == slot {
            all += takeWaiting(slot).map { (slot, $0) }
        }
        all.sort { $0.waiting.sequence < $1.waiting.sequence }
        for (slot, waiting) in all { deliverAgain(waiting, slot, at: now) }
        updateDue(device)
    }

    /// Has everything that a state or a budget holds back tried again by the next ``advance(to:clock:on:)``, because the
    /// settings were others when it was last tried.
    package mutating func retryDeferred(at now: Instant, clock: (String) -> Instant) {
        for device in devices.places {
            let time = time(of: device, now, clock)
            for slot in tokens.slots(of: devices[device])
            where tokens[slot].detail.value?.waiting.all.isEmpty == false {
                tokens[slot].detail.orDefault.waiting.retryDeferred(at: time)
            }
            updateDue(device)
        }
    }

    mutating func discardWaiting(_ slot: Int32, at now: Instant, _ why: String) {
        for waiting in takeWaiting(slot) { effects.record(.discarded, of: waiting.sequence, at: now, detail: why) }
        updateDue(tokens[slot].device)
    }

    private mutating func deliverAgain(_ waiting: WaitingPush, _ slot: Int32, at now: Instant) {
        let result = deliver(waiting, slot, at: now)
        guard result.outcome != waiting.place.outcome else { return }
        effects.record(result.outcome, of: waiting.sequence, at: now, detail: result.detail, shown: result.shown)
        guard result.outcome == .delivered else { return }
        let device = id(of: tokens[slot].device)
        effects.addReceiver(device)
        if result.shown?.activity.value?.channel != nil { effects.addFollower(device) }
    }

    private mutating func takeWaiting(_ slot: Int32) -> [WaitingPush] {
        guard tokens[slot].detail.value?.waiting.all.isEmpty == false else { return [] }
        return tokens[slot].detail.orDefault.waiting.takeAll(counting: &waitingCounts)
    }

    // MARK: - Time

    @inline(__always)
    func time(of device: Int32, _ now: Instant, _ clock: (String) -> Instant) -> Instant {
        let scope = devices[device].scope
        return scope == 0 ? now : clock(devices.scopes[scope])
    }

    /// Finds a device and processes what is due on it; also returns the time of its clock.
    mutating func settled(
        _ id: String, at now: Instant, _ clock: (String) -> Instant
    ) throws(InputError) -> (device: Int32, time: Instant) {
        let device = try existing(id)
        return (device, settled(device, at: now, clock))
    }

    /// Processes what is due on a device; returns the time of its clock.
    mutating func settled(_ device: Int32, at now: Instant, _ clock: (String) -> Instant) -> Instant {
        let time = time(of: device, now, clock)
        settle(device, to: time)
        return time
    }

    /// Processes what is due on a device, each item at its own time, in the order of time and acceptance.
    mutating func settle(_ device: Int32, to now: Instant) {
        while devices[device].dueAt <= now {
            if let due = devices[device].screenDue, due == devices[device].dueAt {
                let ended = devices[device].detail.orDefault.screen?.settle(at: due) ?? []
                for (sequence, presentation) in ended { effects.recordShown(of: sequence, presentation.outcome) }
            } else if let due = devices[device].activitiesDue, due == devices[device].dueAt {
                settleActivities(device, at: due)
            } else if let (due, slot) = nextSilentPush(on: device), due == devices[device].dueAt {
                endSilentPush(slot, at: due)
            } else if let (waiting, slot) = takeEarliest(device) {
                if waiting.expiresAt <= waiting.dueAt {
                    effects.record(
                        .expired, of: waiting.sequence, at: waiting.expiresAt, detail: "its expiration has passed")
                } else {
                    deliverAgain(waiting, slot, at: waiting.dueAt)
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
            let dueAt = stored.all[index].dueAt
            let sequence = stored.all[index].sequence
            if let best, (best.dueAt, best.sequence) < (dueAt, sequence) { continue }
            best = (slot, index, dueAt, sequence)
        }
        guard let best else { return nil }
        return (tokens[best.slot].detail.orDefault.waiting.take(best.index, counting: &waitingCounts), best.slot)
    }

    /// Brings ``Device/dueAt`` up to date after what waits for a device, or on its screen, has changed.
    mutating func updateDue(_ device: Int32) {
        var dueAt = min(devices[device].screenDue ?? Device.never, devices[device].activitiesDue ?? Device.never)
        if let silent = nextSilentPush(on: device) { dueAt = min(dueAt, silent.at) }
        var slot = devices[device].firstRegistration
        while slot >= 0 {
            for waiting in tokens[slot].detail.value?.waiting.all ?? [] { dueAt = min(dueAt, waiting.dueAt) }
            slot = tokens[slot].next
        }
        devices.setDue(device, at: dueAt)
    }

    /// Processes what is due on the clocks of the included scopes, where `nil` is the server's clock; the effects are
    /// sorted by time and acceptance.
    package mutating func advance(
        to now: Instant, clock: (String) -> Instant, on isIncluded: (String?) -> Bool = { _ in true }
    ) -> Effects {
        for scope in devices.dueScopes {
            let name = devices.scopeName(scope)
            guard isIncluded(name) else { continue }
            let time = name.map(clock) ?? now
            while let device = devices.popDue(by: time, on: scope) { settle(device, to: time) }
        }
        effects.sort()
        return takeEffects()
    }

    /// When something is due next on the included clocks; a `nil` scope is the server's clock.
    package mutating func nextDue(on isIncluded: (String?) -> Bool = { _ in true }) -> Instant? {
        nextDues().filter { isIncluded($0.scope) }.map(\.at).min()
    }

    /// When something is due next on the clock of each scope that has something due.
    package mutating func nextDues() -> [(scope: String?, at: Instant)] {
        devices.dueScopes.compactMap { scope in devices.nextDue(on: scope).map { (devices.scopeName(scope), $0) } }
    }

    // MARK: - Finding

    /// The shard of a device's id: the shard of a token, if the id is a token's digits.
    package static func shard(ofID id: String, of shardCount: Int) -> Int {
        if let token = DeviceToken(id, byteCounts: 1...DeviceToken.byteCountMax) { return token.shard(of: shardCount) }
        return Int(DeviceDirectory.hash(id) % UInt64(shardCount))
    }

    func find(id: String) -> Int32? {
        if let named = devices.find(id: id) { return named }
        guard let token = DeviceToken(id, byteCounts: 1...DeviceToken.byteCountMax), let slot = tokens.find(token)
        else { return nil }
        let device = tokens[slot].device
        return devices[device].id == nil && devices[device].firstRegistration == slot ? device : nil
    }

    /// The id of a device; of an unnamed one, the digits of its first token.
    func id(of device: Int32) -> String { devices[device].id ?? tokens[devices[device].firstRegistration].token.hex }

    func existing(_ id: String) throws(InputError) -> Int32 {
        guard let device = find(id: id) else { throw InputError.missing("id", "there is no device \(id)") }
        return device
    }

    // MARK: - Devices and registrations

    mutating func insert(id: String?, traits: DeviceTraits, scope: String?) -> Int32 {
        devices.insert(id: id, traits: traits, scope: scope)
    }

    mutating func setProfile(_ profile: DeviceProfile, of device: Int32) { devices.setProfile(profile, of: device) }

    /// Removes a device and returns its tokens that fall into other shards.
    @discardableResult
    mutating func remove(_ device: Int32, at now: Instant) -> [DeviceToken] {
        var foreign: [DeviceToken] = []
        for slot in tokens.slots(of: devices[device]) {
            let token = tokens[slot].token
            if !tokens[slot].state.lacksToken, !tokens.isHome(to: token) { foreign.append(token) }
            removeRegistration(slot, at: now, "the device was removed")
        }
        for activity in devices[device].detail.value?.activities.all ?? [] {
            setFollowing(activity, of: device, false)
        }
        devices.remove(device)
        return foreign
    }

    /// Frees the memory of an empty table.
    mutating func shrink() {
        devices = DeviceDirectory()
        followers = ChannelFollowers()
        tokens.removeAll()
    }

    mutating func addRegistration(
        of topic: Span<UInt8>, to device: Int32, in environment: APNsEnvironment, token: DeviceToken? = nil,
        state: RegistrationState = .notLaunched, since: Instant, applicationServerKey key: [UInt8]? = nil
    ) -> Int32 {
        let topic = tokens.retainTopic(topic)
        var registration = Registration(
            token: token ?? .placeholder, since: since, topic: topic, device: device, state: state,
            environment: environment)
        if let key { registration.detail.orDefault.web = WebApp(applicationServerKey: key) }
        return tokens.add(registration, to: &devices[device])
    }

    mutating func removeRegistration(_ slot: Int32, at now: Instant, _ why: String) {
        discardWaiting(slot, at: now, why)
        tokens.remove(slot, from: &devices[tokens[slot].device])
    }

    /// Records that an activity follows its channel, or follows it no longer.
    mutating func setFollowing(_ activity: LiveActivity, of device: Int32, _ isFollowing: Bool) {
        guard let channel = activity.channel else { return }
        followers.setFollowing(channel, ActivityPlace(device: device, number: activity.number), isFollowing)
    }

    /// Gives a registration a token that nothing else in this shard has.
    mutating func setToken(_ slot: Int32, _ token: DeviceToken, at now: Instant) {
        tokens.setToken(token, of: slot, at: now)
    }

    // MARK: - Tokens of devices in other shards

    /// The shard of a token's device, if it is another one.
    package func alias(of token: DeviceToken) -> Int? { tokens.shardOfForeignDevice(with: token) }

    /// Forwards pushes to a token of this shard to a device in another one; removes an unnamed device with the token,
    /// and fails if a named one has it.
    package mutating func claim(
        _ token: DeviceToken, for shard: Int, at now: Instant
    ) throws(InputError) -> (isNew: Bool, effects: Effects) {
        try checkClaim(token, for: shard)
        guard alias(of: token) == nil else { return (false, Effects()) }
        removeOwner(of: token, at: now)
        tokens.setShardOfForeignDevice(with: token, shard)
        return (true, takeEffects())
    }

    /// Takes a claim back after the device was removed.
    package mutating func unclaim(_ token: DeviceToken) { tokens.setShardOfForeignDevice(with: token, nil) }
}
