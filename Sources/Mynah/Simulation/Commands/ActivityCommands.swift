package import APNsRules
package import MynahCore

/// Starts an activity, as its app does.
struct StartActivity: Command {
    let device: String
    let specification: ActivitySpecification

    func apply(to simulation: Simulation) throws(InputError) -> LiveActivity {
        let started = try simulation.devices.read(device) { table, time throws(InputError) in
            try table.startActivity(specification, on: device, at: time.now, clock: time.now(ofScope:))
        }
        try simulation.settleAndRecordChange(of: device)
        return started
    }
}

extension Server {
    /// Starts an activity, as its app does.
    package func startActivity(
        on id: String, _ specification: ActivitySpecification
    ) async throws(InputError) -> LiveActivity {
        try await perform(StartActivity(device: id, specification: specification))
    }
}

/// Updates or ends an activity, as its app does.
struct ChangeActivity: Command {
    let device: String
    let number: Int32
    let patch: ActivityPatch

    func apply(to simulation: Simulation) throws(InputError) -> LiveActivity {
        let changed = try simulation.devices.read(device) { table, time throws(InputError) in
            try table.changeActivity(number, of: device, patch, at: time.now, clock: time.now(ofScope:))
        }
        try simulation.settleAndRecordChange(of: device)
        return changed
    }
}

extension Server {
    /// Updates or ends an activity, as its app does.
    package func changeActivity(
        _ number: Int32, of id: String, _ patch: ActivityPatch
    ) async throws(InputError) -> LiveActivity {
        try await perform(ChangeActivity(device: id, number: number, patch: patch))
    }
}

/// Takes an activity off the screen, as its user does.
struct DismissActivity: Command {
    let device: String
    let number: Int32

    func apply(to simulation: Simulation) throws(InputError) {
        try simulation.devices.change(device) { table, time throws(InputError) in
            try table.dismissActivity(number, of: device, at: time.now, clock: time.now(ofScope:))
        }
        try simulation.settleAndRecordChange(of: device)
    }
}

extension Server {
    /// Takes an activity off the screen, as its user does.
    package func dismissActivity(_ number: Int32, of id: String) async throws(InputError) {
        try await perform(DismissActivity(device: id, number: number))
    }
}

/// Subscribes a device to a channel, by an activity that its app starts.
struct Subscribe: Command {
    let device: String
    let specification: SubscriptionSpecification

    func apply(to simulation: Simulation) throws(InputError) -> LiveActivity {
        _ = try simulation.devices.view(of: device, at: simulation.settle())
        let owner = simulation.channels.read { $0.channel(specification.channel)?.owner }
        let activity = try specification.activity(inChannelOf: owner)
        return try StartActivity(device: device, specification: activity).apply(to: simulation)
    }
}

extension Server {
    /// Subscribes a device to a channel, by an activity that its app starts.
    package func subscribe(
        _ id: String, _ specification: SubscriptionSpecification
    ) async throws(InputError) -> LiveActivity {
        try await perform(Subscribe(device: id, specification: specification))
    }
}

/// Dismisses the activities by which a device is subscribed to a channel, as its user does; returns how many.
struct Unsubscribe: Command {
    let device: String
    let channel: ChannelID

    func apply(to simulation: Simulation) throws(InputError) -> Int {
        let activities = try simulation.devices.activities(of: device, at: simulation.settle())
        let subscriptions = activities.filter { $0.isRunning && $0.channel == channel.text }
        guard !subscriptions.isEmpty else {
            throw InputError.missing("channel", "\(device) is not subscribed to the channel \(channel.text)")
        }
        for activity in subscriptions {
            try DismissActivity(device: device, number: activity.number).apply(to: simulation)
        }
        return subscriptions.count
    }
}

extension Server {
    /// Dismisses the activities by which a device is subscribed to a channel, as its user does; returns how many.
    package func unsubscribe(_ id: String, from channel: ChannelID) async throws(InputError) -> Int {
        try await perform(Unsubscribe(device: id, channel: channel))
    }
}

/// Starts an activity on each device that a filter matches, as their apps do, where that is possible; the first
/// ``eventsMax`` devices are an event each.
struct StartActivities: Command {
    static let eventsMax = 1000
    let filter: DeviceFilter
    let specification: ActivitySpecification

    func apply(to simulation: Simulation) -> DeviceTable.ActivityChanges {
        let (changes, followers) = simulation.devices.startActivities(where: filter, specification)
        if let channel = specification.pushType?.channel { simulation.channels.catchUp(followers, on: channel) }
        simulation.recordChanges(changes)
        return changes
    }
}

extension Server {
    /// Starts an activity on each device that a filter matches, as their apps do, where that is possible; the first
    /// ``StartActivities/eventsMax`` devices are an event each.
    package func startActivities(
        where filter: DeviceFilter, _ specification: ActivitySpecification
    ) async throws(InputError) -> DeviceTable.ActivityChanges {
        try await perform(StartActivities(filter: filter, specification: specification))
    }
}

/// Takes the activities that a filter matches, of the devices that another one matches, off the screen, as their users
/// do; returns how many; the first ``StartActivities/eventsMax`` devices are an event each.
struct DismissActivities: Command {
    let activities: ActivityFilter
    let devices: DeviceFilter

    func apply(to simulation: Simulation) -> Int {
        let changes = simulation.devices.dismissActivities(where: activities, of: devices).all
        simulation.recordChanges(changes)
        return changes.places.count
    }
}

extension Server {
    /// Takes the activities that a filter matches, of the devices that another one matches, off the screen, as their
    /// users do; returns how many; the first ``StartActivities/eventsMax`` devices are an event each.
    package func dismissActivities(
        where activities: ActivityFilter, of devices: DeviceFilter
    ) async throws(InputError) -> Int {
        try await perform(DismissActivities(activities: activities, devices: devices))
    }
}

extension Simulation {
    fileprivate func recordChanges(_ changes: DeviceTable.ActivityChanges) {
        let time = settle()
        for id in changes.devices.sorted().prefix(StartActivities.eventsMax) {
            // A device that has been removed since is an event already.
            guard let view = devices.viewIfThere(of: id, at: time) else { continue }
            events.record(.device(view.json, .changed))
        }
    }
}

extension CommandKind {
    static let activities: Numbered = [
        18: StartActivity.self,
        19: ChangeActivity.self,
        20: DismissActivity.self,
        21: Subscribe.self,
        22: Unsubscribe.self,
        23: StartActivities.self,
        24: DismissActivities.self,
    ]
}
