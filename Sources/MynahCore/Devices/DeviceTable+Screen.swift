package import APNsRules

// What the user sees (`DeviceBehaviour#What-the-user-sees`, `DeviceBehaviour#The-service-extension`,
// `DeviceBehaviour#Pushes-that-are-not-alerts`).
//
// A device has a screen from the first call that changes it, or from the first setting that changes what is shown: the
// app's registration, the language, a Focus. Until then the inbox is enough to make the screen later, and who looks at it
// makes it in a copy.
extension DeviceTable {
    /// A push that a device has received; `push` is `nil` if the journal no longer has it.
    package typealias PastPush = (item: InboxItem, push: Push?)

    /// What a device's user sees.
    package enum Seen: Sendable {
        case screen(JSONValue)
        /// The device has no screen: a copy of it, for ``screen(inCopyOf:from:at:clock:)``, and what it has received.
        case copy(DeviceTable, received: [InboxItem])
    }

    /// What has arrived on a device, to make its screen from; `nil` if the device has a screen.
    package func inboxWithoutScreen(of id: String) throws(InputError) -> [InboxItem]? {
        let device = try existing(id)
        return devices[device].screen == nil ? devices[device].inbox.items : nil
    }

    /// Whether a device has no screen, and nothing has arrived on it.
    package func hasReceivedNothing(_ id: String) throws(InputError) -> Bool {
        try inboxWithoutScreen(of: id)?.isEmpty == true
    }

    /// Calls `body` with a device that has a screen; if it had none, the screen is made from `past`, the result of
    /// ``inboxWithoutScreen(of:)`` with the pushes that the journal still has.
    ///
    /// Does nothing and returns `nil` if that is outdated. When `body` throws, the device has no screen, as before.
    package mutating func withScreen<Value>(
        of id: String, from past: [PastPush]?, at now: Instant, clock: (String) -> Instant,
        _ body: (inout DeviceTable) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        // What is due happens whether `body` throws or not.
        let device = try settled(id, at: now, clock).device
        guard devices[device].screen == nil else { return try body(&self) }
        let items = devices[device].inbox.items
        guard let past, items.count == past.count, items.last?.sequence == past.last?.item.sequence else { return nil }
        let detail = devices[device].detail
        let apps = tokens.slots(of: devices[device]).map { ($0, tokens[$0].detail) }
        do throws(InputError) {
            return try forgettingEffectsOfFailure { table throws(InputError) in
                table.makeScreen(of: device, from: past)
                return try body(&table)
            }
        } catch {
            self[device: device].detail = detail
            for (slot, detail) in apps { self[registration: slot].detail = detail }
            updateDue(device)
            throw error
        }
    }

    private mutating func makeScreen(of device: Int32, from past: [PastPush]) {
        self[device: device].detail.orDefault.screen = NotificationCentre()
        for (item, push) in past {
            guard let push, let slot = tokens.find(push.token), tokens[slot].device == device else { continue }
            if tokens.isForActivities(slot) {
                soundAgain(push, sequence: item.sequence, slot, at: item.deliveredAt)
            } else {
                _ = show(push, sequence: item.sequence, for: slot, at: item.deliveredAt)
            }
        }
        let missing = UInt64(past.count { $0.push == nil }) + devices[device].inbox.dropped
        self[device: device].detail.orDefault.screen?.countMissing(missing)
        updateDue(device)
    }

    // MARK: - A push arrives

