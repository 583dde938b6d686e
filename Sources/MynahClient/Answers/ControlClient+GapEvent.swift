// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// The data of an event `gap` (`Documents#Event-stream`).
    public struct GapEvent: ControlAnswer, AnswerObject {
        /// The first number that is missing.
        public let from: Int
        /// The last number that is missing.
        public let to: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "GapEvent"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            from = try answer.member("from")
            to = try answer.member("to")
            json = answer.json
        }
    }
}
