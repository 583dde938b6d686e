// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// One of what ``ControlClient/failedHandshakes()`` returns.
    public struct FailedHandshake: ControlAnswer, AnswerObject {
        /// The number of the connection.
        public let id: Int
        /// By the server's clock.
        public let at: Instant
        /// The client's address and port.
        public let peer: String
        /// The host name that the client sent; `nil` for none.
        public let sni: String?
        /// The environment of APNs.
        public let environment: Environment
        /// serverNotTrusted: the client refused the server's certificate; notTLS: the client sent something other than
        /// TLS; noHTTP2: its ALPN list has no h2, and it did not use HTTP/2; tlsVersion: it offers neither TLS 1.2 nor
        /// 1.3; clientCertificate: its certificate was refused; hungUp: it closed the connection without an alert, in
        /// the handshake or right after it; timedOut: it did not finish in time; fault: a fault rule acted on the
        /// handshake.
        public let cause: FailedHandshakeCause
        /// What happened and how to fix it, in a sentence.
        public let reason: String
        /// Failures with this cause since the start, including this one.
        public let count: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "FailedHandshake"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            id = try answer.member("id")
            at = try answer.member("at")
            peer = try answer.member("peer")
            sni = try answer.optional("sni")
            environment = try answer.member("environment")
            cause = try answer.member("cause")
            reason = try answer.member("reason")
            count = try answer.member("count")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/FailedHandshake/cause``.
    public struct FailedHandshakeCause: ControlWord, AnswerWord {
        /// The word `serverNotTrusted`.
        public static let serverNotTrusted = Self(rawValue: "serverNotTrusted")
        /// The word `notTLS`.
        public static let notTLS = Self(rawValue: "notTLS")
        /// The word `noHTTP2`.
        public static let noHTTP2 = Self(rawValue: "noHTTP2")
        /// The word `tlsVersion`.
        public static let tlsVersion = Self(rawValue: "tlsVersion")
        /// The word `clientCertificate`.
        public static let clientCertificate = Self(rawValue: "clientCertificate")
        /// The word `hungUp`.
        public static let hungUp = Self(rawValue: "hungUp")
        /// The word `timedOut`.
        public static let timedOut = Self(rawValue: "timedOut")
        /// The word `fault`.
        public static let fault = Self(rawValue: "fault")
        /// The word `other`.
        public static let other = Self(rawValue: "other")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
