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

    /// The first devices of a list that pass a filter, and how many pass it in all; looks at every device of the shard.
    ///
    /// Only devices after `start` and before `end` are listed, so that paging works while devices come and go.
    package mutating func list(
        in order: DeviceOrder = DeviceOrder(), after start: DevicePlace? = nil, before end: DevicePlace? = nil,
        limit: Int, where filter: DeviceFilter = DeviceFilter(), at now: Instant, clock: (String) -> Instant
    ) -> Reading<(devices: [DeviceView], matched: Int)> {
        let effects = advance(to: now, clock: clock)
        var found: [(place: DevicePlace, device: Int32)] = []
        func keepFirst() {
            found.sort { order.isBefore($0.place, $1.place) }
            if found.count > limit { found.removeSubrange(limit...) }
        }
        var matched = 0
        // Twice the limit, so that sorting is rare; devices after the last one that is kept are skipped.
        let batch = max(64, 2 * min(limit, Int.max / 2))
        var end = end
        for device in places(where: filter) {
            matched += 1
            let last = devices[device].inbox.last ?? 0
            // Decides most devices without the ID, which takes longer to make.
            guard limit > 0, end.map({ !order.isAfter(last, $0) }) ?? true else { continue }
            let place = DevicePlace(id: id(of: device), last: last)
            guard start.map({ order.isBefore($0, place) }) ?? true, end.map({ order.isBefore(place, $0) }) ?? true
            else { continue }
            found.append((place, device))
            guard found.count >= batch else { continue }
            keepFirst()
            end = found.last?.place
        }
        keepFirst()
        return ((found.map { view(ofDevice: $0.device) }, matched), effects)
    }

    /// A view of a device at a time; `nil` if there is no such device.
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
        return (places(where: filter).map { id(of: $0) }, effects)
    }

    // Not mutating: a closure in a mutating method copies the table for each device.
    private func places(where filter: DeviceFilter) -> [Int32] {
        filter == DeviceFilter()
            ? devices.places : devices.places.filter { device in filter.holds { values(of: $0, device) } }
    }

    private func values(of key: DeviceFilterKey, _ device: Int32) -> [String] {
        var slots: [Int32] { tokens.slots(of: devices[device]) }
        return switch key {
        case .own(.device): [id(of: device)]
        case .own(.fleet): [devices[device].id.flatMap(DeviceSpecification.fleet(ofID:)) ?? ""]
        case .own(.scope): [devices.scope(of: device) ?? ""]
        case .own(.topic): slots.map(tokens.topicText)
        case .own(.token): slots.filter { !tokens[$0].state.lacksToken }.map { tokens[$0].token.hex }
        case .own(.environment):
            slots.isEmpty
                ? [devices.traits(of: device).environment.rawValue] : slots.map { tokens[$0].environment.rawValue }
        case .own(.named): [devices[device].id == nil ? "false" : "true"]
        case .member(let name):
            (DeviceProfile.fields[name]?.filterValue(of: devices.profile(of: device))).map { [$0] } ?? []
        }
    }

    /// The shard's parts of the fleets, by ID; looks at every device of the shard.
    package func fleets() -> [String: DeviceFleetView] {
        var fleets: [String: DeviceFleetView] = [:]
        for device in devices.places {
            guard let id = devices[device].id.flatMap(DeviceSpecification.fleet(ofID:)) else { continue }
            fleets[id, default: DeviceFleetView(id: id)].add(count: 1, last: devices[device].inbox.last)
        }
        return fleets
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
            profile: devices.profile(of: device),
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
            app: detail?.app ?? AppSettings(), web: webAppView(of: slot))
    }
}
