// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/addDevices(_:)`` returns.
    public struct DevicePage: ControlAnswer, AnswerObject {
        /// The items of this page.
        public let items: [Device]
        /// `nil` on the last page.
        public let nextCursor: String?
        /// On all pages.
        public let matched: Int
        /// Whether the call waited without success.
        public let timedOut: Bool
        /// 0: nothing is ever evicted from this list.
        public let evicted: Int
        /// The last sequence number of the journal.
        public let lastSequence: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "DevicePage"))
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
}
