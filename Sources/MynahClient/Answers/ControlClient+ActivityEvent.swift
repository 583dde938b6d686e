// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// The data of an event `activity` (`Documents#Event-stream`).
    public struct ActivityEvent: ControlAnswer, AnswerObject {
        /// When the activity's state changed, by the device's clock.
        public let at: Instant
        /// The device's ID.
        public let device: String
        /// The device's scope; `nil` if it belongs to none.
        public let scope: String?
        /// The activity as it became.
        public let activity: ActivityEventActivity
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ActivityEvent"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            at = try answer.member("at")
            device = try answer.member("device")
            scope = try answer.optional("scope")
            activity = try answer.member("activity")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/ActivityEvent/activity``.
    public struct ActivityEventActivity: ControlAnswer, AnswerObject {
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
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ActivityEventActivity"))
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
            json = answer.json
        }
    }
}
