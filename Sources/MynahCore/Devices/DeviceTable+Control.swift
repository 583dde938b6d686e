package import APNsRules

/// What changes of a device; absent members stay as they are.
package struct DevicePatch: Sendable, Equatable {
    /// What people call it.
    package var name: String?
    /// A language tag.
    package var locale: String?
    /// Whether APNs reaches it.
    package var isOnline: Bool?
    /// Its power.
    package var power: Power?
    /// The Focus that is on; the inner `nil` turns it off.
    package var focus: Focus??
    /// The system's version.
    package var osVersion: String?

    /// No change.
    package init() {}
}

/// What changes of a registration; absent members stay as they are.
package struct AppPatch: Sendable, Equatable {
    /// What the app is doing.
    package var appState: AppState?
    /// Background App Refresh.
    package var backgroundRefresh: Bool?
    /// Members of the app as its presentation has them, checked; `null` is back to the default.
    package private(set) var presentation: [JSONMember] = []

    /// No change.
    package init() {}

    /// Adds members of the presentation.
    ///
    /// - Throws: ``InputError`` whose field is a JSON pointer into an object of the members.
    mutating func add(_ members: [JSONMember]) throws(InputError) {
        var trial = AppPresentation()
        try trial.apply(.object(members))
        presentation += members
    }

    func apply(to app: inout AppSettings) {
        if let backgroundRefresh { app.backgroundRefresh = backgroundRefresh }
        do throws(InputError) {
            try app.presentation.apply(.object(presentation))
        } catch {
            // Each member is read by itself, whatever the app was before.
            preconditionFailure("members that were checked are refused: \(error)")
        }
        if let appState { app.appState = appState }
    }
}

