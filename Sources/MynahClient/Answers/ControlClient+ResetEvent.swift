// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// The data of an event `reset` (`Documents#Event-stream`).
    public struct ResetEvent: ControlAnswer, AnswerObject {
        /// How many of each kind were removed.
        public let removed: [String: Int]
        /// The parts that were reset.
        public let only: [String]
        /// The scope that was reset; `nil` for the whole server.
        public let scope: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ResetEvent"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            removed = try answer.member("removed")
            only = try answer.member("only")
            scope = try answer.optional("scope")
            json = answer.json
        }
    }
}
