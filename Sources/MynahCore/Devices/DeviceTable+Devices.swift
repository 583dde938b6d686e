package import APNsRules

// Devices are made, changed and removed.
extension DeviceTable {
    /// Makes a device with its apps.
    ///
    /// Tokens that fall into other shards must have been claimed there before.
    /// - Throws: ``InputError`` if the id is taken, two apps are the same, an app has no entitlement, or a token is
    ///   another device's; then nothing has changed.
    package mutating func create(
        _ specification: DeviceSpecification, id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        try check(specification, id: id)
        let time = specification.scope.map(clock) ?? now
        let device = devices.insert(id: id, traits: specification.traits, scope: specification.scope)
        devices[device].power = specification.power
        devices[device].isOnline = specification.isOnline
        if let focus = specification.focus { devices[device].detail.orDefault.focus = focus }
        let isShownByPayloadAlone =
            specification.focus == nil && specification.traits.locale == DeviceTraits().locale
            && specification.registrations.allSatisfy { $0.app == AppPatch() }
        if !isShownByPayloadAlone { giveScreen(device) }
        var effects = Effects()
        for app in specification.registrations {
            let environment = app.environment ?? specification.traits.environment
            if let ended = app.ended {
                add(app, ended: ended, device, environment, at: time, &effects)
            } else {
                set(app.app, of: add(app, device, environment, at: time, &effects))
            }
        }
        return effects
    }

    /// Checks that ``create(_:id:at:clock:)`` would succeed, before tokens are claimed in other shards.
    ///
    /// - Parameter isReplacing: Whether a device with the id may be there, which gives its tokens up.
    /// - Throws: ``InputError`` as that does.
    package func check(_ specification: DeviceSpecification, id: String, isReplacing: Bool = false) throws(InputError) {
        let former = find(id: id)
        guard former == nil || isReplacing else {
            throw InputError(.conflict, at: "/id", "there is a device \(id) already; PUT replaces it, PATCH changes it")
        }
        var seen: Set<String> = []
        var given: Set<DeviceToken> = []
        for (index, app) in specification.registrations.enumerated() {
            let place = "/registrations/\(index)"
            let environment = app.environment ?? specification.traits.environment
            guard app.ended != nil || seen.insert("\(app.topic) \(environment.rawValue)").inserted else {
                throw InputError(
                    .conflict, at: place, "\(app.topic) is there twice in \(environment.rawValue); once is enough")
            }
            guard app.isEntitled else {
                let error = DeviceTable.notEntitled(app.topic)
                throw InputError(error.kind, at: place + "/entitled", error.problem)
            }
            guard let token = app.token else { continue }
            guard given.insert(token).inserted else {
                throw InputError(.conflict, at: place + "/token", "\(token.hex) is there twice; each app has its own")
            }
            if let former, let slot = tokens.find(token), tokens[slot].device == former { continue }
            try checkFree(token, for: nil, at: place + "/token")
        }
    }

    /// Changes a device and returns what that did to pushes that waited.
    ///
    /// When the device comes online, apps that registered without network get their tokens and what is stored is
    /// delivered; better power delivers what was held back.
    package mutating func change(
        _ id: String, _ patch: DevicePatch, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        var (device, time, effects) = try settled(id, at: now, clock)
        apply(patch, to: device, at: time, &effects)
        return effects
    }

    private mutating func apply(_ patch: DevicePatch, to device: Int32, at time: Instant, _ effects: inout Effects) {
        if patch.name != nil || patch.locale != nil || patch.osVersion != nil {
            devices.changeTraits(of: device) { traits in
                traits.name = patch.name ?? traits.name
                traits.locale = patch.locale ?? traits.locale
                traits.osVersion = patch.osVersion ?? traits.osVersion
            }
        }
        if let focus = patch.focus { devices[device].detail.orDefault.focus = focus }
        let (wasOnline, power) = (devices[device].isOnline, devices[device].power)
        devices[device].isOnline = patch.isOnline ?? wasOnline
        devices[device].power = patch.power ?? power
        guard devices[device].isOnline else { return }
        if !wasOnline {
            for slot in tokens.slots(of: devices[device]) where tokens[slot].state == .waitingForNetwork {
                askForToken(slot, at: time, &effects)
            }
        }
        if !wasOnline || devices[device].power != power { deliverWaiting(device, at: time, &effects) }
    }

