package import APNsRules

// Devices come and go.
extension DeviceTable {
    /// What removing devices did.
    package struct Removal: Sendable {
        /// How many devices there were.
        package private(set) var count = 0
        /// What happened to pushes that waited for them.
        package var effects = Effects()
        /// Their tokens that have an alias in another shard, to be taken back there by ``unclaim(_:)``.
        package private(set) var foreignTokens: [DeviceToken] = []

        fileprivate mutating func note(_ foreignTokens: [DeviceToken]) {
            count += 1
            self.foreignTokens += foreignTokens
        }
    }

    /// Makes a device with its apps.
    ///
    /// Tokens that fall into other shards must have been claimed there before.
    /// - Throws: ``DeviceError`` when the id is taken, two apps are the same, an app has no entitlement, or a token is
    ///   another device's; then nothing has changed.
    package mutating func create(
        _ specification: DeviceSpecification, id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Effects {
        try check(specification, id: id)
        let time = specification.scope.map(clock) ?? now
        var made = Device(
            id: id, traits: traits.retain(specification.traits), scope: scopes.retain(specification.scope ?? ""))
        made.power = specification.power
        if let focus = specification.focus { made.rare[orMaking: DeviceDetail()].focus = focus }
        made.isOnline = specification.isOnline
        let device = insert(made)
        let isPlain =
            specification.focus == nil && specification.traits.locale == DeviceTraits().locale
            && specification.registrations.allSatisfy { $0.app == AppPatch() }
        if !isPlain { giveScreen(device) }
        var effects = Effects()
        for app in specification.registrations {
            if let ended = app.ended {
                restore(app, ended, device, app.environment ?? specification.traits.environment, at: time, &effects)
                continue
            }
            let slot = add(app, device, app.environment ?? specification.traits.environment, at: time, &effects)
            guard app.app != AppPatch() else { continue }
            app.app.apply(to: &registrations[slot].rare[orMaking: RegistrationDetail()].app)
        }
        return effects
    }

    /// Whether a device can be made, as ``create(_:id:at:clock:)`` sees it; asked before tokens are claimed elsewhere.
    ///
    /// With `isReplacing`, one with its id may be there and gives its tokens up.
    /// - Throws: ``DeviceError`` as that does.
    package func check(
        _ specification: DeviceSpecification, id: String, isReplacing: Bool = false
    ) throws(DeviceError) {
        let former = find(id: id)
        guard former == nil || isReplacing else {
            throw DeviceError(
                .conflict, at: "/id", "there is a device \(id) already; PUT replaces it, PATCH changes it")
        }
        var seen: Set<String> = []
        var tokens: Set<DeviceToken> = []
        for (index, app) in specification.registrations.enumerated() {
            let place = "/registrations/\(index)"
            let environment = app.environment ?? specification.traits.environment
            guard app.ended != nil || seen.insert("\(app.topic) \(environment.rawValue)").inserted else {
                throw DeviceError(
                    .conflict, at: place, "\(app.topic) is there twice in \(environment.rawValue); once is enough")
            }
            guard app.isEntitled else {
                let error = DeviceTable.notEntitled(app.topic)
                throw DeviceError(error.kind, at: place + "/entitled", error.problem)
            }
            guard let token = app.token else { continue }
            guard tokens.insert(token).inserted else {
                throw DeviceError(.conflict, at: place + "/token", "\(token.hex) is there twice; each app has its own")
            }
            if let former, let slot = find(token), registrations[slot].device == former { continue }
            try checkFree(token, for: nil, at: place + "/token")
        }
    }

    /// Removes a device; what waits for it is discarded, and its tokens are not known any more.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package mutating func remove(
        _ id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Removal {
        guard let removal = removeIfThere(id, at: now, clock: clock) else { throw .noDevice(id) }
        return removal
    }

    /// Removes a device as ``remove(_:at:clock:)`` does; `nil` when there is none.
    package mutating func removeIfThere(_ id: String, at now: Instant, clock: (String) -> Instant) -> Removal? {
        guard let device = find(id: id) else { return nil }
        var removal = Removal()
        let time = time(of: device, now, clock)
        settle(device, to: time, &removal.effects)
        removal.note(remove(device, at: time, &removal.effects))
        return removal
    }

    /// Removes all devices of a scope, or all.
    package mutating func removeAll(
        scope: String? = nil, at now: Instant, clock: (String) -> Instant
    ) -> Removal {
        var removal = Removal()
        let number = scope.flatMap { scopes.number(of: $0) }
        guard scope == nil || number != nil else { return removal }
        for device in 0..<devices.end where devices[device].isOccupied {
            guard number == nil || devices[device].scope == number else { continue }
            let time = time(of: device, now, clock)
            settle(device, to: time, &removal.effects)
            removal.note(remove(device, at: time, &removal.effects))
        }
        removal.effects.sort()
        if scope == nil { forgetEverything() }
        return removal
    }

    /// Gives the memory back, too.
    private mutating func forgetEverything() {
        let aliases = aliases
        self = DeviceTable(settings: settings, shard: shard, of: shardCount, random: random)
        // Those of devices in other shards go when their devices do.
        self.aliases = aliases
    }

    /// Removes a device; answers its tokens that have an alias in another shard.
    @discardableResult
    mutating func remove(_ device: Int32, at now: Instant, _ effects: inout Effects) -> [DeviceToken] {
        var foreign: [DeviceToken] = []
        for slot in slots(of: device) {
            discardWaiting(slot, at: now, "the device was removed", &effects)
            let token = registrations[slot].token
            if !registrations[slot].state.lacksToken, token.shard(of: shardCount) != shard { foreign.append(token) }
            drop(slot)
        }
        if let id = devices[device].id { byID.remove(SlotIndex.tag(DeviceTable.hash(id)), device) }
        setDue(device, Device.never)
        traits.release(devices[device].traits)
        scopes.release(devices[device].scope)
        devices.remove(device)
        count -= 1
        return foreign
    }

    // MARK: - Tokens of devices in other shards

    /// What claiming a token did.
    package struct Claim: Sendable {
        /// Whether it was not claimed for the shard before.
        package let isNew: Bool
        /// What happened to pushes that waited for the device which had the token.
        package let effects: Effects
    }

    /// Lets pushes to a token that falls into this shard find its device in another one.
    ///
    /// A device that only a push made gives its token up to one that somebody described.
    /// - Throws: ``DeviceError`` when another device has the token.
    package mutating func claim(
        _ token: DeviceToken, for shard: Int, at now: Instant
    ) throws(DeviceError) -> Claim {
        try checkClaim(token, for: shard)
        var effects = Effects()
        if aliases[token] != nil { return Claim(isNew: false, effects: effects) }
        if let slot = find(token) { remove(registrations[slot].device, at: now, &effects) }
        aliases[token] = shard
        return Claim(isNew: true, effects: effects)
    }

    /// Whether ``claim(_:for:at:)`` would be granted.
    ///
    /// - Throws: ``DeviceError`` when another device has the token.
    package func checkClaim(_ token: DeviceToken, for shard: Int) throws(DeviceError) {
        if let owner = aliases[token], owner != shard { throw DeviceTable.isClaimed(token) }
        guard let slot = find(token), devices[registrations[slot].device].id != nil else { return }
        throw DeviceError(.conflict, "\(token.hex) is a token of \(id(of: registrations[slot].device)) already")
    }

    private static func isClaimed(_ token: DeviceToken) -> DeviceError {
        DeviceError(.conflict, "\(token.hex) is the token of another device already")
    }

    /// Takes a claim back; the device is gone.
    package mutating func unclaim(_ token: DeviceToken) {
        aliases[token] = nil
    }

    /// Makes a token known that only its topic and environment are known of, as a push to it would; an older
    /// registration of the token goes, and what waits for it is discarded.
    @discardableResult
    package mutating func register(
        _ token: DeviceToken, topic: String, environment: APNsEnvironment, state: State = .active, at now: Instant
    ) -> Effects {
        var effects = Effects()
        if let slot = find(token) {
            let owner = registrations[slot].device
            if devices[owner].id == nil {
                remove(owner, at: now, &effects)
            } else {
                discardWaiting(slot, at: now, "the token was given to another device", &effects)
                drop(slot)
            }
        }
        let device = insert(
            Device(id: nil, traits: retainDefaultTraits(environment), scope: scopes.retain(number: 0)))
        let topic = retainTopic(Array(topic.utf8).span)
        let (registrationState, noticedAt): (RegistrationState, Instant?) =
            switch state {
            case .active: (.active, nil)
            case .unregistered(let time): (.unregistered, time)
            case .expired(let time): (.expired, time)
            }
        let slot = append(
            Registration(
                token: token, since: now, topic: topic, device: device, state: registrationState,
                environment: environment))
        if let noticedAt {
            registrations[slot].rare[orMaking: RegistrationDetail()].endedAt = noticedAt
            registrations[slot].rare[orMaking: RegistrationDetail()].noticedAt = noticedAt
            registrations[slot].rare[orMaking: RegistrationDetail()].isDeclaredDead = true
        }
        index(slot)
        return effects
    }
}