    /// Shows a push that was delivered just now, or wakes the app; returns `nil` if the device has no screen.
    mutating func show(_ push: borrowing Push, sequence: UInt64, for slot: Int32, at now: Instant) -> ShownOutcome? {
        if tokens[slot].detail.value?.web != nil {
            return showWebPush(push, sequence: sequence, for: slot, at: now)
        }
        let device = tokens[slot].device
        guard devices[device].screen != nil else { return nil }
        let payload = push.payload
        let kind = PushKind(sent: push.pushType, topic: tokens.topic(of: slot).span, payload: payload)
        let app = tokens[slot].detail.value?.app.presentation ?? AppPresentation()
        guard kind == .alert else {
            if kind == .background, app.canBeWoken, ContentAvailable(payload?["aps"]).wakesApp {
                wake(slot, by: sequence, app: app, at: now)
            }
            let what = kind == .pass ? "the update of a pass, for which Wallet asks" : "a \(kind.rawValue) push"
            return ShownOutcome(isShown: false, at: now, reason: "not shown: \(what)")
        }
        let delivered = DeliveredPush(
            sequence: sequence, notificationID: push.notificationID, topic: tokens.topicText(of: slot),
            collapseID: push.collapseID.map { String(decoding: push.bytes[$0], as: UTF8.self) }, deliveredAt: now)
        let presentation = Presentation(
            of: payload, push: delivered, app: app, locale: devices.traits(of: device).locale,
            platform: devices.traits(of: device).platform, settings: devices[device].screenSettings,
            launchedAt: tokens[slot].detail.value?.launchedAt ?? tokens[slot].since)
        if presentation.wakesApp { wake(slot, by: sequence, app: app, at: now) }
        for replaced in devices[device].screen?.replaced(by: presentation, of: delivered) ?? [] {
            let reason = "not shown: push \(sequence) took its place before the summary"
            recordShown(of: replaced, ShownOutcome(isShown: false, at: now, reason: reason))
        }
        let received = self[device: device].detail.orDefault.screen?.receive(presentation, of: delivered)
        if case .awaited(let end) = received {
            return ShownOutcome(isShown: false, isAwaited: true, at: end, reason: presentation.awaits)
        }
        return presentation.outcome
    }

    /// Removes from the screen what a deleted app shows, unless the device has another build of it.
    mutating func clearScreen(of topic: String, _ device: Int32) {
        let isThere = tokens.apps(of: devices[device]).contains {
            tokens[$0].state.isCurrent && tokens.topicText(of: $0) == topic
        }
        guard !isThere, devices[device].screen != nil else { return }
        self[device: device].detail.orDefault.screen?.uninstall(topic)
        updateDue(device)
    }

    private mutating func wake(_ slot: Int32, by sequence: UInt64, app: AppPresentation, at now: Instant) {
        self[registration: slot].detail.orDefault.wakeList.add(
            Wake(sequence: sequence, at: now, fetch: app.backgroundFetch))
    }

