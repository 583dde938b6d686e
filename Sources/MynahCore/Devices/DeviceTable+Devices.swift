package import APNsRules

// Making, changing and removing devices.
extension DeviceTable {
    /// Makes a device with its apps, after their tokens in other shards have been claimed there; changes nothing if
    /// ``check(_:id:isReplacing:)`` fails.
    package mutating func create(
        _ specification: DeviceSpecification, id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        try check(specification, id: id)
        let time = specification.scope.map(clock) ?? now
        let device = insert(id: id, traits: specification.traits, scope: specification.scope)
        setProfile(specification.profile, of: device)
        let isShownByPayloadAlone =
            specification.screen == ScreenSettings() && specification.traits.locale == DeviceTraits().locale
            && specification.traits.platform != .tvOS
            && specification.registrations.allSatisfy { $0.app == AppPatch() }
        if !isShownByPayloadAlone { self[device: device].detail.orDefault.screen = NotificationCentre() }
        for app in specification.registrations {
            let environment = app.environment ?? specification.traits.environment
            if let ended = app.ended {
                add(app, ended: ended, to: device, in: environment, at: time)
            } else {
                set(app.app, of: add(app, to: device, in: environment, at: time))
            }
        }
        for activity in specification.activities { restore(activity, to: device, at: time) }
        if !specification.activities.isEmpty {
            for slot in tokens.apps(of: devices[device]) where tokens[slot].state.isCurrent {
                removeActivitiesIfOff(ofApp: slot, at: time)
            }
        }
        return takeEffects()
    }

    /// Checks that id and tokens are free, that no app is listed twice, and that each is entitled; if `isReplacing`, a
    /// device with the id may exist, and its tokens count as free.
    package func check(_ specification: DeviceSpecification, id: String, isReplacing: Bool = false) throws(InputError) {
        let former = find(id: id)
        guard former == nil || isReplacing else {
            throw InputError(.conflict, at: "/id", "device \(id) already exists: PUT replaces it, PATCH changes it")
        }
        var seen: Set<String> = []
        var given: Set<DeviceToken> = []
        for (index, app) in specification.registrations.enumerated() {
            let place = "/registrations/\(index)"
            let environment = app.environment ?? specification.traits.environment
            guard app.ended != nil || seen.insert("\(app.topic) \(environment.rawValue)").inserted else {
                throw InputError(
                    .conflict, at: place, "\(app.topic) is listed twice in \(environment.rawValue): expected it once")
            }
            guard app.isEntitled else { throw DeviceTable.notEntitled(app.topic).within(place) }
            do throws(InputError) {
                try check(web: app, on: specification.traits)
                try app.app.check(on: specification.traits.platform)
            } catch {
                throw error.within(place)
            }
            guard let token = app.token else { continue }
            guard given.insert(token).inserted else {
                throw InputError(.conflict, at: place + "/token", "\(token.hex) is listed twice: expected it once")
            }
            if let former, let slot = tokens.find(token), tokens[slot].device == former { continue }
            try checkFree(token, at: place + "/token")
        }
        for (index, activity) in specification.activities.enumerated() {
            guard let token = activity.token else { continue }
            let place = "/activities/\(index)/token"
            guard given.insert(token).inserted else {
                throw InputError(.conflict, at: place, "\(token.hex) is listed twice: expected it once")
            }
            if let former, let slot = tokens.find(token), tokens[slot].device == former { continue }
            try checkFree(token, at: place)
        }
    }

    /// Changes a device: when it comes online, apps that registered without network get their tokens and what is stored
    /// is delivered; another state delivers what it no longer holds back.
    package mutating func change(
        _ id: String, _ patch: DevicePatch, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        let device = try existing(id)
        try check(patch, of: device)
        apply(patch, to: device, at: settled(device, at: now, clock))
        return takeEffects()
    }

    package func has(_ id: String) -> Bool { find(id: id) != nil }

    /// Throws if ``change(_:_:at:clock:)`` would.
    package func check(_ patch: DevicePatch, of id: String) throws(InputError) {
        do throws(InputError) {
            try check(patch, of: try existing(id))
        } catch {
            throw error.saying("\(id): \(error.problem)")
        }
    }

    private func check(_ patch: DevicePatch, of device: Int32) throws(InputError) {
        guard patch.changesScreen else { return }
        var profile = devices.profile(of: device)
        patch.apply(to: &profile)
        try profile.check()
    }

