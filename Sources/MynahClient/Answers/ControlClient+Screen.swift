// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/screen(of:)`` returns.
    public struct Screen: ControlAnswer, AnswerObject {
        /// The time of the screen, by the device's clock.
        public let at: Instant
        /// By topic, the number on the app's icon.
        public let badges: [String: Int]
        /// The top of the screen first.
        public let notifications: [ScreenNotification]
        /// The stacks of notifications, the top of the screen first.
        public let groups: [NotificationGroup]
        /// The notifications that came in a scheduled summary, by sequence, the most relevant first.
        public let summary: [Int]
        /// What waits for the scheduled summary.
        public let held: [ScreenHeld]
        /// The Live Activities on the screen, the most relevant first, of equally relevant ones the newest.
        public let activities: [LiveActivity]
        /// What woke apps in the background, oldest first.
        public let wakes: [Wake]
        /// The user's choices that apps were told of, oldest first.
        public let responses: [AppResponse]
        /// What was heard, oldest first.
        public let sounds: [PlayedSound]
        /// Notifications, wakes, responses and sounds replaced by newer ones, or evicted before the first look.
        public let evicted: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Screen"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            at = try answer.member("at")
            badges = try answer.member("badges")
            notifications = try answer.member("notifications")
            groups = try answer.member("groups")
            summary = try answer.member("summary")
            held = try answer.member("held")
            activities = try answer.member("activities")
            wakes = try answer.member("wakes")
            responses = try answer.member("responses")
            sounds = try answer.member("sounds")
            evicted = try answer.member("evicted")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/Screen/notifications``.
    public struct ScreenNotification: ControlAnswer, AnswerObject {
        /// The push's sequence number.
        public let sequence: Int
        /// The push's apns-id.
        public let apnsID: String
        /// The collapse id, without one the apns-id.
        public let identifier: String
        /// The topic.
        public let topic: String
        /// `nil` for an alert that is a string: its text is the body.
        public let title: String?
        /// The second line; `nil` for none.
        public let subtitle: String?
        /// The text; `nil` for none.
        public let body: String?
        /// Whether title, subtitle, body, sender and attachments are hidden.
        public let previewHidden: Bool
        /// What was heard; `nil` for silence.
        public let sound: ScreenNotificationSound?
        /// The thread-id of the payload; `nil` for none.
        public let threadID: String?
        /// The category of the payload; `nil` for none.
        public let category: String?
        /// The actions that it offers.
        public let actions: [ShownAction]
        /// The button that opens the app, by action-loc-key; `nil` for none.
        public let actionTitle: String?
        /// How urgent it is.
        public let interruptionLevel: ScreenNotificationInterruptionLevel
        /// The score by which it is sorted, the highest first; `nil` for none.
        public let relevanceScore: Double?
        /// The push's apns-collapse-id; `nil` for none.
        public let collapseID: String?
        /// What the app's service extension did with it.
        public let mutableContent: ScreenNotificationMutableContent
        /// When it appeared, by the device's clock.
        public let shownAt: Instant
        /// When a newer push replaced its content; `nil` if none has.
        public let updatedAt: Instant?
        /// The thread, or the app.
        public let group: String
        /// The banner over the screen; `nil` without one.
        public let banner: ScreenNotificationBanner?
        /// `nil` without a banner.
        public let alertStyle: ScreenNotificationAlertStyleName?
        /// Whether the device was locked, and showed it.
        public let lockScreen: Bool
        /// Whether it is in the list.
        public let notificationCenter: Bool
        /// Whether the banner is on the paired watch instead.
        public let onWatch: Bool
        /// Who sent it, in place of the app's name; `nil` for nobody.
        public let sender: String?
        /// The attachments that it shows.
        public let attachments: [String]
        /// Further content of its kind of push.
        public let details: JSONValue
        /// What is unusual without being refused, a sentence each.
        public let warnings: [String]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ScreenNotification"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            sequence = try answer.member("sequence")
            apnsID = try answer.member("apnsId")
            identifier = try answer.member("identifier")
            topic = try answer.member("topic")
            title = try answer.optional("title")
            subtitle = try answer.optional("subtitle")
            body = try answer.optional("body")
            previewHidden = try answer.member("previewHidden")
            sound = try answer.optional("sound")
            threadID = try answer.optional("threadId")
            category = try answer.optional("category")
            actions = try answer.member("actions")
            actionTitle = try answer.optional("actionTitle")
            interruptionLevel = try answer.member("interruptionLevel")
            relevanceScore = try answer.optional("relevanceScore")
            collapseID = try answer.optional("collapseId")
            mutableContent = try answer.member("mutableContent")
            shownAt = try answer.member("shownAt")
            updatedAt = try answer.optional("updatedAt")
            group = try answer.member("group")
            banner = try answer.optional("banner")
            alertStyle = try answer.optional("alertStyle")
            lockScreen = try answer.member("lockScreen")
            notificationCenter = try answer.member("notificationCenter")
            onWatch = try answer.member("onWatch")
            sender = try answer.optional("sender")
            attachments = try answer.member("attachments")
            details = try answer.member("details")
            warnings = try answer.member("warnings")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/ScreenNotification/sound``.
    public struct ScreenNotificationSound: ControlAnswer, AnswerObject {
        /// The name of the sound.
        public let name: String
        /// Whether it is heard although the device is muted.
        public let critical: Bool
        /// The volume of a critical sound, from 0 to 1; `nil` for any other.
        public let volume: Double?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ScreenNotificationSound"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            name = try answer.member("name")
            critical = try answer.member("critical")
            volume = try answer.optional("volume")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/ScreenNotification/actions``.
    public struct ShownAction: ControlAnswer, AnswerObject {
        /// The action's ID.
        public let id: String
        /// The text of the button.
        public let title: String
        /// Whether it removes something, and is red.
        public let destructive: Bool
        /// Whether it opens the app.
        public let foreground: Bool
        /// Whether the device must be unlocked for it.
        public let authenticationRequired: Bool
        /// Whether the user types a text for it.
        public let textInput: Bool
        /// The button beside the text field; `nil` for the system's.
        public let textInputButtonTitle: String?
        /// What the empty text field shows; `nil` for nothing.
        public let textInputPlaceholder: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ShownAction"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            id = try answer.member("id")
            title = try answer.member("title")
            destructive = try answer.member("destructive")
            foreground = try answer.member("foreground")
            authenticationRequired = try answer.member("authenticationRequired")
            textInput = try answer.member("textInput")
            textInputButtonTitle = try answer.optional("textInputButtonTitle")
            textInputPlaceholder = try answer.optional("textInputPlaceholder")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/ScreenNotification/interruptionLevel``.
    public struct ScreenNotificationInterruptionLevel: ControlWord, AnswerWord {
        /// The word `passive`.
        public static let passive = Self(rawValue: "passive")
        /// The word `active`.
        public static let active = Self(rawValue: "active")
        /// The word `time-sensitive`.
        public static let timeSensitive = Self(rawValue: "time-sensitive")
        /// The word `critical`.
        public static let critical = Self(rawValue: "critical")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/ScreenNotification/mutableContent``.
    public struct ScreenNotificationMutableContent: ControlWord, AnswerWord {
        /// The word `none`.
        public static let none = Self(rawValue: "none")
        /// The word `modified`.
        public static let modified = Self(rawValue: "modified")
        /// The word `timedOut`.
        public static let timedOut = Self(rawValue: "timedOut")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/ScreenNotification/banner``.
    public struct ScreenNotificationBanner: ControlAnswer, AnswerObject {
        /// The actions that the banner offers.
        public let actions: [ShownAction]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ScreenNotificationBanner"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            actions = try answer.member("actions")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/ScreenNotification/alertStyle``.
    public struct ScreenNotificationAlertStyleName: ControlWord, AnswerWord {
        /// The word `banner`.
        public static let banner = Self(rawValue: "banner")
        /// The word `alert`.
        public static let alert = Self(rawValue: "alert")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// An element of ``ControlClient/Screen/groups``.
    public struct NotificationGroup: ControlAnswer, AnswerObject {
        /// The topic.
        public let topic: String
        /// The thread-id of the payload.
        public let threadID: String?
        /// How many notifications it has.
        public let count: Int
        /// The newest first.
        public let sequences: [Int]
        /// The line below a group of several.
        public let summary: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "NotificationGroup"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            topic = try answer.member("topic")
            threadID = try answer.optional("threadId")
            count = try answer.member("count")
            sequences = try answer.member("sequences")
            summary = try answer.optional("summary")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/Screen/held``.
    public struct ScreenHeld: ControlAnswer, AnswerObject {
        /// The push's sequence number.
        public let sequence: Int
        /// The topic.
        public let topic: String
        /// When the summary comes.
        public let until: Instant
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ScreenHeld"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            sequence = try answer.member("sequence")
            topic = try answer.member("topic")
            until = try answer.member("until")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/Screen/wakes``.
    public struct Wake: ControlAnswer, AnswerObject {
        /// The topic.
        public let topic: String
        /// The push's sequence number.
        public let sequence: Int
        /// When it happened, by the clock of the server or of the device's scope.
        public let at: Instant
        /// Its state.
        public let state: WakeState
        /// What the app answered; `nil` until then.
        public let result: WakeResult?
        /// When it ended; `nil` until then.
        public let endedAt: Instant?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Wake"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            topic = try answer.member("topic")
            sequence = try answer.member("sequence")
            at = try answer.member("at")
            state = try answer.member("state")
            result = try answer.optional("result")
            endedAt = try answer.optional("endedAt")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Wake/state``.
    public struct WakeState: ControlWord, AnswerWord {
        /// The word `running`.
        public static let running = Self(rawValue: "running")
        /// The word `finished`.
        public static let finished = Self(rawValue: "finished")
        /// The word `stopped`.
        public static let stopped = Self(rawValue: "stopped")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What ``ControlClient/act(on:sequence:_:)`` returns.
    public struct AppResponse: ControlAnswer, AnswerObject {
        /// The push's sequence number.
        public let sequence: Int
        /// The topic.
        public let topic: String
        /// Apple's name of it, or the ID of one of the category's actions.
        public let action: String
        /// What the user typed; `nil` for nothing.
        public let text: String?
        /// When it happened, by the device's clock.
        public let at: Instant
        /// The address that a web app opens; `nil` if the push names none, and for any other app.
        public let navigate: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "AppResponse"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            sequence = try answer.member("sequence")
            topic = try answer.member("topic")
            action = try answer.member("action")
            text = try answer.optional("text")
            at = try answer.member("at")
            navigate = try answer.optional("navigate")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/Screen/sounds``.
    public struct PlayedSound: ControlAnswer, AnswerObject {
        /// The push's sequence number.
        public let sequence: Int
        /// The topic.
        public let topic: String
        /// When it happened, by the device's clock.
        public let at: Instant
        /// What was heard.
        public let sound: ScreenNotificationSound
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "PlayedSound"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            sequence = try answer.member("sequence")
            topic = try answer.member("topic")
            at = try answer.member("at")
            sound = try answer.member("sound")
            json = answer.json
        }
    }
}
