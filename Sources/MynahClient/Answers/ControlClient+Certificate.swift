// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/revokeCertificate(_:)`` returns.
    public struct Certificate: ControlAnswer, AnswerObject {
        /// Capital hexadecimal digits.
        public let serialNumber: String
        /// RFC 4514.
        public let subject: String
        /// The topics that it is for.
        public let topics: [CertificateTopics]
        /// The environments in which it is valid.
        public let environment: EnvironmentScope
        /// The beginning of its validity.
        public let notBefore: Instant
        /// The end of its validity.
        public let notAfter: Instant
        /// When it was issued.
        public let issuedAt: Instant
        /// When it was revoked; `nil` if it is valid.
        public let revokedAt: Instant?
        /// PEM.
        public let certificate: String
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Certificate"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            serialNumber = try answer.member("serialNumber")
            subject = try answer.member("subject")
            topics = try answer.member("topics")
            environment = try answer.member("environment")
            notBefore = try answer.member("notBefore")
            notAfter = try answer.member("notAfter")
            issuedAt = try answer.member("issuedAt")
            revokedAt = try answer.optional("revokedAt")
            certificate = try answer.member("certificate")
            json = answer.json
        }
    }
}