    private mutating func apply(_ patch: DevicePatch, to device: Int32, at time: Instant) {
        let before = devices.profile(of: device)
        var profile = before
        patch.apply(to: &profile)
        setProfile(profile, of: device)
        guard profile.isOnline else { return }
        if !before.isOnline {
            for slot in tokens.slots(of: devices[device]) where tokens[slot].state == .waitingForNetwork {
                askForToken(slot, at: time)
            }
        }
        if profile.state != before.state { deliverWaiting(device, at: time) }
    }

    /// Adds a live client to a device, which comes online if it was not; returns what that did to waiting pushes, or
    /// `nil` if the device was online.
    package mutating func connect(
        _ client: UInt64, to id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects? {
        let device = try existing(id)
        self[device: device].detail.orDefault.clients.insert(client)
        return setOnline(true, of: device, at: now, clock)
    }

    /// Removes a live client from its device, which goes offline with the last one; returns what that did to waiting
    /// pushes, or `nil` if the device stays as it was or has since been replaced.
    package mutating func disconnect(
        _ client: UInt64, from id: String, at now: Instant, clock: (String) -> Instant
    ) -> Effects? {
        guard let device = find(id: id), devices[device].detail.value?.clients.contains(client) == true
        else { return nil }
        self[device: device].detail.orDefault.clients.remove(client)
        guard devices[device].detail.value?.clients.isEmpty == true else { return nil }
        if devices[device].detail.orDefault.isEmpty { self[device: device].detail.remove() }
        return setOnline(false, of: device, at: now, clock)
    }

    /// The devices that live clients keep online, with these, in no order.
    package var connected: [(id: String, clients: Set<UInt64>)] {
        devices.places.compactMap { device in
            guard let clients = devices[device].detail.value?.clients, !clients.isEmpty else { return nil }
            return (id(of: device), clients)
        }
    }

    private mutating func setOnline(
        _ isOnline: Bool, of device: Int32, at now: Instant, _ clock: (String) -> Instant
    ) -> Effects? {
        guard devices[device].state.isOnline != isOnline else { return nil }
        apply(.online(isOnline), to: device, at: settled(device, at: now, clock))
        return takeEffects()
    }

    /// Makes a device with its apps, after their tokens in other shards have been claimed there, in place of the one
    /// with its id, if there is one, which stays if this throws; the removal that is returned is of the former device.
    package mutating func replace(
        _ specification: DeviceSpecification, id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> (former: Removal?, made: DeviceView, effects: Effects) {
        try check(specification, id: id, isReplacing: true)
        var former = remove(id, at: now, clock: clock)
        former?.foreignTokens.removeAll(where: specification.tokens.contains)
        let effects = try create(specification, id: id, at: now, clock: clock)
        return (former, view(ofDevice: try existing(id)), effects)
    }

    package struct Removal: Sendable {
        package let count: Int
        /// What a single device was like before.
        package let last: DeviceView?
        /// What happened to the pushes that waited for the devices.
        package let effects: Effects
        /// The devices' tokens in other shards, for the caller to ``unclaim(_:)`` there.
        package fileprivate(set) var foreignTokens: [DeviceToken]
    }

    /// Removes a device with its tokens and discards what waits for it; `nil` if there is no such device.
    package mutating func remove(_ id: String, at now: Instant, clock: (String) -> Instant) -> Removal? {
        guard let device = find(id: id) else { return nil }
        _ = settled(device, at: now, clock)
        return remove([device], last: view(ofDevice: device), at: now, clock)
    }

    package mutating func removeAll(scope: String? = nil, at now: Instant, clock: (String) -> Instant) -> Removal {
        let places = devices.places.filter { scope == nil || devices.scope(of: $0) == scope }
        let removal = remove(places, at: now, clock)
        if scope == nil { shrink() }
        return removal
    }

    private mutating func remove(
        _ places: [Int32], last: DeviceView? = nil, at now: Instant, _ clock: (String) -> Instant
    ) -> Removal {
        var foreignTokens: [DeviceToken] = []
        for device in places { foreignTokens += remove(device, at: settled(device, at: now, clock)) }
        var effects = takeEffects()
        effects.sort()
        return Removal(count: places.count, last: last, effects: effects, foreignTokens: foreignTokens)
    }
}