// What happens to a device from outside, and with time.
extension DeviceTable {
    /// Changes a device; answers what that did to pushes that waited.
    ///
    /// Coming online delivers what is stored, in the order of acceptance, and lets apps have their tokens that
    /// registered without network; better power delivers what was held back.
    /// - Throws: ``DeviceError`` when there is no such device.
    package mutating func change(
        _ id: String, _ patch: DevicePatch, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Effects {
        guard let device = find(id: id) else { throw .noDevice(id) }
        let time = time(of: device, now, clock)
        var effects = Effects()
        settle(device, to: time, &effects)
        apply(patch, to: device, at: time, &effects)
        return effects
    }

    private mutating func apply(
        _ patch: DevicePatch, to device: Int32, at time: Instant, _ effects: inout Effects
    ) {
        if patch.name != nil || patch.locale != nil || patch.osVersion != nil {
            var changed = traits[devices[device].traits]
            changed.name = patch.name ?? changed.name
            changed.locale = patch.locale ?? changed.locale
            changed.osVersion = patch.osVersion ?? changed.osVersion
            traits.release(devices[device].traits)
            devices[device].traits = traits.retain(changed)
        }
        if let focus = patch.focus {
            devices[device].rare[orMaking: DeviceDetail()].focus = focus
        }
        let (wasOnline, power) = (devices[device].isOnline, devices[device].power)
        devices[device].isOnline = patch.isOnline ?? wasOnline
        devices[device].power = patch.power ?? power
        guard devices[device].isOnline else { return }
        if !wasOnline {
            for slot in slots(of: device) where registrations[slot].state == .waitingForNetwork {
                giveToken(slot, at: time, &effects)
            }
        }
        if !wasOnline || devices[device].power != power { reenterAll(device, at: time, &effects) }
    }

    /// Adds a live client to a device, which comes online if it was not; answers what that did to pushes that waited, or
    /// `nil` if the device was online.
    ///
    /// - Throws: ``DeviceError`` when there is no such device.
    package mutating func connect(
        _ client: UInt64, to id: String, at now: Instant, clock: (String) -> Instant
    ) throws(DeviceError) -> Effects? {
        guard let device = find(id: id) else { throw .noDevice(id) }
        devices[device].rare[orMaking: DeviceDetail()].clients.insert(client)
        return setOnline(true, device, at: time(of: device, now, clock))
    }

    /// Removes a live client from its device, which goes offline with the last one; answers what that did to pushes that
    /// waited, or `nil` if the device stays as it was.
    ///
    /// A device that was made anew under the id does not have the client.
    package mutating func disconnect(
        _ client: UInt64, from id: String, at now: Instant, clock: (String) -> Instant
    ) -> Effects? {
        guard let device = find(id: id), devices[device].rare.value?.clients.contains(client) == true else {
            return nil
        }
        devices[device].rare[orMaking: DeviceDetail()].clients.remove(client)
        guard devices[device].rare.value?.clients.isEmpty == true else { return nil }
        if devices[device].rare.value?.isEmpty == true { devices[device].rare.remove() }
        return setOnline(false, device, at: time(of: device, now, clock))
    }

    private mutating func setOnline(_ isOnline: Bool, _ device: Int32, at time: Instant) -> Effects? {
        guard devices[device].isOnline != isOnline else { return nil }
        var effects = Effects()
        settle(device, to: time, &effects)
        var patch = DevicePatch()
        patch.isOnline = isOnline
        apply(patch, to: device, at: time, &effects)
        return effects
    }

    /// Changes an app of a device, in the environment of the device where none is given.
    ///
    /// - Throws: ``DeviceError`` when there is no such device or registration.
    package mutating func change(
        _ id: String, topic: String, environment: APNsEnvironment? = nil, _ patch: AppPatch, at now: Instant,
        clock: (String) -> Instant
    ) throws(DeviceError) -> Effects {
        let (device, slot) = try current(id, topic, environment)
        let time = time(of: device, now, clock)
        var effects = Effects()
        settle(device, to: time, &effects)
        patch.apply(to: &registrations[slot].rare[orMaking: RegistrationDetail()].app)
        let appState = registrations[slot].rare.value?.app.appState
        let isRunning = appState == .foreground || appState == .background
        if isRunning, registrations[slot].state == .notLaunched { askForToken(slot, at: time, &effects) }
        // A force-quit app loses what its budget holds.
        if devices[device].isOnline { reenterAll(device, only: slot, at: time, &effects) }
        return effects
    }

    /// Does everything that has fallen due, on each scope's own clock.
    ///
    /// Touches only devices with something due; the answer is sorted by time and acceptance.
    ///
    /// - Parameter isAsked: the scopes whose devices are looked at; `nil` is asked for those of none.
    package mutating func advance(
        to now: Instant, clock: (String) -> Instant, on isAsked: (String?) -> Bool = { _ in true }
    ) -> Effects {
        var effects = Effects()
        // In any order, because of the sorting.
        for scope in Array(dues.keys) where isAsked(scope == 0 ? nil : scopes[scope]) {
            let time = scope == 0 ? now : clock(scopes[scope])
            while let item = dues[scope]?.heap.first, item.at <= time {
                dues[scope]?.heap.removeFirst()
                if isGood(item, scope) { settle(item.device, to: time, &effects) }
            }
        }
        effects.sort()
        return effects
    }

    /// When something falls due next by itself on the clocks for which `isAsked` holds; `nil` scope is the server's.
    package mutating func nextDue(on isAsked: (String?) -> Bool = { _ in true }) -> Instant? {
        nextDues().filter { isAsked($0.scope) }.map(\.at).min()
    }

    /// When something falls due next on the clock of each scope that has something due; `nil` is the server's.
    package mutating func nextDues() -> [(scope: String?, at: Instant)] {
        Array(dues.keys).compactMap { scope in
            while let item = dues[scope]?.heap.first, !isGood(item, scope) { dues[scope]?.heap.removeFirst() }
            return dues[scope]?.heap.first.map { (scope == 0 ? nil : scopes[scope], $0.at) }
        }
    }

    /// Gives a device a push without asking APNs' rules, as a fault that delivers late or twice does.
    ///
    /// `nil` when no device has the token or its app is gone.
    package mutating func redeliver(
        _ push: borrowing Push, sequence: UInt64, at now: Instant, clock: (String) -> Instant
    ) -> Decision? {
        guard let slot = find(push.token), registrations[slot].state == .active else { return nil }
        let device = registrations[slot].device
        let time = time(of: device, now, clock)
        var effects = Effects()
        settle(device, to: time, &effects)
        let entered = enter(push, sequence, slot, at: time, &effects)
        return decision(sequence, entered, at: time, device, push.token, effects)
    }
}
