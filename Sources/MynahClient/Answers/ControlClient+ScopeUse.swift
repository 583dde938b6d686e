// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// One of what ``ControlClient/scopes()`` returns.
    public struct ScopeUse: ControlAnswer, AnswerObject {
        /// The name.
        public let name: String
        /// How many devices.
        public let devices: Int
        /// How many fault rules.
        public let faults: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ScopeUse"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            name = try answer.member("name")
            devices = try answer.member("devices")
            faults = try answer.member("faults")
            json = answer.json
        }
    }
}
