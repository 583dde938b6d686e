package import APNsRules

// What the devices tell; each method first does what has fallen due.
extension DeviceTable {
    /// What was read, and what reading brought up to date.
    package struct Reading<Value: Sendable>: Sendable {
        /// What was read.
        package let value: Value
        /// What had fallen due, for the journal.
        package let effects: Effects
    }

    /// A part of a list of devices.
    package struct Page: Sendable {
        /// The devices, by id.
        package let devices: [DeviceView]
        /// How many devices the filter holds for, before and behind this part, too.
        package let matched: Int
    }

    /// What arrived on a device.
    package struct InboxView: Sendable, Equatable {
        /// In the order of arrival.
        package let items: [InboxItem]
        /// How many older ones went to make room.
        package let dropped: UInt64
    }

    /// A device.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package mutating func view(
        of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Reading<DeviceView> {
        let (device, effects) = try settled(id, at: now, clock)
        return Reading(value: view(ofDevice: device), effects: effects)
    }

    /// What arrived on a device.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package mutating func inbox(
        of id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Reading<InboxView> {
        let (device, effects) = try settled(id, at: now, clock)
        let inbox = devices[device].inbox
        return Reading(value: InboxView(items: inbox.items, dropped: inbox.dropped), effects: effects)
    }

    /// The scope of a device, `nil` for the server's clock.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package func scope(of id: String) throws(DeviceError) -> String? {
        guard let device = find(id: id) else { throw .noDevice(id) }
        return scopeName(device)
    }

    /// The id and scope of a token's device.
    package func owner(of token: DeviceToken) -> (id: String, scope: String?)? {
        guard let slot = find(token) else { return nil }
        let device = registrations[slot].device
        return (id(of: device), scopeName(device))
    }

    /// Whether there is a device with an id.
    package func has(id: String) -> Bool { find(id: id) != nil }

    /// Whose a token is; `nil` for one that nobody named, or that is not known here.
    package func label(of token: DeviceToken) -> DeviceLabel? {
        guard let slot = find(token) else { return nil }
        let device = registrations[slot].device
        return devices[device].id.map { DeviceLabel(device: $0, scope: scopeName(device)) }
    }

    /// The shard of a token's device, when that is another one.
    package func alias(of token: DeviceToken) -> Int? { aliases[token] }

    /// The devices whose id comes after another and for which a filter holds, by id.
    ///
    /// Looks at every device of the shard; the order and the cursor hold while devices come and go.
    package mutating func list(
        after: String? = nil, limit: Int, where filter: DeviceFilter = DeviceFilter(), at now: Instant,
        clock: (String) -> Instant
    ) -> Reading<Page> {
        let effects = advance(to: now, clock: clock)
        var found: [DeviceView] = []
        var matched = 0
        // Twice the limit, so that sorting is seldom; ids behind the last one kept need not be looked at.
        let batch = max(64, 2 * min(limit, Int.max / 2))
        var end: String?
        for device in 0..<devices.end where devices[device].isOccupied {
            guard mayHold(filter, device) else { continue }
            let seen = filter.needsView ? view(ofDevice: device) : nil
            if let seen, !filter.holds(seen) { continue }
            matched += 1
            guard limit > 0, !isOutside(device, after: after, end: end) else { continue }
            found.append(seen ?? view(ofDevice: device))
            guard found.count >= batch else { continue }
            DeviceTable.keep(&found, limit)
            end = found.last?.id
        }
        DeviceTable.keep(&found, limit)
        return Reading(value: Page(devices: found, matched: matched), effects: effects)
    }

    /// Whether a filter may hold, by what can be told without looking at a device's apps and its description.
    private func mayHold(_ filter: DeviceFilter, _ device: Int32) -> Bool {
        filter.holds { key in
            switch key {
            case .scope: [scopeName(device) ?? ""]
            case .named: ["\(devices[device].id != nil)"]
            case .online: ["\(devices[device].isOnline)"]
            case .power: [devices[device].power.rawValue]
            case .device, .topic, .token, .environment, .platform: nil
            }
        }
    }

    private func isOutside(_ device: Int32, after: String?, end: String?) -> Bool {
        guard after != nil || end != nil else { return false }
        let id = id(of: device)
        return after.map { id <= $0 } ?? false || end.map { id >= $0 } ?? false
    }

    private static func keep(_ found: inout [DeviceView], _ limit: Int) {
        found.sort { $0.id < $1.id }
        if found.count > limit { found.removeSubrange(limit...) }
    }

    /// The scopes that have devices, and how many.
    package func scopeCounts() -> [String: Int] {
        var counts: [String: Int] = [:]
        for device in 0..<devices.end where devices[device].isOccupied && devices[device].scope != 0 {
            counts[scopes[devices[device].scope], default: 0] += 1
        }
        return counts
    }

    private mutating func settled(
        _ id: String, at now: Instant, _ clock: (String) -> Instant
    ) throws(DeviceError) -> (device: Int32, effects: Effects) {
        guard let device = find(id: id) else { throw .noDevice(id) }
        var effects = Effects()
        settle(device, to: time(of: device, now, clock), &effects)
        return (device, effects)
    }

    // MARK: - Views

    func view(ofDevice device: Int32) -> DeviceView {
        let slots = slots(of: device)
        let waiting = slots.flatMap { registrations[$0].rare.value?.waiting ?? [] }
        let stored = waiting.count { $0.place == .stored }
        let inbox = devices[device].inbox
        return DeviceView(
            id: id(of: device), isNamed: devices[device].id != nil, scope: scopeName(device),
            traits: traits[devices[device].traits], isOnline: devices[device].isOnline,
            power: devices[device].power, focus: devices[device].rare.value?.focus,
            registrations: slots.map { view(ofRegistration: $0) }, storedCount: stored,
            deferredCount: waiting.count - stored, inboxCount: inbox.count, inboxDropped: inbox.dropped)
    }

    func view(ofRegistration slot: Int32) -> RegistrationView {
        let detail = registrations[slot].rare.value
        let state = registrations[slot].state
        return RegistrationView(
            topic: topicText(slot), token: state.lacksToken ? nil : registrations[slot].token,
            environment: registrations[slot].environment, state: state, since: registrations[slot].since,
            endedAt: detail?.endedAt, noticedAt: detail?.noticedAt, app: detail?.app ?? AppSettings())
    }
}

extension InputError {
    static func noDevice(_ id: String) -> InputError { InputError(.notFound, "there is no device \(id)") }
}
