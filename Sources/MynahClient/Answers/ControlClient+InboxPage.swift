// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/inbox(of:_:)`` returns.
    public struct InboxPage: ControlAnswer, AnswerObject {
        /// The items of this page.
        public let items: [Arrival]
        /// `nil` on the last page.
        public let nextCursor: String?
        /// On all pages.
        public let matched: Int
        /// Whether the call waited without success.
        public let timedOut: Bool
        /// Arrivals that are gone from the inbox, or whose push is gone from the journal.
        public let evicted: Int
        /// The push that arrived last; with it as after, a call lists later arrivals.
        public let lastSequence: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "InboxPage"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            items = try answer.member("items")
            nextCursor = try answer.optional("nextCursor")
            matched = try answer.member("matched")
            timedOut = try answer.member("timedOut")
            evicted = try answer.member("evicted")
            lastSequence = try answer.member("lastSequence")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/InboxPage/items``.
    public struct Arrival: ControlAnswer, AnswerObject {
        /// The push's sequence number.
        public let sequence: Int
        /// The push's apns-id; `nil` if it is gone.
        public let apnsID: String?
        /// The topic; `nil` if it is gone.
        public let topic: String?
        /// The push's apns-push-type; `nil` if it is gone.
        public let pushType: String?
        /// The kind of push; `nil` if it is gone.
        public let kind: InboxKind?
        /// The body's own bytes; `nil` if it is not JSON or gone from the journal.
        public let payload: JSONValue?
        /// The body if it is not JSON, up to the limit of its push type; `nil` otherwise, or if it is gone.
        public let payloadBase64: String?
        /// When it arrived, by the device's clock.
        public let deliveredAt: Instant
        /// Whether the push is gone from the journal; its content is then null.
        public let evicted: Bool
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Arrival"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            sequence = try answer.member("sequence")
            apnsID = try answer.optional("apnsId")
            topic = try answer.optional("topic")
            pushType = try answer.optional("pushType")
            kind = try answer.optional("kind")
            payload = try answer.optional("payload")
            payloadBase64 = try answer.optional("payloadBase64")
            deliveredAt = try answer.member("deliveredAt")
            evicted = try answer.member("evicted")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Arrival/kind``.
    public struct InboxKind: ControlWord, AnswerWord {
        /// The word `alert`.
        public static let alert = Self(rawValue: "alert")
        /// The word `background`.
        public static let background = Self(rawValue: "background")
        /// The word `location`.
        public static let location = Self(rawValue: "location")
        /// The word `voip`.
        public static let voip = Self(rawValue: "voip")
        /// The word `complication`.
        public static let complication = Self(rawValue: "complication")
        /// The word `fileprovider`.
        public static let fileprovider = Self(rawValue: "fileprovider")
        /// The word `mdm`.
        public static let mdm = Self(rawValue: "mdm")
        /// The word `liveactivity`.
        public static let liveactivity = Self(rawValue: "liveactivity")
        /// The word `pushtotalk`.
        public static let pushtotalk = Self(rawValue: "pushtotalk")
        /// The word `widgets`.
        public static let widgets = Self(rawValue: "widgets")
        /// The word `controls`.
        public static let controls = Self(rawValue: "controls")
        /// The word `pass`.
        public static let pass = Self(rawValue: "pass")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
