internal import APNsRules
internal import Logging
internal import MynahWire

/// The log lines about connections: one that helps for those that fail, none at `info` for those that work.
struct ConnectionLog: Sendable {
    private let logger: Logger
    /// The warnings that clients cause.
    let warnings: ClientWarnings

    init(_ logger: Logger) {
        self.logger = logger
        self.warnings = ClientWarnings(logger)
    }

    func opened(_ facts: ConnectionFacts) {
        logger.debug(
            "connection opened",
            metadata: [
                "connection": "\(facts.id)", "peer": "\(facts.peer)", "tls": "\(facts.tls?.version ?? "none")",
                "sni": "\(facts.tls?.serverName ?? "none")", "alpn": "\(facts.tls?.applicationProtocol ?? "none")",
            ])
    }

    func closed(_ connection: UInt64) {
        logger.debug("connection closed", metadata: ["connection": "\(connection)"])
    }

    func deviceGone(_ id: String) {
        logger.debug("a live client left a device that is gone", metadata: ["device": "\(id)"])
    }

    func failed(_ facts: ConnectionFacts, _ problem: ConnectionProblem) {
        warnings.warn(
            ConnectionLog.sentence(problem), ["connection": "\(facts.id)", "peer": "\(facts.peer)"])
    }

    /// What happened, and what the person at the client can do about it.
    static func sentence(_ problem: ConnectionProblem) -> String {
        switch problem {
        case .handshakeFailed(let reason): "TLS handshake failed: \(reason)\(hint(reason))"
        case .certificateRefused(let fault):
            "TLS handshake failed: the client's certificate was refused with \(fault.alert.rawValue): "
                + "\(fault.problem)\(hint(fault.alert))"
        case .refusedAtOpening(.badCertificateEnvironment):
            "connection refused with GOAWAY BadCertificateEnvironment: the client's certificate is not for the "
                + "environment of this connection, which its port, its server name or --environment chose"
        case .refusedAtOpening(let reason): "connection refused with GOAWAY \(reason.rawValue)"
        case .handshakeTimedOut: "connection closed: the client began no TLS handshake, or did not finish it, in time"
        case .tlsFailed(let reason): "TLS failed: \(reason)\(hint(reason))"
        case .protocolViolation(let reason): "connection closed: the client broke HTTP/2: \(reason)"
        case .spokeHTTP1(let line):
            "connection closed: the client spoke HTTP/1.1 (\(line)); APNs speaks HTTP/2 only (the cleartext port takes both)"
        case .headerListTooLarge:
            "request refused with 431: its header fields are larger than SETTINGS_MAX_HEADER_LIST_SIZE"
        case .requestsTimedOut(let count):
            "\(count == 1 ? "a request was" : "\(count) requests were") ended: not complete within --request-timeout"
        }
    }

    private static func hint(_ alert: CertificateFault.Alert) -> String {
        switch alert {
        case .unknownCA:
            "; use a certificate made by this server's CA (mynah certs provider), or name its CA by --provider-ca"
        case .certificateExpired, .certificateRevoked: "; make another one with mynah certs provider"
        case .badCertificate, .unsupportedCertificate: ""
        }
    }

    private static func hint(_ reason: String) -> String {
        if reason.contains("unknown ca") || reason.contains("certificate unknown") || reason.contains("bad certificate")
        {
            return "; the client does not trust the server's certificate: give it ca.pem"
        }
        if reason.contains("http request") || reason.contains("wrong version number") {
            return "; the client speaks no TLS: use https, or the cleartext port"
        }
        if reason.contains("application protocol") {
            return "; the client's ALPN list has no h2"
        }
        if reason.contains("unsupported protocol") || reason.contains("version too low") {
            return "; the client offers no TLS 1.2 or 1.3"
        }
        return ""
    }
}
