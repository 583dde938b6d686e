package import APNsRules

/// The simulated devices of one shard, with their apps, their tokens and the pushes that wait for them.
///
/// A value for one lock. A token names one app on one device in one environment
/// (`DeviceBehaviour#Registration-and-tokens`). A named device is in the shard of its id, and the tokens issued for it
/// fall into the same shard, so that a push takes one lock; a token that a call gives to the device may fall into
/// another shard, which then forwards its pushes.
///
/// Time is an argument: every method that takes one first does what has fallen due by then, each thing at its own
/// time, so the results are the same whether or not the table was asked in between.
package struct DeviceTable: Sendable {
    /// The table's answer to a push.
    package enum Answer: Sendable {
        case accepted(Decision)
        case refused(Refusal)
        /// The token belongs to a device of another shard, which is to be asked with `isForwarded`.
        case elsewhere(shard: Int)
    }

    let settings: DeviceSettings
    // Each part keeps its own state private; what needs several of them is in this type's extensions.
    var devices = DeviceDirectory()
    var tokens: TokenDirectory
    var waitingCounts = StoredPushes.Counts()

    package var count: Int { devices.count }
    /// How many pushes are stored for devices that are offline.
    package var storedCount: Int { waitingCounts.stored }
    /// How many pushes power, a budget or a fault holds back.
    package var deferredCount: Int { waitingCounts.deferred }

    /// Makes a table without devices; all shards may have the same `random`.
    package init(
        settings: DeviceSettings = DeviceSettings(), shard: Int = 0, of shardCount: Int = 1,
        random: SeededGenerator = SeededGenerator(seed: 0)
    ) {
        self.settings = settings
        tokens = TokenDirectory(settings: settings, shard: shard, of: shardCount, random: random)
    }

    // MARK: - A push

    /// Checks what only the devices know, in APNs' order, and takes the push in: delivered, stored, deferred,
    /// expired, or discarded (`DeviceBehaviour#From-APNs-to-the-device`).
    ///
    /// - Parameters:
    ///   - clock: The time of a scope; called for devices that are in one.
    ///   - isForwarded: Whether another shard answered that the token is here.
    ///   - takeSequence: Called once, and only for a push that is accepted, under the caller's lock, so that the order
    ///     of one device's pushes agrees with the order of all pushes.
    package mutating func accept(
        _ push: borrowing Push, at now: Instant, clock: (String) -> Instant, isForwarded: Bool = false,
        order: DeliveryOrder = .deliver, takeSequence: () -> UInt64
    ) -> Answer {
        guard let slot = tokens.find(push.token) else {
            return acceptUnknown(push, at: now, isForwarded: isForwarded, order: order, takeSequence: takeSequence)
        }
        let device = tokens[slot].device
        let time = time(of: device, now, clock)
        if let refusal = refusal(of: push, slot, at: time) { return .refused(refusal) }

        let sequence = takeSequence()
        if order == .deliver, isAlwaysDelivered(slot, device), devices[device].dueAt > time {
            devices[device].inbox.append(sequence, at: time, limit: settings.inboxCountMax)
            return .accepted(decision(sequence, DeliveryResult(.delivered, nil), at: time, device, push.token))
        }
        var effects = Effects()
        settle(device, to: time, &effects)
        let state = tokens[slot].state
        let result =
            state == .active
            ? deliver(push, sequence, slot, order, at: time, &effects)
            : DeliveryResult(.discarded, Unregistration.discardReason(state))
        return .accepted(decision(sequence, result, at: time, device, push.token, effects))
    }

    private mutating func acceptUnknown(
        _ push: borrowing Push, at now: Instant, isForwarded: Bool, order: DeliveryOrder,
        takeSequence: () -> UInt64
    ) -> Answer {
        if let shard = tokens.shardOfForeignDevice(with: push.token) { return .elsewhere(shard: shard) }
        guard settings.policy == .open, !isForwarded else {
            return .refused(Refusal(.badDeviceToken, "no device has this token, and only known devices are accepted"))
        }
        let sequence = takeSequence()
        let topic = tokens.retainTopic(push.topicBytes.span.extracting(push.topic))
        let device = devices.insertUnnamed(push.environment)
        let slot = addRegistration(topic, device, push.environment, token: push.token, state: .active, since: now)
        guard order == .deliver, isAlwaysDelivered(slot, device) else {
            var effects = Effects()
            let result = deliver(push, sequence, slot, order, at: now, &effects)
            return .accepted(decision(sequence, result, at: now, device, push.token, effects))
        }
        devices[device].inbox.append(sequence, at: now, limit: settings.inboxCountMax)
        return .accepted(decision(sequence, DeliveryResult(.delivered, nil), at: now, device, push.token))
    }

    /// Whether every push to a registration is delivered at once, so that nothing else need be looked at.
    private func isAlwaysDelivered(_ slot: Int32, _ device: Int32) -> Bool {
        tokens[slot].detail.isAbsent && tokens[slot].state == .active && devices[device].isOnline
            && devices[device].power == .normal && settings.backgroundBudget == nil && devices[device].detail.isAbsent
            && !tokens.isComplication(slot)
    }

    /// Checks the environment before the topic before the token's state (`ProviderAPI#Order-of-checks`).
    private func refusal(of push: borrowing Push, _ slot: Int32, at now: Instant) -> Refusal? {
        let environment = tokens[slot].environment
        guard environment == push.environment else {
            return Refusal(
                .badDeviceToken,
                "the token is one of \(environment.rawValue), the push came to \(push.environment.rawValue)")
        }
        let topic = push.topicBytes.span.extracting(push.topic)
        guard topic.equals(tokens.topic(of: slot)) else {
            return Refusal(
                .deviceTokenNotForTopic,
                "the token belongs to \(tokens.topicText(of: slot)), the push names \(topic.text)")
        }
        let state = tokens[slot].state
        return state == .active ? nil : tokens[slot].detail.value?.unregistration?.refusal(state, at: now)
    }

    private func decision(
        _ sequence: UInt64, _ result: DeliveryResult, at time: Instant, _ device: Int32, _ token: DeviceToken,
        _ effects: Effects = Effects()
    ) -> Decision {
        let dueAt = devices[device].dueAt
        return Decision(
            sequence: sequence, outcome: result.outcome, detail: result.detail, at: time, effects: effects,
            device: devices[device].id, scope: devices.scope(of: device), token: token,
            dueAt: dueAt == Device.never ? nil : dueAt, shown: result.shown)
    }

    /// Gives a device a push without asking APNs' rules, as a fault that delivers late or twice does.
    ///
    /// `nil` when no device has the token or its app is gone.
    package mutating func redeliver(
        _ push: borrowing Push, sequence: UInt64, at now: Instant, clock: (String) -> Instant
    ) -> Decision? {
        guard let slot = tokens.find(push.token), tokens[slot].state == .active else { return nil }
        let device = tokens[slot].device
        var (time, effects) = settled(device, at: now, clock)
        let result = deliver(push, sequence, slot, at: time, &effects)
        return decision(sequence, result, at: time, device, push.token, effects)
    }

    // MARK: - Time

    @inline(__always)
    func time(of device: Int32, _ now: Instant, _ clock: (String) -> Instant) -> Instant {
        let scope = devices[device].scope
        return scope == 0 ? now : clock(devices.scopes[scope])
    }

    /// Does everything that has fallen due, on each scope's own clock; the effects are sorted by time and acceptance.
    ///
    /// Looks only at devices with something due.
    ///
    /// - Parameter isIncluded: Whether the devices of a scope are looked at; called with `nil` for those of none.
    package mutating func advance(
        to now: Instant, clock: (String) -> Instant, on isIncluded: (String?) -> Bool = { _ in true }
    ) -> Effects {
        var effects = Effects()
        for scope in devices.dueScopes {
            let name = devices.scopeName(scope)
            guard isIncluded(name) else { continue }
            let time = name.map(clock) ?? now
            while let device = devices.popDue(by: time, on: scope) { settle(device, to: time, &effects) }
        }
        effects.sort()
        return effects
    }

    /// When something is due next by itself on the included clocks; a `nil` scope is the server's clock.
    package mutating func nextDue(on isIncluded: (String?) -> Bool = { _ in true }) -> Instant? {
        nextDues().filter { isIncluded($0.scope) }.map(\.at).min()
    }

    /// When something is due next on the clock of each scope that has something due.
    package mutating func nextDues() -> [(scope: String?, at: Instant)] {
        devices.dueScopes.compactMap { scope in
            devices.nextDue(on: scope).map { (devices.scopeName(scope), $0) }
        }
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
        guard let device = find(id: id) else { throw InputError(.notFound, "there is no device \(id)") }
        return device
    }

    /// Finds a device and does what has fallen due on it; returns the time of its clock, too.
    mutating func settled(
        _ id: String, at now: Instant, _ clock: (String) -> Instant
    ) throws(InputError) -> (device: Int32, time: Instant, effects: Effects) {
        let device = try existing(id)
        let (time, effects) = settled(device, at: now, clock)
        return (device, time, effects)
    }

    /// Does what has fallen due on a device; returns the time of its clock, too.
    mutating func settled(
        _ device: Int32, at now: Instant, _ clock: (String) -> Instant
    ) -> (time: Instant, effects: Effects) {
        let time = time(of: device, now, clock)
        var effects = Effects()
        settle(device, to: time, &effects)
        return (time, effects)
    }

    /// Adds a registration whose topic was retained for it.
    mutating func addRegistration(
        _ topic: Int32, _ device: Int32, _ environment: APNsEnvironment, token: DeviceToken? = nil,
        state: RegistrationState = .notLaunched, since: Instant
    ) -> Int32 {
        tokens.add(
            Registration(
                token: token, since: since, topic: topic, device: device, state: state, environment: environment),
            to: &devices[device])
    }
}
