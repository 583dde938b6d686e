// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/credentials()`` returns.
    public struct Credentials: ControlAnswer, AnswerObject {
        /// PEM.
        public let ca: String
        /// The signing key's ID.
        public let keyID: String?
        /// The ID of the team.
        public let teamID: String?
        /// PKCS #8 in PEM; `nil` if the keys are the user's own.
        public let key: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Credentials"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            ca = try answer.member("ca")
            keyID = try answer.optional("keyId")
            teamID = try answer.optional("teamId")
            key = try answer.optional("key")
            json = answer.json
        }
    }
}
