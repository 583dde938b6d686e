// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/send(_:)`` returns.
    public struct SentNotification: ControlAnswer, AnswerObject {
        /// `nil` if there was no answer.
        public let status: Int?
        /// APNs' reason of a refusal.
        public let reason: String?
        /// The push's apns-id, or apns-request-id.
        public let apnsID: String
        /// The push in the journal; `nil` if it did not get there.
        public let sequence: Int?
        /// Why there was no answer, as a clause.
        public let problem: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "SentNotification"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            status = try answer.optional("status")
            reason = try answer.optional("reason")
            apnsID = try answer.member("apnsId")
            sequence = try answer.optional("sequence")
            problem = try answer.optional("problem")
            json = answer.json
        }
    }
}
