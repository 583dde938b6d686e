public import APNsRules
package import MynahCore

/// A broadcast channel of an app (`Documents#Channels`); a snapshot, which later changes of the channel don't affect.
public struct ChannelView: Sendable {
    package let channel: BroadcastChannel
    /// How many running Live Activities follow it.
    public let followerCount: Int
    /// Until when it keeps its most recent message; `nil` if it keeps none.
    public let storedUntil: Instant?

    package var json: JSONValue {
        [
            "id": .string(channel.id.text), "bundleId": .string(channel.owner.bundleID),
            "environment": .string(channel.owner.environment.rawValue),
            "messageStoragePolicy": .whole(channel.policy.rawValue), "createdAt": .string(channel.createdAt.rfc3339),
            "broadcasts": .whole(channel.broadcastCount), "followers": .whole(followerCount),
            "storedUntil": .text(storedUntil?.rfc3339),
        ]
    }
}
