// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/changeDevices(_:_:)`` returns.
    public struct Changed: ControlAnswer, AnswerObject {
        /// How many of each kind were changed.
        public let changed: [String: Int]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Changed"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            changed = try answer.member("changed")
            json = answer.json
        }
    }
}
