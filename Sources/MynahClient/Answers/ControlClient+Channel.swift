// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// One of what ``ControlClient/channels(_:)`` returns.
    public struct Channel: ControlAnswer, AnswerObject {
        /// 16 bytes in standard base64.
        public let id: String
        /// The app's bundle ID.
        public let bundleID: String
        /// The environment of APNs.
        public let environment: Environment
        /// Whether it stores the most recent message.
        public let messageStoragePolicy: Int
        /// By the server's clock.
        public let createdAt: Instant
        /// Accepted so far.
        public let broadcasts: Int
        /// Running Live Activities that follow it, on all devices.
        public let followers: Int
        /// Until when it keeps its most recent message; `nil` if it keeps none.
        public let storedUntil: Instant?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Channel"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            id = try answer.member("id")
            bundleID = try answer.member("bundleId")
            environment = try answer.member("environment")
            messageStoragePolicy = try answer.member("messageStoragePolicy")
            createdAt = try answer.member("createdAt")
            broadcasts = try answer.member("broadcasts")
            followers = try answer.member("followers")
            storedUntil = try answer.optional("storedUntil")
            json = answer.json
        }
    }
}
