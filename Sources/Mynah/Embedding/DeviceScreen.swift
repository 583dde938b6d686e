public import APNsRules
public import MynahCore

/// A push that arrived on a device.
public typealias ArrivedPush = DeviceInbox.Item

extension DeviceInbox.Item {
    /// The push; `nil` if it is no longer in the journal.
    public var push: ReceivedPush? { entry.map(PushView.init) }
}

/// What the user of a device sees (`DeviceBehaviour#What-the-user-sees`).
public struct DeviceScreen: Sendable {
    /// A notification.
    public struct Notification: Sendable {
        /// The sequence number of the push that the notification shows.
        public let sequence: UInt64
        /// The app.
        public let topic: String
        /// The identifier by which the app removes the notification: the collapse id, without one the `apns-id`.
        public var identifier: String { document["identifier"]?.string ?? "" }
        /// All members of the notification as `GET …/screen` prints them, also sound, actions and interruption level.
        public let document: JSONValue
        /// The first line.
        public var title: String? { document["title"]?.string }
        /// The second line.
        public var subtitle: String? { document["subtitle"]?.string }
        /// The text.
        public var body: String? { document["body"]?.string }
        /// The thread that the notification is grouped by.
        public var threadID: String? { document["threadId"]?.string }
        /// The notification's category, which determines its actions.
        public var category: String? { document["category"]?.string }
        /// Who sent it, in place of the app's name: a communication notification's, from a service extension.
        public var sender: String? { document["sender"]?.string }
        /// Whether the notification's banner is on the paired watch instead of the phone.
        public var isOnWatch: Bool { document["onWatch"]?.bool == true }

        init?(_ document: JSONValue) {
            guard let sequence = document["sequence"]?.integer, let topic = document["topic"]?.string
            else { return nil }
            self.sequence = UInt64(sequence)
            self.topic = topic
            self.document = document
        }
    }

    /// The notifications, the top of the screen first.
    public let notifications: [Notification]
    /// The Live Activities on the screen, the most relevant first; dismissed ones are left out.
    public let activities: [DeviceActivity]
    /// The numbers on the apps' icons, by topic; an app without one is not there.
    public let badges: [String: Int]
    /// The pushes that were heard, with an alert or without, the first one first.
    public let soundedSequences: [UInt64]
    /// The whole screen as `GET …/screen` prints it.
    public let document: JSONValue

    init(_ document: JSONValue) {
        self.document = document
        notifications = (document["notifications"]?.array ?? []).compactMap { Notification($0) }
        activities = (document["activities"]?.array ?? []).compactMap { DeviceActivity($0) }
        soundedSequences = (document["sounds"]?.array ?? []).compactMap { sound in
            sound["sequence"]?.integer.flatMap { UInt64(exactly: $0) }
        }
        badges = (document["badges"]?.object ?? []).reduce(into: [:]) { badges, badge in
            if let number = badge.value.integer { badges[badge.name] = Int(number) }
        }
    }
}

extension SimulatedDevice {
    /// The pushes that arrived on the device, in the order of arrival.
    public func inbox() async throws(MynahError) -> [ArrivedPush] {
        try await MynahError.converting { try await server.running.inbox(of: id).items }
    }

    /// What the device's user sees.
    public func screen() async throws(MynahError) -> DeviceScreen {
        DeviceScreen(try await MynahError.converting { try await server.running.screen(of: id) })
    }

    /// Acts on a notification: `default` taps it, `dismiss` dismisses it, and the id of one of its category's actions
    /// chooses that action, with the text that the user types if it takes one; returns what the app receives, `null`
    /// for a dismissal that it did not ask for.
    @discardableResult
    public func act(
        on notification: DeviceScreen.Notification, _ action: String = "default", text: String? = nil
    ) async throws(MynahError) -> JSONValue {
        let sequence = notification.sequence
        return try await server.change { try await $0.act(on: id, sequence: sequence, action: action, text: text) }
    }

    /// Removes the notifications of the device's apps, or of one app, as that app or the user does, and returns how
    /// many.
    ///
    /// With `identifiers` it removes only those (``DeviceScreen/Notification/identifier``). No app is told. It throws for
    /// an app that is not on the device.
    @discardableResult
    public func clearNotifications(
        of topic: String? = nil, identifiers: [String]? = nil
    ) async throws(MynahError) -> Int {
        if let identifiers, identifiers.isEmpty { return 0 }
        let parameters = (topic.map { [("topic", $0)] } ?? []) + (identifiers ?? []).map { ("identifier", $0) }
        return try await server.change {
            try await $0.clearScreen(
                of: id, where: ScreenFilter(parameters: parameters.map { (name: $0, value: $1) }))
        }
    }

    /// Sets the number on an app's icon, as the app does; 0 removes it.
    public func setBadge(_ badge: Int, of topic: String) async throws(MynahError) {
        let badges = JSONValue.object([JSONMember(topic, .number(JSONNumber(badge)))])
        _ = try await server.change { try await $0.changeScreen(of: id, ScreenPatch(json: ["badges": badges])) }
    }
}
