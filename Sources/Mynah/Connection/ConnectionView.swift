public import APNsRules
package import MynahCore
internal import MynahWire

/// An open connection, as `GET /v1/connections` shows it (`Documents#Connections`).
public struct ConnectionView: Sendable, Hashable {
    /// The credential that a connection has proved.
    public struct Credential: Sendable, Hashable {
        /// A kind of credential.
        public enum Kind: String, CaseIterable, Sendable {
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
        /// Opened so far.
        public let total: Int
    }

    /// The number by which pushes in the journal refer to it.
    public let id: UInt64
    /// The peer's address and port.
    public let peer: String
    /// When the connection could carry requests, by the server's clock.
    public let openedAt: Instant
    /// `TLSv1.2` or `TLSv1.3`; `nil` without TLS.
    public let tlsVersion: String?
    /// The cipher suite by OpenSSL's name; `nil` without TLS.
    public let cipher: String?
    /// The server name that the client asked for.
    public let serverName: String?
    /// The protocol that ALPN chose; `nil` if the client sent no list, or one without `h2`.
    public let applicationProtocol: String?
    /// The environment that the connection's pushes go to.
    public let environment: APNsEnvironment
    /// The credential that the connection's last push has proved, or of its certificate; `nil` before either.
    public internal(set) var credential: Credential?
    /// The name of the server that has the connection, if the table lists them by such names.
    package internal(set) var server: String?
    // `nil` until the connection was asked.
    var traffic: ConnectionTraffic?

    /// The connection's streams.
    public var streams: Streams {
        Streams(open: traffic?.openStreams ?? 0, limit: traffic?.streamLimit ?? 0, total: traffic?.totalStreams ?? 0)
    }
    /// Requests that were answered, refused ones too.
    public var pushes: Int { traffic?.pushes ?? 0 }
    /// Bytes read from the socket, TLS included.
    public var bytesIn: Int { traffic?.bytesIn ?? 0 }
    /// Bytes handed to the socket, TLS included.
    public var bytesOut: Int { traffic?.bytesOut ?? 0 }
    /// PING frames of the client.
    public var pings: Int { traffic?.pings ?? 0 }

    init(_ facts: ConnectionFacts, openedAt: Instant, environment: APNsEnvironment, credential: Credential?) {
        id = facts.id
        peer = facts.peer
        tlsVersion = facts.tls?.version
        cipher = facts.tls?.cipher
        serverName = facts.tls?.serverName
        applicationProtocol = facts.tls?.applicationProtocol
        self.openedAt = openedAt
        self.environment = environment
        self.credential = credential
    }

    /// A connection by its document, without its traffic.
    init?(document json: JSONValue) {
        guard case .number(let number)? = json["id"], let id = UInt64(number.text), let peer = json["peer"]?.string,
            let openedAt = json["openedAt"]?.string.flatMap({ Instant(rfc3339: $0) }),
            let environment = json["environment"]?.string.flatMap({ APNsEnvironment(rawValue: $0) })
        else { return nil }
        self.id = id
        self.peer = peer
        self.openedAt = openedAt
        self.environment = environment
        tlsVersion = json["tls"]?.string
        cipher = json["cipher"]?.string
        serverName = json["sni"]?.string
        applicationProtocol = json["alpn"]?.string
        credential = json["credential"].flatMap { Credential($0) }
        server = json["server"]?.string
    }

    package var json: JSONValue { .object(ConnectionView.fields.members(of: self)) }

    package static let fields: Fields<ConnectionView> = [
        Field(shown: "id", .whole, "The number in a push's connection.") { .whole($0.id) },
        Field(shown: "peer", .anyText, "The client's address and port.") { .string($0.peer) },
        Field(shown: "openedAt", .time, "By the server's clock.") { .string($0.openedAt.rfc3339) },
        Field(shown: "tls", .nullable(.choice(["TLSv1.2", "TLSv1.3"])), "The version of TLS; null without it.") {
            .text($0.tlsVersion)
        },
        Field(shown: "cipher", .nullableText, "The cipher suite; null without TLS.") { .text($0.cipher) },
        Field(shown: "sni", .nullableText, "The host name that the client sent; null for none.") {
            .text($0.serverName)
        },
        Field(
            shown: "alpn", .nullableText,
            "The application protocol that TLS agreed on; null if the client offered none, or not h2."
        ) { .text($0.applicationProtocol) },
        Field(shown: "environment", APNsEnvironment.form, "The environment of APNs.") { $0.environment.json },
        Field(
            shown: "credential", .nullable(.any(schema: "Credential")),
            "The last valid credential; null before the first."
        ) { $0.credential?.json ?? .null },
        Field(shown: "streams", .object(Streams.fields.showing), "Its HTTP/2 streams.") {
            .object(Streams.fields.members(of: $0.streams))
        },
        Field(shown: "pushes", .whole, "Answered requests, including refused ones.") { .whole($0.pushes) },
        Field(shown: "pings", .whole, "How many PING frames came from the client.") { .whole($0.pings) },
        Field(shown: "bytesIn", .whole, "Read from the socket, TLS included.") { .whole($0.bytesIn) },
        Field(shown: "bytesOut", .whole, "Handed to the socket, TLS included.") { .whole($0.bytesOut) },
        Field(
            shown: "server", .anyText,
            "In a cluster, the server that has it; the counts of other servers' connections are 0.",
            where: { $0.server != nil }, json: { .text($0.server) }),
    ]
}

extension ConnectionView.Streams {
    fileprivate static let fields: Fields<ConnectionView.Streams> = [
        Field(shown: "open", .whole, "How many are open.") { .whole($0.open) },
        Field(shown: "limit", .whole, "How many may be open at a time.") { .whole($0.limit) },
        Field(shown: "total", .whole, "How many there have been.") { .whole($0.total) },
    ]
}

extension ConnectionView.Credential {
    init?(_ verdict: TrustVerdict) {
        switch verdict {
        case .token(let identity): self.init(kind: .token, team: identity.team, keyID: identity.keyID, subject: nil)
        case .certificate(let identity): self.init(kind: .certificate, team: nil, keyID: nil, subject: identity.subject)
        case .missing, .invalid, .revokedKey, .revokedCertificate: return nil
        }
    }

    fileprivate init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(
            kind: kind, team: json["team"]?.string, keyID: json["keyId"]?.string, subject: json["subject"]?.string)
    }

    /// The members of a credential, also of one that only a push had.
    package static let schema = fields.showing

    private static let fields: Fields<ConnectionView.Credential> = [
        Field(shown: "kind", .choice(Kind.self), "Of a rejected token only this is known.") {
            .string($0.kind.rawValue)
        },
        Field(shown: "team", .nullableText.described("The ID of the team.")) { .text($0.team) },
        Field(shown: "keyId", .nullableText.described("The signing key's ID.")) { .text($0.keyID) },
        Field(shown: "subject", .nullableText.described("The certificate's subject.")) { .text($0.subject) },
    ]

    var json: JSONValue { .object(ConnectionView.Credential.fields.members(of: self)) }
}
