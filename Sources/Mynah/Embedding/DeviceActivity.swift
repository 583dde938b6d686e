public import APNsRules
internal import MynahCore

/// A Live Activity on a device (`DeviceBehaviour#Live-Activities`).
public struct DeviceActivity: Sendable, Identifiable {
    /// ActivityKit's states.
    public enum State: String, Sendable {
        /// The activity takes updates.
        case active
        /// The activity takes updates, and its content is out of date.
        case stale
        /// The activity has ended, and is on the lock screen with its last content.
        case ended
        /// The activity is no longer shown.
        case dismissed
    }

    /// How the provider updates an activity that its app starts.
    public enum PushType: Sendable {
        /// Updated by pushes to a token of its own.
        case token
        /// Updated by broadcasts to the channel with this id.
        case channel(String)

        /// Updated by broadcasts to the channel with this id.
        public static func channel(_ id: ChannelID) -> Self { .channel(id.text) }
        /// Updated by broadcasts to this channel.
        public static func channel(_ channel: ChannelView) -> Self { .channel(channel.id.text) }
    }

    /// The activity's id, unique on its device.
    public let id: String
    /// The activity's state.
    public let state: State
    /// All members of the activity as `GET …/activities/{id}` prints them, also the history and the dates.
    public let document: JSONValue
    /// The app's topic for Live Activities.
    public var topic: String { document["topic"]?.string ?? "" }
    /// The name of the type of its attributes; `nil` if a push to an unknown token told of it.
    public var attributesType: String? { document["attributesType"]?.string }
    /// The attributes, which stay the same while the activity runs.
    public var attributes: JSONValue { document["attributes"] ?? .null }
    /// The content that the activity shows.
    public var contentState: JSONValue { document["contentState"] ?? .null }
    /// The token with which the activity is updated, if it has one.
    public var token: DeviceToken? { document["token"]?.string.flatMap { DeviceToken($0, byteCounts: 1...100) } }
    /// The broadcast channel that the activity follows.
    public var channel: String? { document["channel"]?.string }

    init?(_ document: JSONValue) {
        guard let id = document["id"]?.string, let state = document["state"]?.string.flatMap({ State(rawValue: $0) })
        else { return nil }
        self.id = id
        self.state = state
        self.document = document
    }

    init(_ activity: LiveActivity) {
        let state: State =
            switch activity.state {
            case .active: .active
            case .stale: .stale
            case .ended: .ended
            case .dismissed: .dismissed
            }
        id = activity.id
        self.state = state
        document = activity.json
    }
}

extension SimulatedDevice {
    /// The device's Live Activities, newest first, including dismissed ones.
    public func activities() async throws(MynahError) -> [DeviceActivity] {
        try await MynahError.converting { try await server.running.activities(of: id) }.map { DeviceActivity($0) }
    }

    /// Starts a Live Activity, as its app does; `topic` ends with `.push-type.liveactivity`, and without a push type its
    /// app alone updates it.
    @discardableResult
    public func startActivity(
        _ attributesType: String, of topic: String, attributes: JSONValue = [:], contentState: JSONValue = [:],
        pushType: DeviceActivity.PushType? = .token
    ) async throws(MynahError) -> DeviceActivity {
        try await startActivity(
            NewActivity(
                attributesType, of: topic, attributes: attributes, contentState: contentState, pushType: pushType))
    }

    /// Starts a Live Activity on the device, as its app does.
    @discardableResult
    public func startActivity(_ activity: NewActivity) async throws(MynahError) -> DeviceActivity {
        let specification = try activity.specification()
        return DeviceActivity(try await server.change { try await $0.startActivity(on: id, specification) })
    }

    /// Updates or ends a Live Activity as its app does, by the members of `PATCH …/activities/{id}`:
    /// `["contentState": …]`, `["state": "ended"]`.
    @discardableResult
    public func changeActivity(
        _ activity: DeviceActivity, _ members: JSONValue
    ) async throws(MynahError) -> DeviceActivity {
        DeviceActivity(
            try await server.change {
                try await $0.changeActivity(activity.number, of: id, try ActivityPatch(json: members))
            })
    }

    /// Takes a Live Activity off the screen, as its user does.
    public func dismiss(_ activity: DeviceActivity) async throws(MynahError) {
        try await server.change { try await $0.dismissActivity(activity.number, of: id) }
    }
}

extension DeviceActivity {
    // No activity has an id that isn't a number.
    fileprivate var number: Int32 { Int32(id) ?? 0 }
}
