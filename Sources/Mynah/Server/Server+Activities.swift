internal import APNsRules
package import MynahCore

/// The Live Activities of devices (`DeviceBehaviour#Live-Activities`). Calls throw ``InputError`` if there is no such
/// device, app or activity.
extension Server {
    /// A device's activities, newest first, including dismissed ones.
    package func activities(of id: String) async throws(InputError) -> [LiveActivity] {
        try fleet.activities(of: id, at: await look())
    }

    /// The running activities by which a device is subscribed to channels, newest first.
    package func subscriptions(of id: String) async throws(InputError) -> [LiveActivity] {
        try await activities(of: id).filter { $0.isRunning && $0.channel != nil }
    }
}
