// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/addKey(_:)`` returns.
    public struct AddedKey: ControlAnswer, AnswerObject {
        /// The signing key's ID.
        public let keyID: String
        /// The ID of the team.
        public let team: String
        /// PEM.
        public let publicKey: String
        /// The environments in which it is valid.
        public let environment: EnvironmentScope
        /// The topics that it is for; `nil` for all of the team.
        public let topics: [String]?
        /// The topic-specific key of the same team and environment that may share a connection with it; `nil` for none.
        public let related: String?
        /// When it was revoked; `nil` if it is valid.
        public let revokedAt: Instant?
        /// Whether the server has the private key, which it never returns again.
        public let canSign: Bool
        /// PKCS #8 in PEM, if the server generated the key; returned only here.
        public let privateKey: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "AddedKey"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            keyID = try answer.member("keyId")
            team = try answer.member("team")
            publicKey = try answer.member("publicKey")
            environment = try answer.member("environment")
            topics = try answer.optional("topics")
            related = try answer.optional("related")
            revokedAt = try answer.optional("revokedAt")
            canSign = try answer.member("canSign")
            privateKey = try answer.optional("privateKey")
            json = answer.json
        }
    }
}