    /// Adds a live client to a device, which comes online if it was not; returns what that did to pushes that waited,
    /// or `nil` if the device was online.
    package mutating func connect(
        _ client: UInt64, to id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects? {
        let device = try existing(id)
        devices[device].detail.orDefault.clients.insert(client)
        return setOnline(true, device, at: now, clock)
    }

    /// Removes a live client from its device, which goes offline with the last one; returns what that did to pushes
    /// that waited, or `nil` if the device stays as it was.
    ///
    /// A device that was made anew under the id does not have the client.
    package mutating func disconnect(
        _ client: UInt64, from id: String, at now: Instant, clock: (String) -> Instant
    ) -> Effects? {
        guard let device = find(id: id), devices[device].detail.value?.clients.contains(client) == true
        else { return nil }
        devices[device].detail.orDefault.clients.remove(client)
        guard devices[device].detail.orDefault.clients.isEmpty else { return nil }
        if devices[device].detail.orDefault.isEmpty { devices[device].detail.remove() }
        return setOnline(false, device, at: now, clock)
    }

    private mutating func setOnline(
        _ isOnline: Bool, _ device: Int32, at now: Instant, _ clock: (String) -> Instant
    ) -> Effects? {
        guard devices[device].isOnline != isOnline else { return nil }
        var (time, effects) = settled(device, at: now, clock)
        var patch = DevicePatch()
        patch.isOnline = isOnline
        apply(patch, to: device, at: time, &effects)
        return effects
    }

    // MARK: - Removal

    package struct Removal: Sendable {
        /// How many devices were removed.
        package fileprivate(set) var count = 0
        /// What happened to pushes that waited for them.
        package fileprivate(set) var effects = Effects()
        /// Their tokens in other shards, to be taken back there by ``unclaim(_:)``.
        package fileprivate(set) var foreignTokens: [DeviceToken] = []
    }

    /// Removes a device; what waits for it is discarded, and its tokens are not known any more.
    package mutating func remove(
        _ id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Removal {
        var removal = Removal()
        let device = try existing(id)
        remove(device, at: time(of: device, now, clock), &removal)
        return removal
    }

    /// Removes a device as ``remove(_:at:clock:)`` does; returns `nil` if there is no such device.
    package mutating func removeIfThere(_ id: String, at now: Instant, clock: (String) -> Instant) -> Removal? {
        guard let device = find(id: id) else { return nil }
        var removal = Removal()
        remove(device, at: time(of: device, now, clock), &removal)
        return removal
    }

    /// Removes all devices of a scope, or all.
    package mutating func removeAll(scope: String? = nil, at now: Instant, clock: (String) -> Instant) -> Removal {
        var removal = Removal()
        let number = scope.flatMap { devices.scopes.number(of: $0) }
        guard scope == nil || number != nil else { return removal }
        for device in devices.places where number == nil || devices[device].scope == number {
            remove(device, at: time(of: device, now, clock), &removal)
        }
        removal.effects.sort()
        // Makes anew what is empty now, which frees its memory.
        if scope == nil {
            devices = DeviceDirectory()
            tokens.removeAll()
        }
        return removal
    }

    private mutating func remove(_ device: Int32, at time: Instant, _ removal: inout Removal) {
        settle(device, to: time, &removal.effects)
        removal.foreignTokens += remove(device, at: time, &removal.effects)
        removal.count += 1
    }

    /// Removes a device and returns its tokens that fall into other shards.
    @discardableResult
    mutating func remove(_ device: Int32, at now: Instant, _ effects: inout Effects) -> [DeviceToken] {
        var foreign: [DeviceToken] = []
        for slot in tokens.slots(of: devices[device]) {
            discardWaiting(slot, at: now, "the device was removed", &effects)
            let token = tokens[slot].token
            if !tokens[slot].state.lacksToken, token.shard(of: tokens.shardCount) != tokens.shard {
                foreign.append(token)
            }
            tokens.remove(slot, from: &devices[device])
        }
        devices.remove(device)
        return foreign
    }

    // MARK: - Tokens of devices in other shards

    /// Forwards pushes to a token that falls into this shard to a device in another one.
    ///
    /// A device that a push has made gives its token up.
    /// - Returns: Whether the token was not claimed for the shard before, and what happened to pushes that waited for it.
    /// - Throws: ``InputError`` if another device has the token.
    package mutating func claim(
        _ token: DeviceToken, for shard: Int, at now: Instant
    ) throws(InputError) -> (isNew: Bool, effects: Effects) {
        try checkClaim(token, for: shard)
        var effects = Effects()
        if tokens.shardOfForeignDevice(with: token) != nil { return (false, effects) }
        removeOwner(of: token, at: now, &effects)
        tokens.setShardOfForeignDevice(with: token, shard)
        return (true, effects)
    }

    /// Checks that ``claim(_:for:at:)`` would succeed.
    package func checkClaim(_ token: DeviceToken, for shard: Int) throws(InputError) {
        if let owner = tokens.shardOfForeignDevice(with: token), owner != shard {
            throw InputError(.conflict, "\(token.hex) is the token of another device already")
        }
        guard let slot = tokens.find(token), devices[tokens[slot].device].id != nil else { return }
        throw InputError(.conflict, "\(token.hex) is a token of \(id(of: tokens[slot].device)) already")
    }

    /// Takes a claim back after the device was removed.
    package mutating func unclaim(_ token: DeviceToken) { tokens.setShardOfForeignDevice(with: token, nil) }

    /// Makes a token known by its topic and environment alone, as a push to it would, maybe as one that answers 410; an
    /// older registration of the token is removed, and what waits for it is discarded.
    @discardableResult
    package mutating func register(
        _ token: DeviceToken, topic: String, environment: APNsEnvironment,
        ended: (state: RegistrationState, at: Instant)? = nil, at now: Instant
    ) -> Effects {
        var effects = Effects()
        if let slot = tokens.find(token) {
            let owner = tokens[slot].device
            if devices[owner].id == nil {
                remove(owner, at: now, &effects)
            } else {
                discardWaiting(slot, at: now, "the token was given to another device", &effects)
                tokens.remove(slot, from: &devices[owner])
            }
        }
        let topic = tokens.retainTopic(Array(topic.utf8).span)
        let device = devices.insertUnnamed(environment)
        let slot = addRegistration(topic, device, environment, token: token, state: ended?.state ?? .active, since: now)
        if let ended {
            tokens[slot].detail.orDefault.unregistration = Unregistration(
                endedAt: ended.at, noticedAt: ended.at, isRefusedAtOnce: true)
        }
        return effects
    }
}
