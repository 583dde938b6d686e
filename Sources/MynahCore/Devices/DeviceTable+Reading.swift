package import APNsRules

extension DeviceTable {
    /// What was read, and the effects of what had fallen due before, for the journal.
    package typealias Reading<Value> = (value: Value, effects: Effects)

    package mutating func view(
        of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Reading<DeviceView> {
        let device = try settled(id, at: now, clock).device
        return (view(ofDevice: device), takeEffects())
    }

    /// The pushes that arrived on a device, oldest first, and how many older ones were dropped to make room.
    package mutating func inbox(
        of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(InputError) -> Reading<(items: [InboxItem], dropped: UInt64)> {
        let inbox = devices[try settled(id, at: now, clock).device].inbox
        return ((inbox.items, inbox.dropped), takeEffects())
    }

    package func has(id: String) -> Bool { find(id: id) != nil }

    /// The label of a token's device; `nil` if the token is unknown here, or its device unnamed.
    package func label(of token: DeviceToken) -> DeviceLabel? {
        guard let slot = tokens.find(token) else { return nil }
        let device = tokens[slot].device
        return devices[device].id.map { DeviceLabel(device: $0, scope: devices.scope(of: device)) }
    }

    /// Numbers a push that no device takes, with the label that its token has at that number.
    package func number(_ token: DeviceToken, takeSequence: () -> UInt64) -> NumberedPush {
        NumberedPush(sequence: takeSequence(), label: label(of: token))
    }

    /// The devices after an id that pass a filter, and how many pass it in all; looks at every device of the shard, and
    /// orders by id, so that paging works while devices come and go.
    /// - Parameter isDescending: Whether the order is that from the last id to the first.
    package mutating func list(
        after: String? = nil, isDescending: Bool = false, limit: Int, where filter: DeviceFilter = DeviceFilter(),
        at now: Instant,
        clock: (String) -> Instant
    ) -> Reading<(devices: [DeviceView], matched: Int)> {
        let effects = advance(to: now, clock: clock)
        var found: [DeviceView] = []
        var matched = 0
        // Twice the limit, so that sorting is rare; ids beyond the last one kept need not be looked at.
        let batch = max(64, 2 * min(limit, Int.max / 2))
        var end: String?
        for device in devices.places where filter.holds({ values(of: $0, device) }) {
            matched += 1
            guard limit > 0, isID(of: device, between: after, and: end, isDescending) else { continue }
            found.append(view(ofDevice: device))
            guard found.count >= batch else { continue }
            DeviceTable.keep(&found, limit, isDescending)
            end = found.last?.id
        }
        DeviceTable.keep(&found, limit, isDescending)
        return ((found, matched), effects)
    }

    /// A device as it is; `nil` if it is not there.
    package mutating func viewIfThere(
        of id: String, at now: Instant, clock: (String) -> Instant
    ) -> Reading<DeviceView>? {
        guard let device = find(id: id) else { return nil }
        _ = settled(device, at: now, clock)
        return (view(ofDevice: device), takeEffects())
    }

    /// The ids of the devices that pass a filter, in no order; looks at every device of the shard.
    package mutating func ids(
        where filter: DeviceFilter, at now: Instant, clock: (String) -> Instant
    ) -> Reading<[String]> {
        let effects = advance(to: now, clock: clock)
        let ids = devices.places.filter { device in filter.holds { values(of: $0, device) } }.map { id(of: $0) }
        return (ids, effects)
    }

    private func values(of key: DeviceFilterKey, _ device: Int32) -> [String] {
        var slots: [Int32] { tokens.slots(of: devices[device]) }
        return switch key {
        case .device: [id(of: device)]
        case .scope: [devices.scope(of: device) ?? ""]
        case .user: [devices.traits(of: device).user ?? ""]
        case .topic: slots.map(tokens.topicText)
        case .token: slots.filter { !tokens[$0].state.lacksToken }.map { tokens[$0].token.hex }
        case .environment:
            slots.isEmpty
                ? [devices.traits(of: device).environment.rawValue] : slots.map { tokens[$0].environment.rawValue }
        case .platform: [devices.traits(of: device).platform.rawValue]
        case .power: [devices[device].power.rawValue]
        case .online: ["\(devices[device].isOnline)"]
        case .named: ["\(devices[device].id != nil)"]
        }
    }

    private func isID(
        of device: Int32, between after: String?, and end: String?, _ isDescending: Bool
    ) -> Bool {
        guard after != nil || end != nil else { return true }
        let id = id(of: device)
        let (least, most) = isDescending ? (end, after) : (after, end)
        return least.map { id > $0 } ?? true && most.map { id < $0 } ?? true
    }

    private static func keep(_ found: inout [DeviceView], _ limit: Int, _ isDescending: Bool) {
        found.sort { isDescending ? $0.id > $1.id : $0.id < $1.id }
        if found.count > limit { found.removeSubrange(limit...) }
    }

    package func scopeCounts() -> [String: Int] {
        devices.places.compactMap { devices.scope(of: $0) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    func view(ofDevice device: Int32) -> DeviceView {
        let slots = tokens.slots(of: devices[device])
        let activities = devices[device].detail.value?.activities.all ?? []
        let waiting = slots.flatMap { tokens[$0].detail.value?.waiting.all ?? [] }
        let stored = waiting.count { $0.place == .stored }
        let inbox = devices[device].inbox
        return DeviceView(
            id: id(of: device), isNamed: devices[device].id != nil, scope: devices.scope(of: device),
            traits: devices.traits(of: device), isOnline: devices[device].isOnline,
            power: devices[device].power, screen: devices[device].screenSettings,
            registrations: slots.filter { tokens.activity(of: $0) == nil }.map { view(ofRegistration: $0) },
            activities: activities, storedCount: stored,
            deferredCount: waiting.count - stored, inboxCount: inbox.count, inboxDropped: inbox.dropped,
            inboxLast: inbox.last)
    }

    func view(ofRegistration slot: Int32) -> RegistrationView {
        let registration = tokens[slot]
        let detail = registration.detail.value
        return RegistrationView(
            topic: tokens.topicText(of: slot), token: registration.state.lacksToken ? nil : registration.token,
            environment: registration.environment, state: registration.state, since: registration.since,
            endedAt: detail?.unregistration?.endedAt, noticedAt: detail?.unregistration?.noticedAt,
            app: detail?.app ?? AppSettings())
    }
}
