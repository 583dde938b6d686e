public import APNsRules
internal import MynahCore

/// A Live Activity on a device (`DeviceBehaviour#Live-Activities`).
public struct DeviceActivity: Sendable, Identifiable {
    /// ActivityKit's states.
    public enum State: String, Sendable {
        /// It takes updates.
        case active
        /// It takes updates, and its content is out of date.
        case stale
        /// It is on the lock screen with its last content.
        case ended
        /// It is no longer shown.
        case dismissed
    }

    /// How the provider updates an activity that its app starts.
    public enum PushType: Sendable {
        /// By a token of its own.
        case token
        /// By broadcasts to a channel, by its id.
        case channel(String)

        /// By broadcasts to a channel.
        public static func channel(_ id: ChannelID) -> Self { .channel(id.text) }
        /// By broadcasts to a channel.
        public static func channel(_ channel: ChannelView) -> Self { .channel(channel.id.text) }
    }

    /// Unique on its device.
    public let id: String
    /// Its state.
    public let state: State
    /// All members, as `GET …/activities/{id}` prints them: also the history, the dates and others.
    public let document: JSONValue
    /// The app's topic for Live Activities.
    public var topic: String { document["topic"]?.string ?? "" }
    /// The name of the type of its attributes; `nil` if a push to an unknown token told of it.
    public var attributesType: String? { document["attributesType"]?.string }
    /// What stays the same while it runs.
    public var attributes: JSONValue { document["attributes"] ?? .null }
    /// What it shows.
    public var contentState: JSONValue { document["contentState"] ?? .null }
    /// The token with which it is updated, if it has one.
    public var token: DeviceToken? { document["token"]?.string.flatMap { DeviceToken($0, byteCounts: 1...100) } }
    /// The broadcast channel that it follows.
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
    /// Its Live Activities, newest first, with those that are dismissed.
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

    /// Starts a Live Activity, as its app does.
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
    // An id that isn't a number is of no activity.
    fileprivate var number: Int32 { Int32(id) ?? 0 }
}