    /// Whether a push that is not an alert reaches its target: a call, a complication, a location extension
    /// (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    mutating func arrival(_ slot: Int32, at now: Instant) -> TargetArrival {
        switch Topic.suffixedPushType(of: tokens.topic(of: slot).span) {
        case .voip:
            guard let detail = tokens[slot].detail.value else { return .arrives }
            let reportsCalls = detail.app.presentation.reportsCalls
            return self[registration: slot].detail.orDefault.calls.receive(reportsCalls: reportsCalls)
        case .complication: return self[registration: slot].detail.orDefault.complications.receive(at: now)
        case .location: return tokens[slot].detail.value?.app.presentation.locationArrival ?? .arrives
        default: return .arrives
        }
    }

    // MARK: - What the user does

    /// A device's screen, the wakes of its apps, and the responses they got, or a copy of the device to make it in.
    package mutating func seen(
        of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Reading<Seen> {
        let (device, time) = try settled(id, at: now, clock)
        let effects = takeEffects()
        guard devices[device].screen == nil else { return (.screen(screen(of: device, at: time)), effects) }
        return (.copy(copy(of: device), received: devices[device].inbox.items), effects)
    }

    /// The screen of a device that has none, of which this is a copy.
    package consuming func screen(
        inCopyOf id: String, from past: [PastPush], at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> JSONValue {
        let device = try existing(id)
        makeScreen(of: device, from: past)
        return screen(of: device, at: settled(device, at: now, clock))
    }

    // A table that contains only a copy of this device.
    private func copy(of device: Int32) -> DeviceTable {
        var copy = DeviceTable(settings: settings)
        let place = copy.insert(
            id: devices[device].id, traits: devices.traits(of: device), scope: devices.scope(of: device))
        copy[device: place].inbox = devices[device].inbox
        copy[device: place].detail = devices[device].detail
        copy.setProfile(devices.profile(of: device), of: place)
        for slot in tokens.slots(of: devices[device]) {
            let registration = tokens[slot]
            let added = copy.addRegistration(
                of: tokens.topic(of: slot).span, to: place, in: registration.environment, token: registration.token,
                state: registration.state, since: registration.since,
                applicationServerKey: registration.detail.value?.web?.applicationServerKey)
            copy[registration: added].detail = registration.detail
        }
        copy.updateDue(place)
        return copy
    }

    private func screen(of device: Int32, at time: Instant) -> JSONValue {
        var wakes: [WakeView] = []
        var evicted: UInt64 = 0
        for slot in tokens.slots(of: devices[device]) {
            guard let wakeList = tokens[slot].detail.value?.wakeList else { continue }
            let topic = tokens.topicText(of: slot)
            wakes += wakeList.wakes.map { WakeView($0, of: topic, at: time) }
            evicted += wakeList.evicted
        }
        let view = ScreenView(
            devices[device].screen ?? NotificationCentre(), at: time,
            isLocked: devices[device].screenSettings.isLocked,
            activities: devices[device].detail.value?.activities.shown ?? [], wakes: wakes, evicted: evicted)
        return view.json
    }

    /// Acts on a notification as its user; returns the app's response, if it gets one, and fails if the device,
    /// notification or action does not exist.
    package mutating func perform(
        _ action: String, text: String?, on sequence: UInt64, of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Reading<AppResponse?> {
        let (device, time) = try settled(id, at: now, clock)
        var screen = devices[device].screen ?? NotificationCentre()
        let isLocked = devices[device].screenSettings.isLocked
        guard let performed = try screen.perform(action, text: text, on: sequence, at: time, isLocked: isLocked) else {
            throw DeviceTable.notOnScreen(sequence, id)
        }
        self[device: device].detail.orDefault.screen = screen
        if performed.opensApp { open(performed.topic, on: device, at: time) }
        return (performed.response, takeEffects())
    }

    private mutating func open(_ topic: String, on device: Int32, at now: Instant) {
        for slot in tokens.slots(of: devices[device])
        where tokens.topicText(of: slot) == topic && tokens[slot].state.isCurrent {
            self[registration: slot].detail.orDefault.app.presentation.appState = .foreground
            self[registration: slot].detail.orDefault.calls.resetUnreported()
            recordLaunch(slot, at: now)
        }
    }

    /// Removes a notification on behalf of its app.
    package mutating func removeFromScreen(
        _ sequence: UInt64, of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        let (device, time) = try settled(id, at: now, clock)
        guard devices[device].screen != nil,
            self[device: device].detail.orDefault.screen?.remove(at: time, where: { $0.push.sequence == sequence }) == 1
        else { throw DeviceTable.notOnScreen(sequence, id) }
        return takeEffects()
    }

    /// Removes the notifications that pass a filter, as their apps or the user does, and tells no app; returns how many,
    /// and fails for an app that is not there.
    package mutating func clearScreen(
        of id: String, where filter: ScreenFilter, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Reading<Int> {
        let (device, time) = try settled(id, at: now, clock)
        let topics = topicsOfApps(on: device)
        for (parameter, topic) in filter.values(of: .topic) where !topics.contains(topic) {
            throw .unknown("app on the device", topic, at: parameter, among: topics)
        }
        guard devices[device].screen != nil else { return (0, takeEffects()) }
        let removed = self[device: device].detail.orDefault.screen?.remove(at: time, where: filter.holds) ?? 0
        return (removed, takeEffects())
    }

    /// Changes what apps may change; fails if an app is not there or may not, and then changes nothing.
    package mutating func changeScreen(
        of id: String, _ patch: ScreenPatch, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        let (device, time) = try settled(id, at: now, clock)
        let apps = tokens.apps(of: devices[device]).filter { tokens[$0].state.isCurrent }
        for (topic, badge) in patch.badges.sorted(by: { $0.key < $1.key }) {
            let place = JSONPointer(steps: ["badges", topic]).description
            guard let slot = apps.last(where: { tokens.topicText(of: $0) == topic }) else {
                throw .unknown("app on the device", topic, at: place, among: apps.map { tokens.topicText(of: $0) })
            }
            let permissions = tokens[slot].detail.value?.app.presentation.permissions ?? NotificationPermissions()
            guard badge == 0 || permissions.isAuthorized && permissions.badge else {
                throw InputError(.conflict, at: place, "the user does not let \(topic) have a badge: expected 0")
            }
        }
        for (topic, badge) in patch.badges.sorted(by: { $0.key < $1.key }) {
            self[device: device].detail.orDefault.screen?.setBadge(badge, of: topic, at: time)
        }
        return takeEffects()
    }

    private func topicsOfApps(on device: Int32) -> [String] {
        tokens.apps(of: devices[device]).filter { tokens[$0].state.isCurrent }.map { tokens.topicText(of: $0) }
    }

    private static func notOnScreen(_ sequence: UInt64, _ id: String) -> InputError {
        InputError.missing("sequence", "push \(sequence) is not on the screen of \(id)")
    }
}
