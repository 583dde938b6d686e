// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// An element of ``ControlClient/Registration/categories``.
    public struct Category: ControlAnswer, AnswerObject {
        /// What a payload's category names.
        public let id: String
        /// Its actions, in the order of their buttons.
        public let actions: [CategoryActions]?
        /// Whether the app is told when the user dismisses a notification of it.
        public let customDismiss: Bool?
        /// The line below a group: %u is the number of further notifications, %@ what they name.
        public let summaryFormat: String?
        /// The text in place of a hidden preview; %u is the number of the group's notifications.
        public let hiddenPreviewsBodyPlaceholder: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Category"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            id = try answer.member("id")
            actions = try answer.optional("actions")
            customDismiss = try answer.optional("customDismiss")
            summaryFormat = try answer.optional("summaryFormat")
            hiddenPreviewsBodyPlaceholder = try answer.optional("hiddenPreviewsBodyPlaceholder")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/Category/actions``.
    public struct CategoryActions: ControlAnswer, AnswerObject {
        /// The action's ID.
        public let id: String
        /// The text of the button.
        public let title: String?
        /// Whether it removes something, and is red.
        public let destructive: Bool?
        /// Whether it opens the app.
        public let foreground: Bool?
        /// Whether the device must be unlocked for it.
        public let authenticationRequired: Bool?
        /// Whether the user types a text for it.
        public let textInput: Bool?
        /// With textInput only, as the next.
        public let textInputButtonTitle: String?
        /// What the empty text field shows.
        public let textInputPlaceholder: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "CategoryActions"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            id = try answer.member("id")
            title = try answer.optional("title")
            destructive = try answer.optional("destructive")
            foreground = try answer.optional("foreground")
            authenticationRequired = try answer.optional("authenticationRequired")
            textInput = try answer.optional("textInput")
            textInputButtonTitle = try answer.optional("textInputButtonTitle")
            textInputPlaceholder = try answer.optional("textInputPlaceholder")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Registration/serviceExtension``.
    public struct ServiceExtension: ControlAnswer, AnswerObject {
        /// A merge patch (RFC 7396) of the payload.
        public let rewrite: JSONValue?
        /// How long it runs, by the clock.
        public let takes: Duration?
        /// Addresses, or JSON pointers to them in the payload.
        public let attachments: [String]?
        /// The sender of a communication notification: a name, or a JSON pointer to it in the payload.
        public let sender: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ServiceExtension"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            rewrite = try answer.optional("rewrite")
            takes = try answer.optional("takes")
            attachments = try answer.optional("attachments")
            sender = try answer.optional("sender")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Registration/backgroundFetch``.
    public struct BackgroundFetch: ControlAnswer, AnswerObject {
        /// What it answers.
        public let result: WakeResult?
        /// How long it runs, by the device's clock.
        public let takes: Duration?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "BackgroundFetch"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            result = try answer.optional("result")
            takes = try answer.optional("takes")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/BackgroundFetch/result``.
    public struct WakeResult: ControlWord, AnswerWord {
        /// The word `newData`.
        public static let newData = Self(rawValue: "newData")
        /// The word `noData`.
        public static let noData = Self(rawValue: "noData")
        /// The word `failed`.
        public static let failed = Self(rawValue: "failed")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// One of what ``ControlClient/activities(of:)`` returns.
    public struct LiveActivity: ControlAnswer, AnswerObject {
        /// Unique on its device.
        public let id: String
        /// The topic.
        public let topic: String
        /// The environment of APNs.
        public let environment: Environment
        /// Its state.
        public let state: LiveActivityState
        /// `nil`, like attributes, if a push to an unknown token told of it.
        public let attributesType: String?
        /// What stays the same while it runs; `nil` if it is unknown.
        public let attributes: JSONValue?
        /// What it shows.
        public let contentState: JSONValue
        /// When it started.
        public let startedAt: Instant
        /// The timestamp of the newest message applied; `nil` for none.
        public let timestamp: Instant?
        /// When its content is out of date; `nil` for never.
        public let staleDate: Instant?
        /// When it ended; `nil` until then.
        public let endedAt: Instant?
        /// When it leaves the lock screen, or left it; `nil` until it ends.
        public let dismissalDate: Instant?
        /// The score by which it is sorted, the highest first; `nil` for none.
        public let relevanceScore: Double?
        /// With which it is updated; `nil` for none.
        public let token: String?
        /// The broadcast channel that it follows; `nil` for none.
        public let channel: String?
        /// Its newest content states, oldest first; sequence is null for what its app did.
        public let history: [LiveActivityHistory]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "LiveActivity"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            id = try answer.member("id")
            topic = try answer.member("topic")
            environment = try answer.member("environment")
            state = try answer.member("state")
            attributesType = try answer.optional("attributesType")
            attributes = try answer.optional("attributes")
            contentState = try answer.member("contentState")
            startedAt = try answer.member("startedAt")
            timestamp = try answer.optional("timestamp")
            staleDate = try answer.optional("staleDate")
            endedAt = try answer.optional("endedAt")
            dismissalDate = try answer.optional("dismissalDate")
            relevanceScore = try answer.optional("relevanceScore")
            token = try answer.optional("token")
            channel = try answer.optional("channel")
            history = try answer.member("history")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/LiveActivity/state``.
    public struct LiveActivityState: ControlWord, AnswerWord {
        /// The word `active`.
        public static let active = Self(rawValue: "active")
        /// The word `stale`.
        public static let stale = Self(rawValue: "stale")
        /// The word `ended`.
        public static let ended = Self(rawValue: "ended")
        /// The word `dismissed`.
        public static let dismissed = Self(rawValue: "dismissed")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// An element of ``ControlClient/LiveActivity/history``.
    public struct LiveActivityHistory: ControlAnswer, AnswerObject {
        /// What the push or the app did.
        public let event: LiveActivityHistoryEvent
        /// When it changed, by the device's clock.
        public let at: Instant
        /// The push's sequence number; `nil` if its app did it.
        public let sequence: Int?
        /// What it shows.
        public let contentState: JSONValue
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "LiveActivityHistory"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            event = try answer.member("event")
            at = try answer.member("at")
            sequence = try answer.optional("sequence")
            contentState = try answer.member("contentState")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/LiveActivityHistory/event``.
    public struct LiveActivityHistoryEvent: ControlWord, AnswerWord {
        /// The word `start`.
        public static let start = Self(rawValue: "start")
        /// The word `update`.
        public static let update = Self(rawValue: "update")
        /// The word `end`.
        public static let end = Self(rawValue: "end")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Device/inbox``.
    public struct DeviceInbox: ControlAnswer, AnswerObject {
        /// How many arrivals are in it.
        public let count: Int
        /// How many were replaced by later ones.
        public let dropped: Int
        /// The push that arrived last.
        public let last: Int?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "DeviceInbox"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            count = try answer.member("count")
            dropped = try answer.member("dropped")
            last = try answer.optional("last")
            json = answer.json
        }
    }
}
