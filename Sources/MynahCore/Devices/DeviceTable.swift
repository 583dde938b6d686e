package import APNsRules

/// The simulated devices of one shard, with their apps, their tokens and the pushes that wait for them.
///
/// A value for one lock. A token names one app on one device in one environment
/// (`DeviceBehaviour#Registration-and-tokens`). A device with a name lives in the shard of its id, and the tokens
/// issued for it fall into the same one, so that a push takes one lock; a token that was given and falls into another
/// shard is an *alias* there.
///
/// Time is asked, not announced: every method that takes a time first does what has fallen due by then, each thing at
/// its own time, so the results are the same whether or not somebody asked in between.
package struct DeviceTable: Sendable {
    /// Whether a token still reaches its app.
    package enum State: Sendable, Hashable {
        case active
        /// The app is gone since then: 410 Unregistered.
        case unregistered(Instant)
        /// A newer token took its place then: 410 ExpiredToken.
        case expired(Instant)
    }

    /// What a table says to a push.
    package enum Answer: Sendable {
        /// It is taken in.
        case accepted(Decision)
        /// APNs refuses it.
        case refused(Refusal)
        /// The token belongs to a device of another shard: ask there, with `isForwarded`.
        case elsewhere(shard: Int)
    }

    /// The choices in force.
    package let settings: DeviceSettings
    /// Which shard this is.
    package let shard: Int
    /// How many shards there are.
    package let shardCount: Int
    /// How many devices are known.
    package internal(set) var count = 0
    /// How many pushes are stored for devices that are offline.
    package internal(set) var storedCount = 0
    /// How many pushes power or a budget holds back.
    package internal(set) var deferredCount = 0

    // Never drawn from: each token gets a stream of its own, so that it does not depend on the order of calls.
    let random: SeededGenerator
    var devices = Slots<Device>()
    var registrations = Slots<Registration>()
    var byID = SlotIndex()
    var byToken = SlotIndex()
    var aliases: [DeviceToken: Int] = [:]
    var topics = Interned<[UInt8]>()
    // Number 0 is the default.
    var traits = Interned(constant: DeviceTraits(environment: .sandbox))
    // Number 0 is no scope: the server's own clock.
    var scopes = Interned(constant: "")
    // By the scope's number.
    var dues: [Int32: ScopeDues] = [:]
    // The topic that was used last, whose number the next push probably asks for, too.
    private var lastTopic: Int32?
    // Topics whose pushes are counted (`DeviceBehaviour#Pushes-that-are-not-alerts`, complications).
    private var budgetedTopics: Set<Int32> = []

    /// No devices; `random` need not differ between shards.
    package init(
        settings: DeviceSettings = DeviceSettings(), shard: Int = 0, of shardCount: Int = 1,
        random: SeededGenerator = SeededGenerator(seed: 0)
    ) {
        precondition((0..<shardCount).contains(shard), "there is no shard \(shard) of \(shardCount)")
        self.settings = settings
        self.shard = shard
        self.shardCount = shardCount
        self.random = random
    }

    // MARK: - A push

    /// Checks what only the devices know, in APNs' order, and takes the push in: delivered, stored, deferred,
    /// expired, or discarded (`DeviceBehaviour#From-APNs-to-the-device`).
    ///
    /// - Parameters:
    ///   - push: A push that passed all other checks.
    ///   - now: The server's time.
    ///   - clock: The time of a scope; asked for devices that are in one.
    ///   - isForwarded: Whether another shard said that the token is here.
    ///   - takeSequence: Called once, and only for a push that is accepted: the caller's lock is held then, so that
    ///     the order of one device's pushes and the order of all pushes agree.
    package mutating func accept(
        _ push: borrowing Push, at now: Instant, clock: (String) -> Instant, isForwarded: Bool = false,
        order: DeliveryOrder = .deliver, takeSequence: () -> UInt64
    ) -> Answer {
        guard let slot = find(push.token) else {
            return acceptUnknown(push, at: now, isForwarded: isForwarded, order: order, takeSequence: takeSequence)
        }
        let device = registrations[slot].device
        let time = time(of: device, now, clock)
        if let refusal = refusal(of: push, slot, at: time) { return .refused(refusal) }

        let sequence = takeSequence()
        if order == .deliver, isPlain(slot, device), devices[device].dueAt > time {
            devices[device].inbox.append(sequence, at: time, limit: settings.inboxCountMax)
            return .accepted(decision(sequence, Entered(.delivered, nil), at: time, device, push.token))
        }
        var effects = Effects()
        settle(device, to: time, &effects)
        guard registrations[slot].state == .active else {
            return .accepted(
                decision(sequence, Entered(.discarded, endedDetail(slot)), at: time, device, push.token, effects))
        }
        let entered = enter(push, sequence, slot, order, at: time, &effects)
        return .accepted(decision(sequence, entered, at: time, device, push.token, effects))
    }

    /// Lets a push that has just been accepted go its way.
    mutating func enter(
        _ push: borrowing Push, _ sequence: UInt64, _ slot: Int32, _ order: DeliveryOrder = .deliver,
        at time: Instant, _ effects: inout Effects
    ) -> Entered {
        let end = push.storageEnd(acceptedAt: time)
        var waiting = WaitingPush(
            sequence: sequence, push: copy push, acceptedAt: time,
            expiresAt: end ?? time.advanced(by: Limits.storageMax), isOnce: end == nil, place: .stored, reason: "")
        switch order {
        case .deliver: break
        case .hold(let time): waiting.heldUntil = waiting.acceptedAt.advanced(by: time)
        case .drop: return Entered(.lost, "a fault accepted it and dropped it")
        }
        let entered = enter(waiting, slot, at: time, &effects)
        updateDue(registrations[slot].device)
        return entered
    }

    /// Whether a push to the registration can only be delivered, so that nothing else need be looked at.
    private func isPlain(_ slot: Int32, _ device: Int32) -> Bool {
        registrations[slot].rare.isAbsent && registrations[slot].state == .active && devices[device].isOnline
            && devices[device].power == .normal && settings.backgroundBudget == nil && devices[device].rare.isAbsent
            && !budgetedTopics.contains(registrations[slot].topic)
    }

    private mutating func acceptUnknown(
        _ push: borrowing Push, at now: Instant, isForwarded: Bool, order: DeliveryOrder,
        takeSequence: () -> UInt64
    ) -> Answer {
        if !aliases.isEmpty, let shard = aliases[push.token] { return .elsewhere(shard: shard) }
        guard settings.policy == .open, !isForwarded else {
            return .refused(
                Refusal(.badDeviceToken, "no device has this token, and only known devices are accepted"))
        }
        let sequence = takeSequence()
        let device = insert(
            Device(id: nil, traits: retainDefaultTraits(push.environment), scope: scopes.retain(number: 0)))
        let topic = retainTopic(push.topicBytes.span.extracting(push.topic))
        let slot = append(
            Registration(
                token: push.token, since: now, topic: topic, device: device, state: .active,
                environment: push.environment))
        index(slot)
        guard order == .deliver, isPlain(slot, device) else {
            var effects = Effects()
            let entered = enter(push, sequence, slot, order, at: now, &effects)
            return .accepted(decision(sequence, entered, at: now, device, push.token, effects))
        }
        devices[device].inbox.append(sequence, at: now, limit: settings.inboxCountMax)
        return .accepted(decision(sequence, Entered(.delivered, nil), at: now, device, push.token))
    }

    func decision(
        _ sequence: UInt64, _ entered: Entered, at time: Instant, _ device: Int32, _ token: DeviceToken,
        _ effects: Effects = Effects()
    ) -> Decision {
        Decision(
            sequence: sequence, outcome: entered.outcome, detail: entered.detail, at: time, effects: effects,
            device: devices[device].id, scope: scopeName(device), token: token, dueAt: nextDue(of: device),
            shown: entered.shown)
    }

    func nextDue(of device: Int32) -> Instant? {
        let dueAt = devices[device].dueAt
        return dueAt == Device.never ? nil : dueAt
    }

    /// Environment before topic before state (`ProviderAPI#Order-of-checks`).
    private func refusal(of push: borrowing Push, _ slot: Int32, at now: Instant) -> Refusal? {
        let environment = registrations[slot].environment
        guard environment == push.environment else {
            return Refusal(
                .badDeviceToken,
                "the token is one of \(environment.rawValue), the push came to \(push.environment.rawValue)")
        }
        let topic = push.topicBytes.span.extracting(push.topic)
        guard topic.equals(topics[registrations[slot].topic]) else {
            return Refusal(
                .deviceTokenNotForTopic,
                "the token belongs to \(topicText(slot)), the push names \(topic.text)")
        }
        let state = registrations[slot].state
        guard state != .active, let detail = registrations[slot].rare.value, let noticed = detail.noticedAt,
            noticed <= now || detail.isDeclaredDead
        else { return nil }
        return state == .unregistered
            ? Refusal(.unregistered, "APNs noticed at \(noticed.rfc3339) that the app was removed", timestamp: noticed)
            : Refusal(.expiredToken, "a newer token replaced this one at \(noticed.rfc3339)", timestamp: noticed)
    }

    private func endedDetail(_ slot: Int32) -> String {
        registrations[slot].state == .unregistered
            ? "the app was removed, which APNs has not noticed yet"
            : "the app has or will get a newer token, which APNs has not noticed yet"
    }

    // MARK: - Names and numbers

    /// Returns the number of a topic for a registration that is made now.
    mutating func retainTopic(_ topic: Span<UInt8>) -> Int32 {
        if let lastTopic, topic.equals(topics[lastTopic]) { return topics.retain(number: lastTopic) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(topic.count)
        for index in 0..<topic.count { bytes.append(topic[index]) }
        let number = topics.retain(bytes)
        lastTopic = number
        if Topic.suffixedPushType(of: topic) == .complication { budgetedTopics.insert(number) }
        return number
    }

    /// Ends a registration's use of its topic.
    mutating func releaseTopic(_ number: Int32) {
        guard topics.release(number) else { return }
        if lastTopic == number { lastTopic = nil }
        budgetedTopics.remove(number)
    }

    func topicText(_ slot: Int32) -> String {
        String(decoding: topics[registrations[slot].topic], as: UTF8.self)
    }

    /// Returns the number of the traits of a device that no call has described; 0 in the sandbox.
    mutating func retainDefaultTraits(_ environment: APNsEnvironment) -> Int32 {
        environment == .sandbox ? traits.retain(number: 0) : traits.retain(DeviceTraits(environment: environment))
    }

    @inline(__always)
    func time(of device: Int32, _ now: Instant, _ clock: (String) -> Instant) -> Instant {
        let scope = devices[device].scope
        return scope == 0 ? now : clock(scopes[scope])
    }

    func scopeName(_ device: Int32) -> String? {
        let scope = devices[device].scope
        return scope == 0 ? nil : scopes[scope]
    }
}
