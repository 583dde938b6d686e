package import APNsRules

/// An event after which an app needs another token (`DeviceBehaviour#Registration-and-tokens`).
public enum Rotation: String, CaseIterable, Sendable {
    /// The app was deleted and installed again: the old token answers 410 Unregistered once APNs notices.
    case reinstall
    /// The device was restored from a backup: the app has no token until it is launched; from then on the old one
    /// answers 410 ExpiredToken, once APNs notices.
    case restore
    /// The system was installed anew: as `restore` for every app of the device, and the named one is launched.
    case osReinstall
}

// Installing, registering, changing and uninstalling apps (`DeviceBehaviour#Registration-and-tokens`).
extension DeviceTable {
    /// A registered app, whether its registration is new, and what happened to waiting pushes.
    package typealias Registered = (registration: RegistrationView, isNew: Bool, effects: Effects)

    /// Installs an app on a device, launches it, or lets it register again, with the same token if nothing changed;
    /// fails if the device does not exist, the app has no entitlement, or another app has the token.
    package mutating func register(
        _ specification: RegistrationSpecification, on id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Registered {
        let device = try existing(id)
        guard specification.isEntitled else { throw DeviceTable.notEntitled(specification.topic) }
        try specification.app.check(on: devices.traits(of: device).platform)
        let environment = self.environment(specification.environment, ofApp: specification.topic, on: device)
        let known = tokens.current(specification.topic, environment, on: devices[device])
        if specification.rotation != nil, known == nil {
            throw InputError(
                .notFound, at: "/rotate",
                "\(id) has no app \(specification.topic) in \(environment.rawValue) that could get another token")
        }
        try check(web: specification, on: devices.traits(of: device), known: known)
        if let token = specification.token {
            try checkFree(token, for: known, on: device, at: "/token")
            if specification.rotation != nil, let known, tokens[known].token == token {
                throw InputError(
                    at: "/token", "\(token.hex) is the app's present token: expected another one, or no token")
            }
        }
        guard tokens.apps(of: devices[device]).count < DeviceSettings.registrationCountMax else {
            throw InputError(
                .conflict,
                "\(id) is full: expected at most \(DeviceSettings.registrationCountMax) registrations, with ended ones")
        }
        let time = settled(device, at: now, clock)
        let (slot, isNew) =
            switch (known, specification.rotation) {
            case (let known?, let rotation?): (rotate(known, by: rotation, to: specification, at: time), true)
            case (let known?, nil): launch(known, specification, at: time)
            case (nil, _): (add(specification, to: device, in: environment, at: time), true)
            }
        set(specification.app, of: slot)
        removeActivitiesIfOff(ofApp: slot, at: time)
        if specification.isLaunched { recordLaunch(slot, at: time) }
        return (view(ofRegistration: slot), isNew, takeEffects())
    }

    /// Uninstalls an app, in the device's environment if none is given; its token answers 410 once APNs notices, and so do
    /// the tokens of its suffixed topics.
    package mutating func uninstall(
        _ id: String, topic: String, environment: APNsEnvironment? = nil, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        let slot = try current(on: id, topic: topic, in: environment)
        let (device, time) = try settled(id, at: now, clock)
        removeActivities(ofApp: slot, .unregistered, at: time)
        for slot in suffixedTopics(ofApp: slot) { leave(slot, .unregistered, at: time) }
        leave(slot, .unregistered, at: time)
        clearScreen(of: topic, device)
        return takeEffects()
    }

    /// Changes an app of a device, in the device's environment if none is given.
    package mutating func change(
        _ id: String, topic: String, environment: APNsEnvironment? = nil, _ patch: AppPatch, at now: Instant,
        clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        let slot = try current(on: id, topic: topic, in: environment)
        try patch.check(on: devices.traits(of: tokens[slot].device).platform)
        try patch.check(isWeb: tokens[slot].detail.value?.web != nil)
        let (device, time) = try settled(id, at: now, clock)
        set(patch, of: slot)
        removeActivitiesIfOff(ofApp: slot, at: time)
        let isRunning = tokens[slot].detail.value?.app.presentation.appState.isRunning == true
        if isRunning { recordLaunch(slot, at: time) }
        if isRunning, tokens[slot].state == .notLaunched { askForTokens(ofApp: slot, at: time) }
        // A force-quit app loses what its budget holds back; its activities, which have tokens of their own, may lose
        // their budget.
        let hasActivities = devices[device].detail.value?.activities.isEmpty == false
        if devices[device].state.isOnline { deliverWaiting(device, only: hasActivities ? nil : slot, at: time) }
        return takeEffects()
    }

    /// Records when an App Clip is launched, which then may show notifications for some hours.
    mutating func recordLaunch(_ slot: Int32, at now: Instant) {
        guard tokens[slot].detail.value?.app.presentation.permissions.authorization == .ephemeral else { return }
        self[registration: slot].detail.orDefault.launchedAt = now
    }

    // MARK: - Steps

    /// Launches an app that is installed: nothing changes, unless it lacks a token or is given another.
    private mutating func launch(
        _ known: Int32, _ specification: RegistrationSpecification, at now: Instant
    ) -> (slot: Int32, isNew: Bool) {
        let registration = tokens[known]
        if let token = specification.token, registration.state.lacksToken {
            assignToken(known, token, at: now)
            return (known, true)
        }
        if let token = specification.token, registration.token != token {
            end(known, .expired, at: now)
            return (add(specification, to: registration.device, in: registration.environment, at: now), true)
        }
        guard specification.isLaunched, registration.state == .notLaunched else { return (known, false) }
        askForTokens(ofApp: known, at: now)
        return (known, true)
    }

    /// Makes the registration that replaces `known`.
    private mutating func rotate(
        _ known: Int32, by rotation: Rotation, to specification: RegistrationSpecification, at now: Instant
    ) -> Int32 {
        let device = tokens[known].device
        let environment = tokens[known].environment
        switch rotation {
        case .reinstall:
            removeActivities(ofApp: known, .unregistered, at: now)
            for slot in suffixedTopics(ofApp: known) {
                let topic = tokens.topic(of: slot)
                leave(slot, .unregistered, at: now)
                let replacement = addRegistration(of: topic.span, to: device, in: environment, since: now)
                if specification.isLaunched { askForToken(replacement, at: now) }
            }
            leave(known, .unregistered, at: now)
            clearScreen(of: specification.topic, device)
            return add(specification, to: device, in: environment, at: now)
        case .restore:
            for slot in suffixedTopics(ofApp: known) { _ = restore(slot, at: now) }
            return restore(known, at: now)
        case .osReinstall:
            var replacement = known
            for slot in tokens.apps(of: devices[device]) where tokens[slot].state.isCurrent {
                let restored = restore(slot, at: now)
                if slot == known { replacement = restored }
            }
            obtainToken(replacement, specification, at: now)
            if specification.isLaunched { askForSuffixedTokens(ofApp: replacement, at: now) }
            return replacement
        }
    }

    /// The current registrations of an app's suffixed topics, if a registration's topic is the app's bundle ID
    /// (`DeviceBehaviour#Registration-and-tokens`).
    private func suffixedTopics(ofApp slot: Int32) -> [Int32] {
        let bundleID = tokens.topicText(of: slot)
        let topics = Set(PushType.suffixed.map { bundleID + $0.topicSuffix })
        return tokens.apps(of: devices[tokens[slot].device]).filter { other in
            tokens[other].state.isCurrent && tokens[other].environment == tokens[slot].environment
                && topics.contains(tokens.topicText(of: other))
        }
    }

    /// Replaces a registration by one that has no token until its app is launched.
    private mutating func restore(_ slot: Int32, at now: Instant) -> Int32 {
        removeActivities(ofApp: slot, .expired, at: now)
        let former = tokens[slot]
        let topic = tokens.topic(of: slot)
        leave(slot, .expired, at: now, isNoticed: false)
        let replacement = addRegistration(
            of: topic.span, to: former.device, in: former.environment, since: now,
            applicationServerKey: former.detail.value?.web?.applicationServerKey)
        if var app = former.detail.value?.app {
            if app.presentation.appState.isRunning { app.presentation.appState = .suspended }
            if app != AppSettings() { self[registration: replacement].detail.orDefault.app = app }
        }
        return replacement
    }

    private mutating func leave(_ slot: Int32, _ state: RegistrationState, at now: Instant, isNoticed: Bool = true) {
        if tokens[slot].state.lacksToken {
            if isNoticed { noticePredecessors(of: slot, at: now) }
            removeRegistration(slot, at: now, "the app was removed")
        } else {
            end(slot, state, at: now, isNoticed: isNoticed)
        }
    }

    mutating func add(
        _ specification: RegistrationSpecification, to device: Int32, in environment: APNsEnvironment, at now: Instant
    ) -> Int32 {
        let slot = addRegistration(
            of: Array(specification.topic.utf8).span, to: device, in: environment, since: now,
            applicationServerKey: specification.applicationServerKey)
        obtainToken(slot, specification, at: now)
        return slot
    }

    /// Adds an app whose token has ended; does nothing if it has no token.
    mutating func add(
        _ app: RegistrationSpecification, ended: RegistrationSpecification.Ended, to device: Int32,
        in environment: APNsEnvironment, at now: Instant
    ) {
        guard let token = app.token else { return }
        removeOwner(of: token, at: now)
        let slot = addRegistration(
            of: Array(app.topic.utf8).span, to: device, in: environment, token: token, state: ended.state,
            since: ended.since ?? now, applicationServerKey: app.applicationServerKey)
        self[registration: slot].detail.orDefault.unregistration = Unregistration(
            endedAt: ended.endedAt ?? now, noticedAt: ended.noticedAt)
    }

    mutating func set(_ patch: AppPatch, of slot: Int32) {
        guard patch != AppPatch() else { return }
        patch.apply(to: &self[registration: slot].detail.orDefault.app)
    }

    private func environment(_ given: APNsEnvironment?, ofApp topic: String, on device: Int32) -> APNsEnvironment {
        APNsEnvironment.ofApp(topic, given: given, usual: devices.traits(of: device).environment)
    }

    private func current(on id: String, topic: String, in environment: APNsEnvironment?) throws(InputError) -> Int32 {
        let device = try existing(id)
        let environment = self.environment(environment, ofApp: topic, on: device)
        guard let slot = tokens.current(topic, environment, on: devices[device]) else {
            let installed = tokens.apps(of: devices[device]).filter { tokens[$0].state.isCurrent }
            throw InputError.missing(
                "topic", "\(id) has no app \(topic) in \(environment.rawValue)",
                allowed: installed.map(tokens.topicText))
        }
        return slot
    }

    // MARK: - Tokens

    /// Ends a registration's token and discards what waits for it; `isNoticed` if APNs notices before the app has a
    /// newer token.
    mutating func end(_ slot: Int32, _ state: RegistrationState, at now: Instant, isNoticed: Bool = true) {
        let why =
            state == .unregistered
            ? "the app was removed"
            : tokens.activity(of: slot) == nil ? "the app needs another token" : "the Live Activity has ended"
        discardWaiting(slot, at: now, why)
        self[registration: slot].state = state
        if tokens[slot].detail.value?.web != nil { self[registration: slot].detail.orDefault.web?.endAll() }
        self[registration: slot].detail.orDefault.unregistration = Unregistration(
            endedAt: now, noticedAt: isNoticed ? tokens.noticed(slot, after: now) : nil)
    }

    /// Lets APNs notice that the app's older tokens have ended, now that it has a newer one or is gone.
    private mutating func noticePredecessors(of slot: Int32, at now: Instant) {
        for other in tokens.siblings(of: slot, on: devices[tokens[slot].device])
        where tokens[other].state == .expired && tokens[other].detail.value?.unregistration?.noticedAt == nil {
            let noticedAt = tokens.noticed(other, after: now)
            self[registration: other].detail.orDefault.unregistration?.noticedAt = noticedAt
        }
    }

    private mutating func obtainToken(_ slot: Int32, _ specification: RegistrationSpecification, at now: Instant) {
        if let token = specification.token {
            assignToken(slot, token, at: now)
        } else if specification.isLaunched {
            askForToken(slot, at: now)
        }
    }

    /// Lets an app that is launched ask for its token, and for the tokens of its suffixed topics that have none yet.
    private mutating func askForTokens(ofApp slot: Int32, at now: Instant) {
        askForToken(slot, at: now)
        askForSuffixedTokens(ofApp: slot, at: now)
    }

    private mutating func askForSuffixedTokens(ofApp slot: Int32, at now: Instant) {
        for slot in suffixedTopics(ofApp: slot) where tokens[slot].state == .notLaunched {
            askForToken(slot, at: now)
        }
    }

    /// Issues a token at once, or once there is a network.
    mutating func askForToken(_ slot: Int32, at now: Instant) {
        let device = tokens[slot].device
        guard devices[device].state.isOnline else {
            self[registration: slot].state = .waitingForNetwork
            return
        }
        let earlier = tokens.siblings(of: slot, on: devices[device]).count
        let activity = tokens.activity(of: slot).map { " activity \($0)" } ?? ""
        let name =
            "\(id(of: device)) \(tokens.topicText(of: slot)) \(tokens[slot].environment.rawValue) \(earlier)\(activity)"
        let isWeb = tokens[slot].detail.value?.web != nil
        assignToken(slot, tokens.issue(for: name, byteCount: isWeb ? WebPushSubscription.tokenBytes : nil), at: now)
    }

    private mutating func assignToken(_ slot: Int32, _ token: DeviceToken, at now: Instant) {
        removeOwner(of: token, at: now)
        setToken(slot, token, at: now)
        if let activity = tokens.activity(of: slot) { setActivityToken(token, of: activity, on: tokens[slot].device) }
        noticePredecessors(of: slot, at: now)
    }

    /// Removes the unnamed device that a push made for a token, because the token now belongs to a named one.
    mutating func removeOwner(of token: DeviceToken, at now: Instant) {
        if let other = tokens.find(token) { remove(tokens[other].device, at: now) }
    }

    /// Checks that a token is free for a device: only its registration `own`, or another device, an unnamed one, may have
    /// it.
    func checkFree(
        _ token: DeviceToken, for own: Int32? = nil, on device: Int32? = nil, at field: String
    ) throws(InputError) {
        guard !settings.reservedTokens.contains(token) else {
            throw InputError(
                .invalid, at: field,
                "\(token.hex) is a magic token (GET /v1/magic-tokens), which no app can have: give another one, or "
                    + "start the server with --magic-tokens off")
        }
        try checkUnowned(token, by: own, on: device, at: field)
    }

    /// Checks that neither a named device nor `device` has a token, apart from its registration `own` and a device in
    /// `shard`: what has it would be removed.
    func checkUnowned(
        _ token: DeviceToken, by own: Int32? = nil, on device: Int32? = nil, claimedFor shard: Int? = nil,
        at field: String = ""
    ) throws(InputError) {
        if let owner = alias(of: token), owner != shard {
            throw InputError(.conflict, at: field, "\(token.hex) already belongs to another device")
        }
        guard let slot = tokens.find(token), slot != own else { return }
        let owner = tokens[slot].device
        guard devices[owner].id == nil, owner != device else {
            throw InputError(.conflict, at: field, "\(token.hex) already belongs to \(id(of: owner))")
        }
    }

    /// Checks that ``claim(_:for:at:)`` would succeed.
    package func checkClaim(_ token: DeviceToken, for shard: Int) throws(InputError) {
        try checkUnowned(token, claimedFor: shard)
    }

    static func notEntitled(_ topic: String) -> InputError {
        InputError(
            .forbidden, at: "/entitled",
            "\(topic) has no push entitlement, so registering for remote notifications fails")
    }
}
