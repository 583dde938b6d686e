// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/reset(only:scope:)`` returns.
    public struct Removed: ControlAnswer, AnswerObject {
        /// How many of each kind were removed.
        public let removed: [String: Int]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Removed"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            removed = try answer.member("removed")
            json = answer.json
        }
    }
}
