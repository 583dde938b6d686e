public import APNsRules
internal import MynahCore
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
        /// Opened so far.
        public let total: Int
    }

    /// The number by which pushes in the journal refer to it.
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
    /// The protocol that ALPN chose; `nil` if the client sent no list, or one without `h2`.
    public let applicationProtocol: String?
    /// The environment that its pushes go to.
    public let environment: APNsEnvironment
    /// The credential that its last push has proved, or of its certificate; `nil` before either.
    public internal(set) var credential: Credential?
    /// The server of its cluster that has it; `nil` without a cluster.
    package internal(set) var server: String?
    // `nil` until the connection was asked.
    var traffic: ConnectionTraffic?

    /// Its streams.
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
        (id, peer) = (facts.id, facts.peer)
        (tlsVersion, cipher) = (facts.tls?.version, facts.tls?.cipher)
        (serverName, applicationProtocol) = (facts.tls?.serverName, facts.tls?.applicationProtocol)
        (self.openedAt, self.environment, self.credential) = (openedAt, environment, credential)
    }

    /// A connection that another server of the cluster has, by its document.
    init?(ofAnotherServer json: JSONValue) {
        guard case .number(let number)? = json["id"], let id = UInt64(number.text), let peer = json["peer"]?.string,
            let openedAt = json["openedAt"]?.string.flatMap({ Instant(rfc3339: $0) }),
            let environment = json["environment"]?.string.flatMap({ APNsEnvironment(rawValue: $0) })
        else { return nil }
        (self.id, self.peer, self.openedAt, self.environment) = (id, peer, openedAt, environment)
        (tlsVersion, cipher) = (json["tls"]?.string, json["cipher"]?.string)
        (serverName, applicationProtocol) = (json["sni"]?.string, json["alpn"]?.string)
        credential = json["credential"].flatMap { Credential($0) }
        server = json["server"]?.string
    }

    package var json: JSONValue {
        let own: JSONValue = [
            "id": .whole(id), "peer": .string(peer), "openedAt": .string(openedAt.rfc3339), "tls": .text(tlsVersion),
            "cipher": .text(cipher), "sni": .text(serverName), "alpn": .text(applicationProtocol),
            "environment": .string(environment.rawValue), "credential": credential?.json ?? .null,
            "streams": ["open": .whole(streams.open), "limit": .whole(streams.limit), "total": .whole(streams.total)],
            "pushes": .whole(pushes), "pings": .whole(pings), "bytesIn": .whole(bytesIn), "bytesOut": .whole(bytesOut),
        ]
        guard let server else { return own }
        return .object((own.object ?? []) + [JSONMember("server", .string(server))])
    }
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

    var json: JSONValue {
        ["kind": .string(kind.rawValue), "team": .text(team), "keyId": .text(keyID), "subject": .text(subject)]
    }
}
