package import APNsRules

// Live Activities (`DeviceBehaviour#Live-Activities`): a push to an app's token for them starts one, and a push to an
// activity's own token, or a broadcast to the channel that it follows, updates or ends it.
extension DeviceTable {
    /// What a push or broadcast did to a Live Activity.
    package enum OnActivity: Sendable {
        case shown(ShownOutcome)
        /// The push changes no activity, with the reason.
        case unchanged(String)
    }

    /// How many pushes an hour the activities of a push's app get, if that is limited and the push counts.
    func activityBudget(for push: borrowing Push, _ slot: Int32) -> Int? {
        guard let budget = settings.activityBudget, push.priority == .immediate, tokens.isForActivities(slot),
            !activityApp(slot).takesFrequentPushes
        else { return nil }
        return budget
    }

    // MARK: - Pushes and broadcasts

    /// Starts, updates or ends an activity as a push that has arrived says.
    mutating func changeActivity(
        _ push: borrowing Push, sequence: UInt64, _ slot: Int32, at now: Instant
    ) -> OnActivity {
        let message: ActivityMessage
        do throws(InputError) {
            message = try ActivityMessage(push.payload, at: now)
        } catch {
            return .unchanged(error.problem)
        }
        if let number = tokens.activity(of: slot) {
            return update(
                ActivityPlace(device: tokens[slot].device, number: number), with: message, sequence: sequence, at: now)
        }
        let device = tokens[slot].device
        let isFirst = devices[device].detail.value?.activities.isEmpty ?? true
        switch message.event {
        case .start: return start(message, sequence: sequence, slot, at: now)
        case .update where devices[device].id == nil && isFirst, .end where devices[device].id == nil && isFirst:
            return show(message, sequence: sequence, ofUnknown: slot, at: now)
        case .update, .end:
            return .unchanged(
                "the token is the app's push-to-start token: expected the activity's own token for "
                    + (message.event == .end ? "an end" : "an update"))
        }
    }

    /// Applies an update or end to an activity.
    package mutating func update(
        _ place: ActivityPlace, with message: ActivityMessage, sequence: UInt64, at now: Instant
    ) -> OnActivity {
        let changed = self[device: place.device].detail.orDefault.activities.change(place.number) { activity in
            let problem = activity.apply(message, sequence: sequence, at: now)
            return (problem, activity)
        }
        guard let (problem, activity) = changed else { return .unchanged("the activity is not on the device") }
        if let problem { return .unchanged(problem) }
        if !activity.isRunning { endToken(of: activity, on: place.device, at: now) }
        updateDue(place.device)
        let done = message.event == .end ? "the activity was ended" : "the activity was updated"
        return .shown(outcome(message, activity, of: place.device, sequence: sequence, done, at: now))
    }

    private mutating func start(
        _ message: ActivityMessage, sequence: UInt64, _ slot: Int32, at now: Instant
    ) -> OnActivity {
        let device = tokens[slot].device
        guard let start = message.start else { return .unchanged("the push starts no activity") }
        if let obstacle = activitySwitch(of: tokens.topicText(of: slot), tokens[slot].environment, on: device) {
            return .unchanged(obstacle)
        }
        if let obstacle = makeRoomForActivity(on: device, at: now) { return .unchanged(obstacle) }
        let activity = LiveActivity(
            start, of: message, number: nextActivityNumber(on: device), topic: tokens.topicText(of: slot),
            environment: tokens[slot].environment, sequence: sequence, at: now)
        let added = add(activity, to: device, asksForToken: start.asksForToken, at: now)
        return .shown(
            outcome(message, added, of: device, sequence: sequence, "the activity was started", at: now))
    }

    // An unnamed device whose token was first used for an update: it is the token of an activity that the app had
    // started.
    private mutating func show(
        _ message: ActivityMessage, sequence: UInt64, ofUnknown slot: Int32, at now: Instant
    ) -> OnActivity {
        let device = tokens[slot].device
        var activity = LiveActivity(
            number: nextActivityNumber(on: device), topic: tokens.topicText(of: slot),
            environment: tokens[slot].environment, attributesType: nil, attributes: nil,
            content: message.content, at: now)
        activity.token = tokens[slot].token
        self[registration: slot].detail.orDefault.activity = activity.number
        self[device: device].detail.orDefault.activities.add(activity)
        return update(
            ActivityPlace(device: device, number: activity.number), with: message, sequence: sequence, at: now)
    }

