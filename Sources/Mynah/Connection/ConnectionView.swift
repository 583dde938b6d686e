public import APNsRules
internal import MynahWire

/// An open connection, as `GET /v1/connections` shows it (`Documents#Connections`).
public struct ConnectionView: Sendable, Hashable {
    /// The credential that a connection has proved.
    public struct Credential: Sendable, Hashable {
        /// A kind of credential.
        public enum Kind: String, Sendable {
            /// A provider token.
            case token
            /// A client certificate.
            case certificate
        }

        /// The kind.
        public let kind: Kind
        /// The team of the provider token.
        public let team: String?
        /// The signing key of the provider token.
        public let keyID: String?
        /// The subject of the certificate.
        public let subject: String?
    }

    /// HTTP/2's streams; all 0 on a connection that speaks HTTP/1.1.
    public struct Streams: Sendable, Hashable {
        /// Open now.
        public let open: Int
        /// SETTINGS_MAX_CONCURRENT_STREAMS as announced last.
        public let limit: Int
        /// Ever opened.
        public let total: Int
    }

    /// The number that pushes name in the journal.
    public let id: UInt64
    /// The peer's address and port.
    public let peer: String
    /// When it could carry requests, by the server's clock.
    public let openedAt: Instant
    /// `TLSv1.2` or `TLSv1.3`; `nil` without TLS.
    public let tlsVersion: String?
    /// The cipher suite by OpenSSL's name; `nil` without TLS.
    public let cipher: String?
    /// The server name that the client asked for.
    public let serverName: String?
    /// The protocol of ALPN; `nil` when the client sent none.
    public let applicationProtocol: String?
    /// The environment that its pushes go to.
    public let environment: APNsEnvironment
    /// The credential of its last accepted push, or of its certificate; `nil` before either.
    public let credential: Credential?
    /// Its streams.
    public let streams: Streams
    /// Requests that were answered, refused ones too.
    public let pushes: Int
    /// Bytes read from the socket, TLS included.
    public let bytesIn: Int
    /// Bytes handed to the socket, TLS included.
    public let bytesOut: Int
    /// PING frames of the client.
    public let pings: Int
}

extension ConnectionView {
    init(_ entry: ConnectionEntry, _ traffic: ConnectionTraffic) {
        id = entry.id
        peer = entry.peer
        openedAt = entry.openedAt
        tlsVersion = entry.tls?.version
        cipher = entry.tls?.cipher
        serverName = entry.tls?.serverName
        applicationProtocol = entry.tls?.applicationProtocol
        environment = entry.environment
        credential = entry.credential
        streams = Streams(open: traffic.openStreams, limit: traffic.streamLimit, total: traffic.totalStreams)
        pushes = traffic.pushes
        bytesIn = traffic.bytesIn
        bytesOut = traffic.bytesOut
        pings = traffic.pings
    }
}

/// What the table knows of a connection without asking its loop.
package struct ConnectionEntry: Sendable {
    package let id: UInt64
    let peer: String
    let openedAt: Instant
    let tls: TLSFacts?
    package let environment: APNsEnvironment
    package var credential: ConnectionView.Credential?
}

extension ConnectionView.Credential {
    /// The credential that a verdict proves, if any.
    init?(_ verdict: TrustVerdict) {
        switch verdict {
        case .token(let identity):
            self.init(kind: .token, team: identity.team, keyID: identity.keyID, subject: nil)
        case .certificate(let identity):
            self.init(kind: .certificate, team: nil, keyID: nil, subject: identity.subject)
        case .missing, .invalid, .revokedKey, .revokedCertificate:
            return nil
        }
    }
}
