package import APNsRules

/// A push that a device got before its screen was asked for.
package struct PastDelivery: Sendable {
    /// What the journal still has of the push.
    package struct Content: Sendable {
        let token: DeviceToken
        let notificationID: NotificationID
        let pushType: PushType?
        let collapseID: String?
        let payload: JSONValue?

        package init(
            token: DeviceToken, notificationID: NotificationID, pushType: PushType?, collapseID: String?,
            payload: JSONValue?
        ) {
            self.token = token
            self.notificationID = notificationID
            self.pushType = pushType
            self.collapseID = collapseID
            self.payload = payload
        }
    }

    let item: InboxItem
    /// `nil` if the journal does not have the push any more; the screen is then made without it.
    let content: Content?

    package init(_ item: InboxItem, _ content: Content?) {
        self.item = item
        self.content = content
    }
}

// What the user sees (`DeviceBehaviour#What-the-user-sees`, `DeviceBehaviour#The-service-extension`,
// `DeviceBehaviour#Pushes-that-are-not-alerts`).
//
// A device has a screen once it has been asked for, or once more than the payloads decides what is on it: the app's
// set-up, the language, a Focus. Until then only the inbox is kept, from which the screen can be made later, because
// nothing else has changed.
extension DeviceTable {
    /// What the screen of a device is to be made from; `nil` if the device has one.
    package func inboxWithoutScreen(of id: String) throws(InputError) -> [InboxItem]? {
        guard let device = find(id: id) else { throw .noDevice(id) }
        return devices[device].detail.value?.screen == nil ? devices[device].inbox.items : nil
    }

    /// Gives a device a screen with what it got so far.
    ///
    /// - Returns: `false` if something has arrived meanwhile; then nothing was done.
    package mutating func makeScreen(of id: String, from past: [PastDelivery]) throws(InputError) -> Bool {
        guard let device = find(id: id) else { throw .noDevice(id) }
        guard devices[device].detail.value?.screen == nil else { return true }
        let items = devices[device].inbox.items
        guard items.count == past.count, items.last?.sequence == past.last?.item.sequence else { return false }
        giveScreen(device)
        for delivery in past {
            guard let content = delivery.content, let slot = tokens.find(content.token),
                tokens[slot].device == device
            else { continue }
            _ = show(content, delivery.item.sequence, slot, at: delivery.item.deliveredAt)
        }
        let missing = UInt64(past.count { $0.content == nil }) + devices[device].inbox.dropped
        devices[device].detail.orDefault.screen?.missed(missing)
        updateDue(device)
        return true
    }

    mutating func giveScreen(_ device: Int32) {
        guard devices[device].detail.value?.screen == nil else { return }
        devices[device].detail.orDefault.screen = NotificationCentre()
    }

    // MARK: - A push arrives

    /// Shows a push that was delivered just now, or wakes the app; returns `nil` if the device has no screen.
    mutating func show(_ push: borrowing Push, _ sequence: UInt64, _ slot: Int32, at now: Instant) -> ShownOutcome? {
        guard devices[tokens[slot].device].detail.value?.screen != nil else { return nil }
        // What is no JSON shows nothing; APNs accepts it all the same (`ProviderAPI#Payload-limits`).
        let payload = try? JSONValue(parsing: push.bytes.span.extracting(Int(push.headerByteCount)...))
        let content = PastDelivery.Content(
            token: push.token, notificationID: push.notificationID, pushType: push.pushType,
            collapseID: push.collapseID.map { String(decoding: push.bytes[$0], as: UTF8.self) }, payload: payload)
        return show(content, sequence, slot, at: now)
    }

    private mutating func show(
        _ push: PastDelivery.Content, _ sequence: UInt64, _ slot: Int32, at now: Instant
    ) -> ShownOutcome? {
        let device = tokens[slot].device
        let kind = InboxKind(pushType: push.pushType, topic: tokens.topic(of: slot).span, payload: push.payload)
        let app = tokens[slot].detail.value?.app.presentation ?? AppPresentation()
        guard kind.isPresented else {
            if kind == .background { wake(slot, sequence, app, at: now) }
            return ShownOutcome(isShown: false, at: now, reason: "not shown: a \(kind.rawValue) push")
        }
        let delivered = DeliveredPush(
            sequence: sequence, notificationID: push.notificationID, topic: tokens.topicText(of: slot),
            collapseID: push.collapseID, deliveredAt: now)
        let surroundings = ScreenSurroundings(
            locale: devices.traits(of: device).locale, focus: devices[device].detail.value?.focus)
        let presentation = Presentation(of: push.payload, push: delivered, app: app, on: surroundings)
        if presentation.wakesApp { wake(slot, sequence, app, at: now) }
        let received = devices[device].detail.orDefault.screen?.receive(presentation, of: delivered)
        if case .awaited(let end) = received {
            return ShownOutcome(isShown: false, isAwaited: true, at: end, reason: "a service extension runs")
        }
        return presentation.outcome
    }

    /// Removes from the screen what a deleted app shows, unless the device has another build of it.
    mutating func clearScreen(of topic: String, _ device: Int32) {
        let isThere = tokens.slots(of: devices[device]).contains {
            tokens[$0].state.isCurrent && tokens.topicText(of: $0) == topic
        }
        guard !isThere, devices[device].detail.value?.screen != nil else { return }
        devices[device].detail.orDefault.screen?.uninstall(topic)
        updateDue(device)
    }

