package import APNsRules
package import MynahCore

/// The Live Activities of devices (`DeviceBehaviour#Live-Activities`). Calls throw ``InputError`` if there is no such
/// device, app or activity.
extension Server {
    /// A device's activities, newest first, with those that are dismissed.
    package func activities(of id: String) async throws(InputError) -> [LiveActivity] {
        try fleet.activities(of: id, at: await look())
    }

    /// Starts an activity, as its app does.
    package func startActivity(
        on id: String, _ specification: ActivitySpecification
    ) async throws(InputError) -> LiveActivity {
        try await perform(StartActivity(device: id, specification: specification))
    }

    /// Updates or ends an activity, as its app does.
    package func changeActivity(
        _ number: Int32, of id: String, _ patch: ActivityPatch
    ) async throws(InputError) -> LiveActivity {
        try await perform(ChangeActivity(device: id, number: number, patch: patch))
    }

    /// Takes an activity off the screen, as its user does.
    package func dismissActivity(_ number: Int32, of id: String) async throws(InputError) {
        try await perform(DismissActivity(device: id, number: number))
    }

    /// The running activities by which a device is subscribed to channels, newest first.
    package func subscriptions(of id: String) async throws(InputError) -> [LiveActivity] {
        try await activities(of: id).filter { $0.isRunning && $0.channel != nil }
    }

    /// Subscribes a device to a channel, by an activity that its app starts.
    package func subscribe(
        _ id: String, _ specification: SubscriptionSpecification
    ) async throws(InputError) -> LiveActivity {
        try await perform(Subscribe(device: id, specification: specification))
    }

    /// Dismisses the activities by which a device is subscribed to a channel, as its user does; returns how many.
    package func unsubscribe(_ id: String, from channel: ChannelID) async throws(InputError) -> Int {
        try await perform(Unsubscribe(device: id, channel: channel))
    }

    /// Starts an activity on each device that a filter matches, as their apps do, where that is possible; the first
    /// ``StartActivities/eventsMax`` devices are an event each.
    package func startActivities(
        where filter: DeviceFilter, _ specification: ActivitySpecification
    ) async throws(InputError) -> DeviceTable.ActivityChanges {
        try await perform(StartActivities(filter: filter, specification: specification))
    }

    /// Takes the activities that a filter matches, of the devices that another one matches, off the screen, as their
    /// users do; returns how many; the first ``StartActivities/eventsMax`` devices are an event each.
    package func dismissActivities(
        where activities: ActivityFilter, of devices: DeviceFilter
    ) async throws(InputError) -> Int {
        try await perform(DismissActivities(activities: activities, devices: devices))
    }
}
