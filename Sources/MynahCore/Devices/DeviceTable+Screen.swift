package import APNsRules

/// A push that a device got before anybody asked for its screen.
package struct PastDelivery: Sendable {
    /// Its number in the journal.
    let sequence: UInt64
    /// When the device got it.
    let deliveredAt: Instant
    /// What it was; `nil` when the journal has it no more, and then the screen goes without it.
    let entry: Entry?

    /// A push that arrived.
    package init(_ item: InboxItem, _ entry: Entry?) {
        self.sequence = item.sequence
        self.deliveredAt = item.deliveredAt
        self.entry = entry
    }
}

// What the user sees (`DeviceBehaviour#What-the-user-sees`, `DeviceBehaviour#The-service-extension`,
// `DeviceBehaviour#Pushes-that-are-not-alerts`).
//
// A device has a screen from the moment on at which somebody asks for it, or from which more than the payloads decides
// what is on it: the app's set-up, the language, a Focus. Until then nothing is kept beside the inbox, and what is in
// that is shown afterwards as it would have been, because nothing has changed since.
extension DeviceTable {
    /// What a screen is made from, when a device has none yet; `nil` when it has one.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package func inboxWithoutScreen(of id: String) throws(DeviceError) -> [InboxItem]? {
        guard let device = find(id: id) else { throw .noDevice(id) }
        return devices[device].rare.value?.screen == nil ? devices[device].inbox.items : nil
    }

    /// Gives a device a screen with what it got so far.
    ///
    /// - Returns: `false` when something has arrived meanwhile, and nothing was done.
    /// - Throws: ``DeviceError`` when there is no such device.
    package mutating func makeScreen(of id: String, from past: [PastDelivery]) throws(DeviceError) -> Bool {
        guard let device = find(id: id) else { throw .noDevice(id) }
        guard devices[device].rare.value?.screen == nil else { return true }
        let items = devices[device].inbox.items
        guard items.count == past.count, items.last?.sequence == past.last?.sequence else { return false }
        giveScreen(device)
        for delivery in past {
            guard let entry = delivery.entry, let token = entry.token, let slot = find(token),
                registrations[slot].device == device
            else { continue }
            let view = PushView(entry)
            let content = Arrived(
                sequence: delivery.sequence, notificationID: entry.notificationID, pushType: entryPushType(view),
                collapseID: view.collapseID, payload: view.payload, at: delivery.deliveredAt)
            _ = show(content, slot)
        }
        let missing = UInt64(past.count { $0.entry == nil }) + devices[device].inbox.dropped
        devices[device].rare[orMaking: DeviceDetail()].screen?.missed(missing)
        updateDue(device)
        return true
    }

    private func entryPushType(_ view: PushView) -> PushType? { view.givenPushType.flatMap { PushType(rawValue: $0) } }

    /// Lets a device have a screen from now on.
    mutating func giveScreen(_ device: Int32) {
        guard devices[device].rare.value?.screen == nil else { return }
        devices[device].rare[orMaking: DeviceDetail()].screen = NotificationCentre()
    }

    // MARK: - A push arrives

    /// A push as the screen sees it.
    private struct Arrived {
        let sequence: UInt64
        let notificationID: NotificationID
        let pushType: PushType?
        let collapseID: String?
        let payload: JSONValue?
        let at: Instant
    }

    /// Shows a push that the device has just been given, or wakes the app by it; `nil` where the device has no screen.
    mutating func show(_ push: borrowing Push, _ sequence: UInt64, _ slot: Int32, at now: Instant) -> ShownOutcome? {
        guard devices[registrations[slot].device].rare.value?.screen != nil else { return nil }
        var payload: JSONValue?
        do throws(JSONError) {
            payload = try JSONValue(parsing: push.bytes.span.extracting(Int(push.headerByteCount)...))
        } catch {
            // What is no JSON shows nothing; APNs accepts it all the same (`ProviderAPI#Payload-limits`).
            payload = nil
        }
        return show(
            Arrived(
                sequence: sequence, notificationID: push.notificationID, pushType: push.pushType,
                collapseID: push.collapseID.map { String(decoding: push.bytes[$0], as: UTF8.self) }, payload: payload,
                at: now), slot)
    }

    private mutating func show(_ arrived: Arrived, _ slot: Int32) -> ShownOutcome? {
        let device = registrations[slot].device
        let topic = topicText(slot)
        let topicBytes = topics[registrations[slot].topic]
        let kind = InboxKind(pushType: arrived.pushType, topic: topicBytes.span, payload: arrived.payload)
        let app = registrations[slot].rare.value?.app.presentation ?? AppPresentation()
        guard kind.isPresented else {
            if kind == .background { wake(slot, arrived.sequence, app, at: arrived.at) }
            return ShownOutcome(isShown: false, at: arrived.at, reason: "not shown: a \(kind.rawValue) push")
        }
        let facts = DeliveredPush(
            sequence: arrived.sequence, notificationID: arrived.notificationID, topic: topic,
            collapseID: arrived.collapseID, deliveredAt: arrived.at)
        let surroundings = ScreenSurroundings(
            locale: traits[devices[device].traits].locale, focus: devices[device].rare.value?.focus)
        let presentation = Presentation(of: arrived.payload, push: facts, app: app, on: surroundings)
        if presentation.wakesApp { wake(slot, arrived.sequence, app, at: arrived.at) }
        let received = devices[device].rare[orMaking: DeviceDetail()].screen?.receive(presentation, of: facts)
        if case .awaited(let end) = received {
            return ShownOutcome(isShown: false, isAwaited: true, at: end, reason: "a service extension runs")
        }
        return presentation.outcome
    }

    /// An app was deleted, and with it what it shows, unless the device has another build of it.
    mutating func clearScreen(of topic: String, _ device: Int32) {
        let isThere = slots(of: device).contains { registrations[$0].state.isCurrent && topicText($0) == topic }
        guard !isThere, devices[device].rare.value?.screen != nil else { return }
        devices[device].rare[orMaking: DeviceDetail()].screen?.uninstall(topic)
        updateDue(device)
    }

    /// When a service extension of a device ends next; `nil` when none runs.
    func screenDue(_ device: Int32) -> Instant? {
        devices[device].rare.value?.screen?.awaited.first?.presentation.shownAt
    }

    /// Shows what the extensions that are done by then held back.
    mutating func endExtensions(of device: Int32, at now: Instant, _ effects: inout Effects) {
        let ended = devices[device].rare[orMaking: DeviceDetail()].screen?.settle(at: now) ?? []
        for (sequence, presentation) in ended { effects.note(sequence, presentation.outcome) }
    }

    private mutating func wake(_ slot: Int32, _ sequence: UInt64, _ app: AppPresentation, at now: Instant) {
        _ = registrations[slot].rare[orMaking: RegistrationDetail()].wakeList.wake(
            sequence: sequence, fetch: app.backgroundFetch, at: now)
    }

    /// Whether a push that is no alert reaches what it is meant for: calls, complications, locations
    /// (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    mutating func arrival(_ slot: Int32, at now: Instant) -> Arrival {
        let topic = topics[registrations[slot].topic]
        switch Topic.suffixedPushType(of: topic.span) {
        case .voip:
            guard let detail = registrations[slot].rare.value else { return .arrives }
            return registrations[slot].rare[orMaking: RegistrationDetail()].calls.receive(
                reportsCalls: detail.app.presentation.reportsCalls)
        case .complication:
            return registrations[slot].rare[orMaking: RegistrationDetail()].complications.receive(at: now)
        case .location:
            return registrations[slot].rare.value?.app.presentation.locationArrival ?? .arrives
        default: return .arrives
        }
    }

    // MARK: - What the user does

    /// A device's screen, with what woke its apps and what they were told.
    ///
    /// Without a screen of its own it is empty; see ``makeScreen(of:from:)``.
    /// - Throws: ``DeviceError`` when there is no such device.
    package mutating func screen(
        of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Reading<JSONValue> {
        let (device, time, effects) = try settledNow(id, at: now, clock)
        let screen = devices[device].rare.value?.screen ?? NotificationCentre()
        var wakes: [JSONValue] = []
        var evicted = screen.evicted
        for slot in slots(of: device) {
            let topic = topicText(slot)
            for wake in registrations[slot].rare.value?.wakeList.wakes ?? [] {
                wakes.append(.object([JSONMember("topic", .string(topic))] + (wake.json(at: time).object ?? [])))
            }
            evicted += registrations[slot].rare.value?.wakeList.evicted ?? 0
        }
        let members = [
            JSONMember("summary", .array(screen.summary(at: time).map { .number(JSONNumber($0.push.sequence)) })),
            JSONMember("wakes", .array(wakes)), JSONMember("responses", .array(screen.responses.map(\.json))),
            JSONMember("evicted", .number(JSONNumber(evicted))),
        ]
        return Reading(value: .object((screen.json(at: time).object ?? []) + members), effects: effects)
    }

    /// The user acts on a notification, or an app is opened by it; answers what the app is told.
    ///
    /// `nil` when the app is told nothing.
    /// - Throws: ``DeviceError`` when there is no such device, notification or action.
    package mutating func perform(
        _ action: String, text: String?, on sequence: UInt64, of id: String, at now: Instant,
        clock: (String) -> Instant
    ) throws(DeviceError) -> Reading<AppResponse?> {
        let (device, time, effects) = try settledNow(id, at: now, clock)
        let performed: NotificationCentre.OnPerform
        do throws(ActionFailure) {
            guard devices[device].rare.value?.screen != nil else { throw .notOnScreen(sequence) }
            var screen = devices[device].rare.value?.screen ?? NotificationCentre()
            performed = try screen.perform(action, text: text, on: sequence, at: time)
            devices[device].rare[orMaking: DeviceDetail()].screen = screen
        } catch {
            switch error {
            case .notOnScreen: throw DeviceTable.notOnScreen(sequence, id)
            case .refused(let fault):
                throw DeviceError(.invalid, at: fault.field, fault.problem, allowed: fault.allowed)
            }
        }
        if performed.opensApp { open(performed.topic, on: device) }
        return Reading(value: performed.response, effects: effects)
    }

    private mutating func open(_ topic: String, on device: Int32) {
        for slot in slots(of: device) where topicText(slot) == topic && registrations[slot].state.isCurrent {
            registrations[slot].rare[orMaking: RegistrationDetail()].app.appState = .foreground
            registrations[slot].rare[orMaking: RegistrationDetail()].calls.forgive()
        }
    }

    /// An app takes a notification back.
    ///
    /// - Throws: ``DeviceError`` when there is no such device or notification.
    package mutating func removeFromScreen(
        _ sequence: UInt64, of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Effects {
        let (device, time, effects) = try settledNow(id, at: now, clock)
        guard devices[device].rare.value?.screen != nil,
            devices[device].rare[orMaking: DeviceDetail()].screen?.remove(sequence, at: time) == true
        else { throw DeviceTable.notOnScreen(sequence, id) }
        return effects
    }

    private static func notOnScreen(_ sequence: UInt64, _ id: String) -> DeviceError {
        DeviceError(.notFound, "push \(sequence) is not on the screen of \(id)")
    }

    private mutating func settledNow(
        _ id: String, at now: Instant, _ clock: (String) -> Instant
    ) throws(DeviceError) -> (device: Int32, time: Instant, effects: Effects) {
        guard let device = find(id: id) else { throw .noDevice(id) }
        let time = time(of: device, now, clock)
        var effects = Effects()
        settle(device, to: time, &effects)
        return (device, time, effects)
    }
}

extension Presentation {
    /// What the journal says of it.
    fileprivate var outcome: ShownOutcome {
        ShownOutcome(isShown: isShown, at: shownAt, reason: reason, warnings: warnings, presentation: self)
    }
}