    private mutating func outcome(
        _ message: ActivityMessage, _ activity: LiveActivity, of device: Int32, sequence: UInt64, _ reason: String,
        at now: Instant
    ) -> ShownOutcome {
        var outcome = ShownOutcome(isShown: true, at: now, reason: reason, activity: Boxed(activity.withoutHistory))
        guard let alert = message.alert else { return outcome }
        let push = DeliveredPush(
            sequence: sequence, notificationID: NotificationID(generated: 0), topic: activity.topic, collapseID: nil,
            deliveredAt: now)
        let presentation = presentation(of: alert, push, activity, on: device)
        if devices[device].screen != nil {
            _ = self[device: device].detail.orDefault.screen?.receive(presentation.soundAlone, of: push)
        }
        outcome.presentation = Boxed(presentation)
        return outcome
    }

    private func presentation(
        of alert: JSONValue, _ push: DeliveredPush, _ activity: LiveActivity, on device: Int32
    ) -> Presentation {
        Presentation(
            ofActivity: alert, push: push, app: app(of: activity.topic, activity.environment, on: device),
            locale: devices.traits(of: device).locale, settings: devices[device].screenSettings)
    }

    /// Puts the sound that a push's alert made on a screen that was made after it arrived.
    mutating func soundAgain(_ push: borrowing Push, sequence: UInt64, _ slot: Int32, at deliveredAt: Instant) {
        guard let alert = push.payload?["aps"]?["alert"] else { return }
        let device = tokens[slot].device
        let delivered = DeliveredPush(
            sequence: sequence, notificationID: push.notificationID, topic: tokens.topicText(of: slot),
            collapseID: nil, deliveredAt: deliveredAt)
        let presentation = Presentation(
            ofActivity: alert, push: delivered, app: activityApp(slot), locale: devices.traits(of: device).locale,
            settings: devices[device].screenSettings)
        _ = self[device: device].detail.orDefault.screen?.receive(presentation.soundAlone, of: delivered)
    }

    // MARK: - Activities of a device

    private func nextActivityNumber(on device: Int32) -> Int32 {
        (devices[device].detail.value?.activities.lastNumber ?? 0) + 1
    }

    // Returns why there can be no further activity.
    private mutating func makeRoomForActivity(on device: Int32, at now: Instant) -> String? {
        let platform = devices.traits(of: device).platform
        guard platform == .iOS || platform == .iPadOS else { return "\(platform.rawValue) starts no Live Activities" }
        let (isRoom, removed) = self[device: device].detail.orDefault.activities.makeRoom()
        if let removed, let slot = slot(of: removed.number, on: device) {
            removeRegistration(slot, at: now, "the activity was forgotten")
        }
        return isRoom
            ? nil : "the device has \(LiveActivities.countMax) activities: expected one to be dismissed first"
    }

    // Adds an activity, with a token of its own if it is to have one.
    private mutating func add(
        _ activity: LiveActivity, to device: Int32, asksForToken: Bool, at now: Instant
    ) -> LiveActivity {
        self[device: device].detail.orDefault.activities.add(activity)
        setFollowing(activity, of: device, activity.isRunning)
        if asksForToken {
            let slot = addRegistration(
                of: Array(activity.topic.utf8).span, to: device, in: activity.environment, since: now)
            self[registration: slot].detail.orDefault.activity = activity.number
            askForToken(slot, at: now)
        }
        if !activity.isRunning { endToken(of: activity, on: device, at: now) }
        updateDue(device)
        return self[device: device].detail.orDefault.activities[activity.number] ?? activity
    }

    /// The registration of an activity's token.
    func slot(of activity: Int32, on device: Int32) -> Int32? {
        tokens.slots(of: devices[device]).first { tokens.activity(of: $0) == activity }
    }

    /// Sets the token that an activity got.
    mutating func setActivityToken(_ token: DeviceToken, of activity: Int32, on device: Int32) {
        _ = self[device: device].detail.orDefault.activities.change(activity) { $0.token = token }
    }

