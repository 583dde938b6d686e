package import APNsRules

/// What happened to an app that makes it need another token (`DeviceBehaviour#Registration-and-tokens`).
public enum Rotation: String, CaseIterable, Sendable {
    /// The app was deleted and installed again: the old token answers 410 Unregistered once APNs notices.
    case reinstall
    /// The device was restored from a backup: the app has no token until it is launched; from then on the old one
    /// answers 410 ExpiredToken, once APNs notices.
    case restore
    /// The system was installed anew: as `restore` for every app of the device, and the named one is launched.
    case osReinstall
}

/// What a call says about an app that is installed, launched, or registers again.
package struct RegistrationSpecification: Sendable, Equatable {
    /// The topic.
    package var topic: String
    /// The environment; `nil`: the device's.
    package var environment: APNsEnvironment?
    /// A token of the caller's choice, as an export holds it; `nil`: one is issued.
    package var token: DeviceToken?
    /// Whether it was launched, and so asked for a token.
    package var isLaunched = true
    /// Whether it has the push entitlement.
    package var isEntitled = true
    /// What happened to it before.
    package var rotation: Rotation?
    /// How it is set up.
    package var app = AppPatch()
    /// Why it is there no more, when it is read from an export; a call that registers an app takes no notice.
    package var ended: Ended?

    /// An app that was launched.
    package init(topic: String) { self.topic = topic }
}

// Apps come, register, and go (`DeviceBehaviour#Registration-and-tokens`).
extension DeviceTable {
    /// What registering answers.
    package struct Registered: Sendable {
        /// The registration, its token included where it has one.
        package let registration: RegistrationView
        /// Whether it was made now, which is 201; else it was there, 200.
        package let isNew: Bool
        /// What happened to pushes that waited.
        package let effects: Effects
    }

