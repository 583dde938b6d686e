package import APNsRules
package import MynahCore

/// The Live Activities of devices (`DeviceBehaviour#Live-Activities`). Calls throw ``InputError`` if there is no such
/// device, app or activity.
extension Server {
    /// The devices that are an event each when activities of many are changed.
    private static let changedEventsMax = 1000

    /// A device's activities, newest first, with those that are dismissed.
    package func activities(of id: String) async throws(InputError) -> [LiveActivity] {
        try fleet.read(id, at: core.look()) { table, time throws(InputError) in
            try table.activities(of: id, at: time.now, clock: time.now(ofScope:))
        }
    }

    /// Starts an activity, as its app does.
    package func startActivity(
        on id: String, _ specification: ActivitySpecification
    ) async throws(InputError) -> LiveActivity {
        let started = try fleet.read(id) { table, time throws(InputError) in
            try table.startActivity(specification, on: id, at: time.now, clock: time.now(ofScope:))
        }
        try await settleChange(of: id)
        return started
    }

    /// Updates or ends an activity, as its app does.
    package func changeActivity(
        _ number: Int32, of id: String, _ patch: ActivityPatch
    ) async throws(InputError) -> LiveActivity {
        let changed = try fleet.read(id) { table, time throws(InputError) in
            try table.changeActivity(number, of: id, patch, at: time.now, clock: time.now(ofScope:))
        }
        try await settleChange(of: id)
        return changed
    }

    /// Takes an activity off the screen, as its user does.
    package func dismissActivity(_ number: Int32, of id: String) async throws(InputError) {
        try fleet.change(id) { table, time throws(InputError) in
            try table.dismissActivity(number, of: id, at: time.now, clock: time.now(ofScope:))
        }
        try await settleChange(of: id)
    }

    /// The running activities by which a device is subscribed to channels, newest first.
    package func subscriptions(of id: String) async throws(InputError) -> [LiveActivity] {
        try await activities(of: id).filter { $0.isRunning && $0.channel != nil }
    }

    /// Subscribes a device to a channel, by an activity that its app starts.
    package func subscribe(
        _ id: String, _ specification: SubscriptionSpecification
    ) async throws(InputError) -> LiveActivity {
        _ = try await device(id)
        let owner = core.channels.read { $0.channel(specification.channel)?.owner }
        return try await startActivity(on: id, specification.activity(inChannelOf: owner))
    }

    /// Dismisses the activities by which a device is subscribed to a channel, as its user does; returns how many.
    package func unsubscribe(_ id: String, from channel: ChannelID) async throws(InputError) -> Int {
        let subscriptions = try await subscriptions(of: id).filter { $0.channel == channel.text }
        guard !subscriptions.isEmpty else {
            throw InputError.missing("channel", "\(id) is not subscribed to the channel \(channel.text)")
        }
        for activity in subscriptions { try await dismissActivity(activity.number, of: id) }
        return subscriptions.count
    }

    /// Starts an activity on each device that a filter matches, as their apps do, where that is possible; the first
    /// ``changedEventsMax`` devices are an event each.
    package func startActivities(
        where filter: DeviceFilter, _ specification: ActivitySpecification
    ) async -> DeviceTable.ActivityChanges {
        let (changes, followers) = await fleet.startActivities(where: filter, specification)
        if let channel = specification.pushType?.channel { core.channels.catchUp(followers, on: channel) }
        settle(changes)
        return changes
    }

    /// Takes the activities that a filter matches, of the devices that another one matches, off the screen, as their
    /// users do; returns how many; the first ``changedEventsMax`` devices are an event each.
    package func dismissActivities(where activities: ActivityFilter, of devices: DeviceFilter) async -> Int {
        let changes = await fleet.dismissActivities(where: activities, of: devices).all
        settle(changes)
        return changes.places.count
    }

    private func settle(_ changes: DeviceTable.ActivityChanges) {
        let time = core.look()
        for id in changes.devices.sorted().prefix(Server.changedEventsMax) {
            // A device that has been removed since is an event already.
            guard let view = fleet.view(of: id, at: time) else { continue }
            events.note(.device(view.json, .changed))
        }
    }
}
