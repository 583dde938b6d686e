internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahWire

/// Where a connection comes from and what its handshake agreed on.
struct ConnectionFacts: Sendable {
    let id: UInt64
    let peer: String
    /// The environment that the port is bound to, if it is.
    let portEnvironment: APNsEnvironment?
    /// What the port is for; `nil` on the port without TLS, which serves everything.
    var service: APNsService? = .pushes
    var tls: TLSFacts?
}

/// The log lines about connections: a warning with a remedy for each that fails.
struct ConnectionLog: Sendable {
    private let logger: Logger
    let warnings: ClientWarnings
    private let authorityFile: String
    /// The most characters of a refusal, which may quote the client.
    private static let detailCountMax = 300

    /// Logs to a logger; `authorityFile` is `nil` if the CA is in memory only.
    init(_ logger: Logger, authorityFile: String? = nil) {
        self.logger = logger
        warnings = ClientWarnings(logger)
        self.authorityFile = authorityFile ?? "ca.pem, which the control port serves"
    }

    func opened(_ facts: ConnectionFacts) {
        logger.debug(
            "connection opened",
            metadata: [
                "connection": "\(facts.id)", "peer": "\(facts.peer)", "tls": "\(facts.tls?.version ?? "none")",
                "sni": "\(facts.tls?.serverName ?? "none")", "alpn": "\(facts.tls?.applicationProtocol ?? "none")",
            ])
    }

    func closed(_ connection: UInt64) { logger.debug("connection closed", metadata: ["connection": "\(connection)"]) }

    func deviceGone(_ id: String) {
        logger.debug("a live client left a device that is gone", metadata: ["device": "\(id)"])
    }

    /// - Parameter stream: Where it happened, if on one stream.
    func failed(_ facts: ConnectionFacts, _ sentence: String, stream: Int32? = nil) {
        var metadata = ConnectionLog.metadata(of: facts)
        if let stream { metadata["stream"] = "\(stream)" }
        warnings.warn(sentence, metadata)
    }

    /// A refused call of channel management, which the journal doesn't have.
    func refused(_ facts: ConnectionFacts, _ refusal: Refusal) {
        let detail = PrintableText.shortened(PrintableText.text(refusal.detail), to: ConnectionLog.detailCountMax)
        warnings.warn(
            "channel management answered \(refusal.reason.status) \(refusal.reason.rawValue): \(detail)",
            ConnectionLog.metadata(of: facts), level: .info)
    }

    private static func metadata(of facts: ConnectionFacts) -> Logger.Metadata {
        ["connection": "\(facts.id)", "peer": "\(facts.peer)"]
    }

    /// What happened, and a remedy.
    ///
    /// - Parameter isTrusted: Whether the client has just trusted the server's certificate on another connection.
    func sentence(
        _ problem: ConnectionProblem, service: APNsService?, serverName: String?, listsNoHTTP2: Bool = false,
        isTrusted: Bool = false
    ) -> String {
        switch problem {
        case .handshakeFailed(let failure) where failure.cause == .hungUp && isTrusted:
            "TLS handshake failed: \(failure.detail), as some do with a spare connection"
        case .handshakeFailed(let failure):
            "TLS handshake failed: \(failure.detail)\(hint(failure.cause, service, serverName: serverName))"
        case .certificateRefused(let fault):
            "TLS handshake failed: the client's certificate was refused with \(fault.alert.rawValue): "
                + "\(fault.problem)\(ConnectionLog.hint(fault.alert))"
        case .refusedAtOpening(.badCertificateEnvironment):
            "connection refused with GOAWAY BadCertificateEnvironment: the client's certificate is not for the "
                + "environment of this connection, which its port, its server name or --environment chose"
        case .refusedAtOpening(let reason): "connection refused with GOAWAY \(reason.rawValue)"
        case .nothingSent: "connection closed: the client sent nothing in time, or too little to tell its protocol"
        case .tlsFailed(let reason): "TLS failed: \(reason)"
        case .protocolViolation(let reason): "connection closed: the client broke HTTP/2: \(reason)"
        case .http1Violation(let reason): "connection closed: the client broke HTTP/1.1: \(reason)"
        case .noMemory(let reason): "connection closed: no memory for it: \(reason)"
        case .spokeHTTP1(let line):
            "connection closed: the client spoke HTTP/1.1 (\(line)); APNs speaks HTTP/2 only (the cleartext port takes both)"
                + (listsNoHTTP2 ? ConnectionLog.noHTTP2Hint : "")
        case .headerListTooLarge:
            "request refused with 431: its header fields are larger than SETTINGS_MAX_HEADER_LIST_SIZE"
        case .requestMalformed(_, let reason):
            "a request was ended by RST_STREAM, because it breaks HTTP/2: \(PrintableText.text(reason))"
        case .requestsTimedOut(let count):
            "\(count == 1 ? "a request was" : "\(count) requests were") ended: not complete within --request-timeout"
        }
    }

    private static let noHTTP2Hint = "; the client's ALPN list has no h2"
    /// What is wrong with a client whose ALPN list has no `h2`, and which gets HTTP/2 all the same (`ProviderAPI#TLS`).
    static let noHTTP2 = "the connection speaks HTTP/2, as APNs does" + noHTTP2Hint

    private static func hint(_ alert: CertificateFault.Alert) -> String {
        switch alert {
        case .unknownCA:
            "; use a certificate made by this server's CA (mynah certs provider), or name its CA by --provider-ca"
        case .certificateExpired, .certificateRevoked: "; make another one with mynah certs provider"
        case .badCertificate, .unsupportedCertificate: ""
        }
    }

    private func hint(_ cause: HandshakeFailure.Cause, _ service: APNsService?, serverName: String?) -> String {
        switch cause {
        case .serverNotTrusted where serverName == nil:
            "; the client does not trust the server's certificate: give it \(authorityFile); one that is built on "
                + "BoringSSL must also connect to a name such as localhost, not to an address"
        case .serverNotTrusted: "; the client does not trust the server's certificate: give it \(authorityFile)"
        // The cleartext port takes no web pushes.
        case .notTLS where service == .webPush: "; the client speaks no TLS: use https"
        case .notTLS: "; the client speaks no TLS: use https, or the cleartext port"
        case .noHTTP2: ConnectionLog.noHTTP2Hint
        case .tlsVersion: "; the client offers no TLS 1.2 or 1.3"
        case .hungUp:
            "; Node.js, newer curl and some others do so when they do not trust the server's certificate: give "
                + "them \(authorityFile)"
        case .clientCertificate, .timedOut, .fault, .other: ""
        }
    }
}