    /// Installs an app on a device, launches it, or lets it register again.
    ///
    /// The same token when nothing changed; without network none until there is one.
    /// - Throws: ``DeviceError`` when there is no such device, the app has no entitlement, or the token is another's.
    package mutating func register(
        _ specification: RegistrationSpecification, on id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Registered {
        guard let device = find(id: id) else { throw .noDevice(id) }
        guard specification.isEntitled else { throw DeviceTable.notEntitled(specification.topic) }
        let environment = specification.environment ?? traits[devices[device].traits].environment
        let known = current(device, specification.topic, environment)
        if specification.rotation != nil, known == nil {
            throw DeviceError(
                .notFound, at: "/rotate",
                "\(id) has no app \(specification.topic) in \(environment.rawValue) that could get another token")
        }
        if let token = specification.token { try checkFree(token, for: known, at: "/token") }
        guard slots(of: device).count < DeviceSettings.registrationCountMax else {
            throw DeviceError(
                .conflict,
                "\(id) has \(DeviceSettings.registrationCountMax) registrations, ended ones included, and no room")
        }
        let time = time(of: device, now, clock)
        var effects = Effects()
        settle(device, to: time, &effects)
        let isNew: Bool
        let slot: Int32
        if let known, specification.rotation == nil {
            (slot, isNew) = launch(known, specification, at: time, &effects)
        } else {
            slot = make(specification, device, environment, instead: known, at: time, &effects)
            isNew = true
        }
        specification.app.applyIfAny(&registrations[slot])
        return Registered(registration: view(ofRegistration: slot), isNew: isNew, effects: effects)
    }

    /// Uninstalls an app, in the environment of the device where none is given; its token answers 410 once APNs
    /// notices.
    ///
    /// - Throws: ``DeviceError`` when there is no such device or registration.
    package mutating func uninstall(
        _ id: String, topic: String, environment: APNsEnvironment? = nil, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Effects {
        let (device, slot) = try current(id, topic, environment)
        let time = time(of: device, now, clock)
        var effects = Effects()
        settle(device, to: time, &effects)
        leave(slot, .unregistered, at: time, isNoticed: true, &effects)
        clearScreen(of: topic, device)
        return effects
    }

    // MARK: - Steps

    /// The app was there: nothing changes, unless it lacks a token or is given another.
    private mutating func launch(
        _ known: Int32, _ specification: RegistrationSpecification, at now: Instant, _ effects: inout Effects
    ) -> (slot: Int32, isNew: Bool) {
        if let token = specification.token, registrations[known].state.lacksToken || registrations[known].token != token
        {
            if registrations[known].state.lacksToken {
                setToken(known, token, at: now, &effects)
                return (known, true)
            }
            let device = registrations[known].device
            let environment = registrations[known].environment
            end(known, .expired, at: now, isNoticed: true, &effects)
            return (add(specification, device, environment, at: now, &effects), true)
        }
        guard specification.isLaunched, registrations[known].state == .notLaunched else { return (known, false) }
        askForToken(known, at: now, &effects)
        return (known, true)
    }

    /// Another registration takes the place of the one that was there, if any.
    private mutating func make(
        _ specification: RegistrationSpecification, _ device: Int32, _ environment: APNsEnvironment,
        instead known: Int32?, at now: Instant, _ effects: inout Effects
    ) -> Int32 {
        var specification = specification
        switch specification.rotation {
        case nil: break
        case .reinstall:
            if let known { leave(known, .unregistered, at: now, isNoticed: true, &effects) }
            clearScreen(of: specification.topic, device)
        case .restore:
            specification.isLaunched = false
            if let known { return replace(known, at: now, &effects) }
        case .osReinstall:
            var named: Int32?
            for slot in slots(of: device) where registrations[slot].state.isCurrent {
                let replacement = replace(slot, at: now, &effects)
                if slot == known { named = replacement }
            }
            guard let named else { break }
            if let token = specification.token {
                setToken(named, token, at: now, &effects)
            } else if specification.isLaunched {
                askForToken(named, at: now, &effects)
            }
            return named
        }
        return add(specification, device, environment, at: now, &effects)
    }

    /// A registration that waits for its app's launch takes the place of one that had a token.
    private mutating func replace(_ slot: Int32, at now: Instant, _ effects: inout Effects) -> Int32 {
        let device = registrations[slot].device
        // Before the other registration, perhaps the only one of the topic, goes.
        let topic = topics.retain(number: registrations[slot].topic)
        let environment = registrations[slot].environment
        let app = registrations[slot].rare.value?.app
        leave(slot, .expired, at: now, isNoticed: false, &effects)
        let replacement = append(
            Registration(
                token: .placeholder, since: now, topic: topic, device: device, state: .notLaunched,
                environment: environment))
        if let app, app != AppSettings() { registrations[replacement].rare[orMaking: RegistrationDetail()].app = app }
        return replacement
    }

    private mutating func leave(
        _ slot: Int32, _ state: RegistrationState, at now: Instant, isNoticed: Bool, _ effects: inout Effects
    ) {
        if registrations[slot].state.lacksToken {
            if isNoticed { noticePredecessors(of: slot, at: now) }
            drop(slot)
        } else {
            end(slot, state, at: now, isNoticed: isNoticed, &effects)
        }
    }

    mutating func add(
        _ specification: RegistrationSpecification, _ device: Int32, _ environment: APNsEnvironment,
        at now: Instant, _ effects: inout Effects
    ) -> Int32 {
        let topic = retainTopic(Array(specification.topic.utf8).span)
        let slot = append(
            Registration(
                token: .placeholder, since: now, topic: topic, device: device, state: .notLaunched,
                environment: environment))
        if let token = specification.token {
            setToken(slot, token, at: now, &effects)
        } else if specification.isLaunched {
            askForToken(slot, at: now, &effects)
        }
        return slot
    }

    private mutating func end(
        _ slot: Int32, _ state: RegistrationState, at now: Instant, isNoticed: Bool, _ effects: inout Effects
    ) {
        let why = state == .unregistered ? "the app was removed" : "the app needs another token"
        discardWaiting(slot, at: now, why, &effects)
        let noticedAt = isNoticed ? noticed(slot, after: now) : nil
        registrations[slot].state = state
        registrations[slot].rare[orMaking: RegistrationDetail()].endedAt = now
        registrations[slot].rare[orMaking: RegistrationDetail()].noticedAt = noticedAt
    }

    /// When APNs notices that a token is no longer good.
    private func noticed(_ slot: Int32, after now: Instant) -> Instant {
        let delay = settings.unregisterDelay
        guard delay.lowerBound < delay.upperBound else { return now.advanced(by: delay.lowerBound) }
        var generator = random.split(for: registrations[slot].token.spread)
        let drawn = Int64.random(
            in: delay.lowerBound.wholeMilliseconds...delay.upperBound.wholeMilliseconds, using: &generator)
        return now.advanced(by: .milliseconds(drawn))
    }

    /// Checks that a token is free for a device: nobody's, the registration's own, or that of a device which a push
    /// made and nobody named.
    func checkFree(_ token: DeviceToken, for own: Int32?, at field: String) throws(DeviceError) {
        guard !settings.hasMagicTokens || MagicTokens.magic(token) == nil else {
            throw DeviceError(
                .invalid, at: field,
                "\(token.hex) is a magic token, which GET /v1/magic-tokens lists: it answers for itself and belongs to no "
                    + "app; give another one, or start the server with --magic-tokens off")
        }
        guard aliases[token] == nil else {
            throw DeviceError(.conflict, at: field, "\(token.hex) is the token of another device already")
        }
        guard let slot = find(token), slot != own else { return }
        let device = registrations[slot].device
        guard devices[device].id == nil, own.map({ registrations[$0].device != device }) ?? true else {
            throw DeviceError(.conflict, at: field, "\(token.hex) is a token of \(self.id(of: device)) already")
        }
    }

    static func notEntitled(_ topic: String) -> DeviceError {
        DeviceError(
            .forbidden, at: "/entitled",
            "\(topic) has no push entitlement, so registering for remote notifications fails")
    }
}

// MARK: - Tokens

extension DeviceTable {
    /// The app asks for a token: it gets one at once, or, without network, when there is one.
    mutating func askForToken(_ slot: Int32, at now: Instant, _ effects: inout Effects) {
        guard devices[registrations[slot].device].isOnline else {
            registrations[slot].state = .waitingForNetwork
            return
        }
        giveToken(slot, at: now, &effects)
    }

    /// Issues a token.
    mutating func giveToken(_ slot: Int32, at now: Instant, _ effects: inout Effects) {
        setToken(slot, issue(slot), at: now, &effects)
    }

    private mutating func setToken(
        _ slot: Int32, _ token: DeviceToken, at now: Instant, _ effects: inout Effects
    ) {
        // A device that only a push made gives its token up to one that somebody described.
        if let other = find(token) { remove(registrations[other].device, at: now, &effects) }
        registrations[slot].token = token
        registrations[slot].state = .active
        registrations[slot].since = now
        index(slot)
        noticePredecessors(of: slot, at: now)
    }

    /// From now on APNs learns that the app's older tokens are no longer good.
    private mutating func noticePredecessors(of slot: Int32, at now: Instant) {
        for other in slots(of: registrations[slot].device)
        where other != slot && registrations[other].state == .expired && isSameApp(other, slot)
            && registrations[other].rare.value?.noticedAt == nil
        {
            let noticedAt = noticed(other, after: now)
            registrations[other].rare[orMaking: RegistrationDetail()].noticedAt = noticedAt
        }
    }

    /// A token that depends on the seed, the device, the app and how many it had before, and that falls into this
    /// shard.
    private func issue(_ slot: Int32) -> DeviceToken {
        let device = registrations[slot].device
        let earlier = slots(of: device).filter { $0 != slot && isSameApp($0, slot) }.count
        let name = "\(id(of: device)) \(topicText(slot)) \(registrations[slot].environment.rawValue) \(earlier)"
        var generator = random.split(for: DeviceTable.hash(name))
        while true {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(settings.issuedTokenByteCount)
            for _ in 0..<settings.issuedTokenByteCount {
                bytes.append(UInt8.random(in: .min ... .max, using: &generator))
            }
            let drawn = DeviceToken(bytes: bytes)
            // With 64 shards nearly every draw has a last byte that leads here.
            for last in UInt8.min ... .max {
                let token = drawn.withLastByte(last)
                if token.shard(of: shardCount) == shard, find(token) == nil, aliases[token] == nil,
                    MagicTokens.magic(token) == nil
                {
                    return token
                }
            }
        }
    }

    private func isSameApp(_ left: Int32, _ right: Int32) -> Bool {
        registrations[left].topic == registrations[right].topic
            && registrations[left].environment == registrations[right].environment
    }

    /// The registration of an app that has, or will have, a good token.
    func current(_ device: Int32, _ topic: String, _ environment: APNsEnvironment) -> Int32? {
        guard let topic = topics.number(of: Array(topic.utf8)) else { return nil }
        return slots(of: device).last {
            registrations[$0].topic == topic && registrations[$0].environment == environment
                && registrations[$0].state.isCurrent
        }
    }

    func current(
        _ id: String, _ topic: String, _ environment: APNsEnvironment?
    ) throws(DeviceError) -> (device: Int32, slot: Int32) {
        guard let device = find(id: id) else { throw .noDevice(id) }
        let environment = environment ?? traits[devices[device].traits].environment
        guard let slot = current(device, topic, environment) else {
            let installed = slots(of: device).filter { registrations[$0].state.isCurrent }.map(topicText)
            throw DeviceError(
                .notFound, "\(id) has no app \(topic) in \(environment.rawValue)", allowed: installed)
        }
        return (device, slot)
    }
}

extension AppPatch {
    fileprivate func applyIfAny(_ registration: inout Registration) {
        guard self != AppPatch() else { return }
        apply(to: &registration.rare[orMaking: RegistrationDetail()].app)
    }
}