    /// Carries out the changes of activities' states that are due, each at its own time.
    mutating func settleActivities(_ device: Int32, at due: Instant) {
        for activity in self[device: device].detail.orDefault.activities.settle(at: due) {
            if !activity.isRunning { endToken(of: activity, on: device, at: due) }
            recordActivityChange(
                ActivityChange(
                    device: id(of: device), scope: devices.scope(of: device), activity: activity.withoutHistory,
                    at: due))
        }
    }

    // Ends the token of an activity that takes no more updates.
    private mutating func endToken(
        of activity: LiveActivity, on device: Int32, _ state: RegistrationState = .expired, at now: Instant
    ) {
        setFollowing(activity, of: device, false)
        guard let slot = slot(of: activity.number, on: device), tokens[slot].state.isCurrent else { return }
        guard !tokens[slot].state.lacksToken else {
            return removeRegistration(slot, at: now, "the Live Activity has ended")
        }
        end(slot, state, at: now)
        self[registration: slot].detail.orDefault.unregistration?.isOfActivity = true
    }

    /// The settings of the app of an activity's topic: of that registration, or if it has none of the plain topic's.
    func activityApp(_ slot: Int32) -> AppPresentation {
        app(of: tokens.topicText(of: slot), tokens[slot].environment, on: tokens[slot].device)
    }

    private func app(of topic: String, _ environment: APNsEnvironment, on device: Int32) -> AppPresentation {
        for topic in [topic, DeviceTable.plainTopic(of: topic)] {
            guard let slot = tokens.current(topic, environment, on: devices[device]),
                let app = tokens[slot].detail.value?.app, app != AppSettings()
            else { continue }
            return app.presentation
        }
        return AppPresentation()
    }

    // Returns why an app may have no activities, if its user has turned them off at one of its registrations.
    private func activitySwitch(
        of topic: String, _ environment: APNsEnvironment, on device: Int32
    ) -> String? {
        guard tokens.slots(of: devices[device]).contains(where: turnsActivitiesOff) else { return nil }
        let bundleID = DeviceTable.plainTopic(of: topic)
        let isOff = [bundleID, bundleID + PushType.liveactivity.topicSuffix].contains { topic in
            tokens.current(topic, environment, on: devices[device]).map(turnsActivitiesOff) ?? false
        }
        return isOff ? "the user has turned Live Activities off for \(bundleID)" : nil
    }

    private func turnsActivitiesOff(_ slot: Int32) -> Bool {
        tokens[slot].detail.value?.app.presentation.permissions.liveActivities == false
    }

    /// Takes the activities of an app off the screen if its user has turned them off (inferred).
    mutating func removeActivitiesIfOff(ofApp slot: Int32, at now: Instant) {
        if turnsActivitiesOff(slot) { removeActivities(ofApp: slot, .expired, at: now) }
    }

    // The bundle id in a topic.
    private static func plainTopic(of topic: String) -> String {
        let suffix = PushType.liveactivity.topicSuffix
        return topic.hasSuffix(suffix) ? String(topic.dropLast(suffix.count)) : topic
    }

    /// Takes the activities of an app that is deleted or restored off the screen, and ends their tokens.
    mutating func removeActivities(ofApp slot: Int32, _ state: RegistrationState, at now: Instant) {
        let device = tokens[slot].device
        let bundleID = DeviceTable.plainTopic(of: tokens.topicText(of: slot))
        for activity in devices[device].detail.value?.activities.all ?? []
        where activity.environment == tokens[slot].environment
            && DeviceTable.plainTopic(of: activity.topic) == bundleID && activity.isShown
        {
            _ = self[device: device].detail.orDefault.activities.change(activity.number) { $0.dismiss(at: now) }
            endToken(of: activity, on: device, state, at: now)
        }
        updateDue(device)
    }

    // MARK: - What apps and users do

