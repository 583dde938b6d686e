public import APNsRules
package import MynahCore

/// A broadcast channel of an app (`Documents#Channels`); a snapshot, which later changes of the channel don't affect.
public struct ChannelView: Sendable {
    package let channel: BroadcastChannel
    /// How many running Live Activities follow the channel.
    public let followerCount: Int
    /// Until when the channel keeps its most recent message; `nil` if it keeps none.
    public let storedUntil: Instant?

    package var json: JSONValue { .object(ChannelView.fields.members(of: self)) }

    package static let fields: Fields<ChannelView> = [
        Field(shown: "id", .anyText, "16 bytes in standard base64.") { .string($0.channel.id.text) },
        Field(shown: "bundleId", .anyText, "The app's bundle ID.") { .string($0.channel.owner.bundleID) },
        Field(shown: "environment", APNsEnvironment.form, "The environment of APNs.") {
            $0.channel.owner.environment.json
        },
        Field(shown: "messageStoragePolicy", .integer(0...1), "Whether it stores the most recent message.") {
            .whole($0.channel.policy.rawValue)
        },
        Field(shown: "createdAt", .time, "By the server's clock.") { .string($0.channel.createdAt.rfc3339) },
        Field(shown: "broadcasts", .whole, "Accepted so far.") { .whole($0.channel.broadcastCount) },
        Field(shown: "followers", .whole, "Running Live Activities that follow it, on all devices.") {
            .whole($0.followerCount)
        },
        Field(
            shown: "storedUntil", .nullable(.time),
            "Until when it keeps its most recent message; null if it keeps none."
        ) {
            .text($0.storedUntil?.rfc3339)
        },
    ]
}
