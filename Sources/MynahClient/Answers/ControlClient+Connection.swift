// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// One of what ``ControlClient/connections(_:)`` returns.
    public struct Connection: ControlAnswer, AnswerObject {
        /// The number in a push's connection.
        public let id: Int
        /// The client's address and port.
        public let peer: String
        /// By the server's clock.
        public let openedAt: Instant
        /// The version of TLS; `nil` without it.
        public let tls: ConnectionTlsName?
        /// The cipher suite; `nil` without TLS.
        public let cipher: String?
        /// The host name that the client sent; `nil` for none.
        public let sni: String?
        /// The application protocol that TLS agreed on; `nil` if the client offered none, or not h2.
        public let alpn: String?
        /// The environment of APNs.
        public let environment: Environment
        /// The last valid credential; `nil` before the first.
        public let credential: Credential?
        /// Its HTTP/2 streams.
        public let streams: ConnectionStreams
        /// Answered requests, including refused ones.
        public let pushes: Int
        /// How many PING frames came from the client.
        public let pings: Int
        /// Read from the socket, TLS included.
        public let bytesIn: Int
        /// Handed to the socket, TLS included.
        public let bytesOut: Int
        /// In a cluster, the server that has it; the counts of other servers' connections are 0.
        public let server: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Connection"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            id = try answer.member("id")
            peer = try answer.member("peer")
            openedAt = try answer.member("openedAt")
            tls = try answer.optional("tls")
            cipher = try answer.optional("cipher")
            sni = try answer.optional("sni")
            alpn = try answer.optional("alpn")
            environment = try answer.member("environment")
            credential = try answer.optional("credential")
            streams = try answer.member("streams")
            pushes = try answer.member("pushes")
            pings = try answer.member("pings")
            bytesIn = try answer.member("bytesIn")
            bytesOut = try answer.member("bytesOut")
            server = try answer.optional("server")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Connection/tls``.
    public struct ConnectionTlsName: ControlWord, AnswerWord {
        /// The word `TLSv1.2`.
        public static let tlsv12 = Self(rawValue: "TLSv1.2")
        /// The word `TLSv1.3`.
        public static let tlsv13 = Self(rawValue: "TLSv1.3")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Connection/streams``.
    public struct ConnectionStreams: ControlAnswer, AnswerObject {
        /// How many are open.
        public let open: Int
        /// How many may be open at a time.
        public let limit: Int
        /// How many there have been.
        public let total: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ConnectionStreams"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            open = try answer.member("open")
            limit = try answer.member("limit")
            total = try answer.member("total")
            json = answer.json
        }
    }
}