    /// A device's activities, newest first, including dismissed ones.
    package mutating func activities(
        of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Reading<[LiveActivity]> {
        let device = try settled(id, at: now, clock).device
        return ((devices[device].detail.value?.activities.all ?? []).reversed(), takeEffects())
    }

    /// Starts an activity as its app does, and gives it a token if it asks for one; fails if the app is not on the
    /// device, and if there can be no further activity.
    package mutating func startActivity(
        _ specification: ActivitySpecification, on id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Reading<LiveActivity> {
        let (device, time) = try settled(id, at: now, clock)
        return (try start(specification, on: device, at: time), takeEffects())
    }

    /// Starts an activity as ``startActivity(_:on:at:clock:)`` does, on a device whose due changes have been processed.
    mutating func start(
        _ specification: ActivitySpecification, on device: Int32, at time: Instant
    ) throws(InputError) -> LiveActivity {
        let environment = specification.environment ?? devices.traits(of: device).environment
        let topics = [specification.topic, DeviceTable.plainTopic(of: specification.topic)]
        guard topics.contains(where: { tokens.current($0, environment, on: devices[device]) != nil }) else {
            let apps = tokens.apps(of: devices[device]).filter { tokens[$0].state.isCurrent }
            throw InputError(
                .notFound, at: "/topic",
                "\(id(of: device)) has no app \(topics[1]) in \(environment.rawValue)",
                allowed: apps.map(tokens.topicText))
        }
        if let obstacle = activitySwitch(of: specification.topic, environment, on: device) {
            throw InputError(.conflict, obstacle)
        }
        if let obstacle = makeRoomForActivity(on: device, at: time) { throw InputError(.conflict, obstacle) }
        let activity = specification.activity(
            number: nextActivityNumber(on: device), environment: environment, at: time)
        return add(activity, to: device, asksForToken: specification.pushType == .token, at: time)
    }

    /// Updates or ends an activity as its app does; fails if it is not there, or takes no more updates.
    package mutating func changeActivity(
        _ number: Int32, of id: String, _ patch: ActivityPatch, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Reading<LiveActivity> {
        let (device, time) = try settled(id, at: now, clock)
        var activity = try activity(number, on: device, of: id)
        try patch.apply(to: &activity, at: time)
        _ = self[device: device].detail.orDefault.activities.change(number) { $0 = activity }
        if !activity.isRunning { endToken(of: activity, on: device, at: time) }
        updateDue(device)
        return (activity, takeEffects())
    }

    /// Takes an activity off the screen as its user does; it takes no more updates.
    package mutating func dismissActivity(
        _ number: Int32, of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        let (device, time) = try settled(id, at: now, clock)
        let activity = try activity(number, on: device, of: id)
        guard activity.isShown else {
            throw InputError(.conflict, "activity \(number) of \(id) is already dismissed")
        }
        dismiss(activity, of: device, at: time)
        return takeEffects()
    }

    /// Takes an activity off the screen, and ends its token.
    mutating func dismiss(_ activity: LiveActivity, of device: Int32, at now: Instant) {
        _ = self[device: device].detail.orDefault.activities.change(activity.number) { $0.dismiss(at: now) }
        endToken(of: activity, on: device, at: now)
        updateDue(device)
    }

    private func activity(_ number: Int32, on device: Int32, of id: String) throws(InputError) -> LiveActivity {
        guard let activity = devices[device].detail.value?.activities[number] else {
            throw InputError.missing("activity", "\(id) has no activity \(number)")
        }
        return activity
    }

    /// Puts an activity on a device that is made as it was exported.
    mutating func restore(_ activity: LiveActivity, to device: Int32, at now: Instant) {
        var activity = activity
        let token = activity.token
        activity.token = nil
        activity.settle(at: now)
        self[device: device].detail.orDefault.activities.add(activity)
        setFollowing(activity, of: device, activity.isRunning)
        if let token {
            let slot = addRegistration(
                of: Array(activity.topic.utf8).span, to: device, in: activity.environment, since: activity.startedAt)
            self[registration: slot].detail.orDefault.activity = activity.number
            removeOwner(of: token, at: now)
            setToken(slot, token, at: activity.startedAt)
            setActivityToken(token, of: activity.number, on: device)
            if !activity.isRunning { endToken(of: activity, on: device, at: activity.endedAt ?? now) }
        }
        updateDue(device)
    }
}