    /// When the next service extension of a device ends.
    func screenDue(_ device: Int32) -> Instant? {
        devices[device].detail.value?.screen?.awaited.first?.presentation.shownAt
    }

    /// Shows what service extensions that have ended by then held back.
    mutating func endExtensions(of device: Int32, at now: Instant, _ effects: inout Effects) {
        let ended = devices[device].detail.orDefault.screen?.settle(at: now) ?? []
        for (sequence, presentation) in ended { effects.note(sequence, presentation.outcome) }
    }

    private mutating func wake(_ slot: Int32, _ sequence: UInt64, _ app: AppPresentation, at now: Instant) {
        _ = tokens[slot].detail.orDefault.wakeList.wake(sequence: sequence, fetch: app.backgroundFetch, at: now)
    }

    /// Whether a push that is no alert reaches what it is meant for: calls, complications, locations
    /// (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    mutating func arrival(_ slot: Int32, at now: Instant) -> Arrival {
        switch Topic.suffixedPushType(of: tokens.topic(of: slot).span) {
        case .voip:
            guard let detail = tokens[slot].detail.value else { return .arrives }
            return tokens[slot].detail.orDefault.calls.receive(reportsCalls: detail.app.presentation.reportsCalls)
        case .complication: return tokens[slot].detail.orDefault.complications.receive(at: now)
        case .location: return tokens[slot].detail.value?.app.presentation.locationArrival ?? .arrives
        default: return .arrives
        }
    }

    // MARK: - What the user does

    /// A device's screen, with what woke its apps and what they were told.
    ///
    /// A device without a screen answers an empty one; see ``makeScreen(of:from:)``.
    package mutating func screen(
        of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Reading<JSONValue> {
        let (device, time, effects) = try settled(id, at: now, clock)
        let screen = devices[device].detail.value?.screen ?? NotificationCentre()
        var wakes: [JSONValue] = []
        var evicted = screen.evicted
        for slot in tokens.slots(of: devices[device]) {
            guard let wakeList = tokens[slot].detail.value?.wakeList else { continue }
            let topic = JSONMember("topic", .string(tokens.topicText(of: slot)))
            wakes += wakeList.wakes.map { .object([topic] + ($0.json(at: time).object ?? [])) }
            evicted += wakeList.evicted
        }
        let members = [
            JSONMember("summary", .array(screen.summary(at: time).map { .number(JSONNumber($0.push.sequence)) })),
            JSONMember("wakes", .array(wakes)), JSONMember("responses", .array(screen.responses.map(\.json))),
            JSONMember("evicted", .number(JSONNumber(evicted))),
        ]
        return Reading(value: .object((screen.json(at: time).object ?? []) + members), effects: effects)
    }

    /// Acts on a notification as its user; returns what the app is told, or `nil` if it is told nothing.
    ///
    /// - Throws: ``InputError`` if there is no such device, notification or action.
    package mutating func perform(
        _ action: String, text: String?, on sequence: UInt64, of id: String, at now: Instant,
        clock: (String) -> Instant
    ) throws(InputError) -> Reading<AppResponse?> {
        let (device, time, effects) = try settled(id, at: now, clock)
        guard var screen = devices[device].detail.value?.screen else { throw DeviceTable.notOnScreen(sequence, id) }
        let performed: NotificationCentre.OnPerform
        do throws(ActionFailure) {
            performed = try screen.perform(action, text: text, on: sequence, at: time)
        } catch {
            switch error {
            case .notOnScreen: throw DeviceTable.notOnScreen(sequence, id)
            case .refused(let fault):
                throw InputError(.invalid, at: fault.field, fault.problem, allowed: fault.allowed)
            }
        }
        devices[device].detail.orDefault.screen = screen
        if performed.opensApp { open(performed.topic, on: device) }
        return Reading(value: performed.response, effects: effects)
    }

    private mutating func open(_ topic: String, on device: Int32) {
        for slot in tokens.slots(of: devices[device])
        where tokens.topicText(of: slot) == topic && tokens[slot].state.isCurrent {
            tokens[slot].detail.orDefault.app.appState = .foreground
            tokens[slot].detail.orDefault.calls.forgive()
        }
    }

    /// Removes a notification as its app does.
    package mutating func removeFromScreen(
        _ sequence: UInt64, of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Effects {
        let (device, time, effects) = try settled(id, at: now, clock)
        guard devices[device].detail.value?.screen != nil,
            devices[device].detail.orDefault.screen?.remove(sequence, at: time) == true
        else { throw DeviceTable.notOnScreen(sequence, id) }
        return effects
    }

    private static func notOnScreen(_ sequence: UInt64, _ id: String) -> InputError {
        InputError(.notFound, "push \(sequence) is not on the screen of \(id)")
    }
}

extension Presentation {
    /// What the journal says of it.
    fileprivate var outcome: ShownOutcome {
        ShownOutcome(isShown: isShown, at: shownAt, reason: reason, warnings: warnings, presentation: self)
    }
}
