package import APNsRules
internal import COpenSSL

/// The CAs whose provider certificates are accepted, and the revoked certificates.
package struct ProviderAuthorities: Sendable {
    /// The most certificates that a client may present, its own included; Apple's chains have two or three.
    private static let chainLengthMax = 4

    package let authorities: [[UInt8]]
    private var revoked: Set<RevokedSerial>

    /// Takes the CAs' certificates in DER, roots or intermediates, each of which may end a chain; unreadable ones,
    /// which ``ProviderAuthorityFile`` has reported, are left out.
    package init(_ authorities: [[UInt8]] = [], revoked: Set<RevokedSerial> = []) {
        self.authorities = authorities.filter { ProviderAuthorities.subject(of: $0) != nil }
        self.revoked = revoked
    }

    /// Takes the revocation of an entry over, if it has one; returns whether that is new.
    package mutating func revoke(_ item: CertificateLedger.Item) -> Bool {
        item.revokedAt != nil && revoked.insert(RevokedSerial(item.identity)).inserted
    }

    /// The CAs' certificates in PEM, for the list in TLS's CertificateRequest (RFC 8446 §4.2.4); empty without CAs.
    package var pem: String { authorities.map { PEM.certificate($0) }.joined() }
    /// Whether a certificate was revoked, for connections that were opened with it before.
    package func isRevoked(_ identity: CertificateIdentity) -> Bool { revoked.contains(RevokedSerial(identity)) }

    /// Judges a client's chain, DER, its own certificate first (`ProviderAPI#TLS`): chain, then revocation, then the
    /// contents of the certificate; the first fault counts.
    package func verdict(
        on chain: [[UInt8]], at now: Instant, authentication: TokenAuthentication = .strict
    ) -> CertificateVerdict {
        CertificateVerdict { () throws(CertificateFault) in
            guard let own = chain.first else { throw CertificateFault(.badCertificate, "the chain is empty") }
            return switch authentication {
            case .strict: try identity(of: own, in: chain, at: now)
            case .structural: try unprovenIdentity(of: own, at: now)
            }
        }
    }

    /// Whoever signed it: the certificates that test suites make have neither a known CA nor Apple's contents.
    private func unprovenIdentity(of own: [UInt8], at now: Instant) throws(CertificateFault) -> CertificateIdentity {
        let certificate = try attempt(Certificate(der: own)) {
            CertificateFault(.badCertificate, "the certificate cannot be read: \($0.problem)")
        }
        guard !revoked.contains(RevokedSerial(certificate)) else { throw revocation(certificate, own) }
        let identity = try ProviderCertificate.unprovenIdentity(certificate)
        let phrase = "the certificate of \(ProviderAuthorities.named(own))"
        guard now <= identity.notAfter else { throw ProviderAuthorities.expired(phrase, own) }
        guard now >= identity.notBefore else { throw ProviderAuthorities.notYetValid(phrase, own, now) }
        return identity
    }

    private func revocation(_ certificate: borrowing Certificate, _ own: [UInt8]) -> CertificateFault {
        CertificateFault(
            .certificateRevoked,
            "the certificate \(certificate.serialNumber) of \(ProviderAuthorities.named(own)) was revoked")
    }

    private func identity(
        of own: [UInt8], in chain: [[UInt8]], at now: Instant
    ) throws(CertificateFault) -> CertificateIdentity {
        guard chain.count <= ProviderAuthorities.chainLengthMax else {
            throw CertificateFault(
                .unknownCA,
                "the chain has \(chain.count) certificates; at most \(ProviderAuthorities.chainLengthMax) are allowed")
        }
        func unreadable(_ error: TrustError) -> CertificateFault {
            CertificateFault(.badCertificate, "the chain cannot be read: \(error.problem)")
        }
        let certificate = try attempt(Certificate(der: own), orThrow: unreadable)
        var unhandled: String?
        let fault = try attempt(
            certificate.clientFault(
                intermediates: Array(chain.dropFirst()), authorities: authorities,
                depthMax: ProviderAuthorities.chainLengthMax - 1, at: now,
                process: { member in
                    unhandled = unhandled ?? member.unhandledCriticalExtension(otherThan: ProviderExtension.identifiers)
                }), orThrow: unreadable)
        if let fault { throw ProviderAuthorities.certificateFault(fault, of: own, at: now) }
        if let unhandled { throw CertificateFault(.badCertificate, "unknown critical extension \(unhandled)") }
        guard !certificate.isAuthority, !certificate.isDeclaredAuthority else {
            throw CertificateFault(
                .unsupportedCertificate,
                "the certificate of \(ProviderAuthorities.named(own)) is a CA's, not a provider's")
        }
        guard !revoked.contains(RevokedSerial(certificate)) else { throw revocation(certificate, own) }
        return try ProviderCertificate.identity(of: own)
    }

    private static func certificateFault(
        _ fault: Certificate.ChainFault, of own: [UInt8], at now: Instant
    ) -> CertificateFault {
        let der = fault.certificate ?? own
        let phrase = fault.depth == 0 ? "the certificate of \(named(der))" : "the CA \(named(der))"
        switch fault.code {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return expired(phrase, der)
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return notYetValid(phrase, der, now)
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_CHAIN_TOO_LONG, X509_V_ERR_PATH_LENGTH_EXCEEDED,
            X509_V_ERR_INVALID_CA, X509_V_ERR_CERT_UNTRUSTED:
            return CertificateFault(.unknownCA, "no known CA signed \(phrase): \(fault.words)")
        case X509_V_ERR_INVALID_PURPOSE, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_KEYUSAGE_NO_DIGITAL_SIGNATURE,
            X509_V_ERR_CERT_REJECTED:
            return CertificateFault(
                .unsupportedCertificate, "\(phrase) may not be used by a TLS client: \(fault.words)")
        default:
            return CertificateFault(.badCertificate, "\(phrase) is not valid: \(fault.words)")
        }
    }

    private static func expired(_ phrase: String, _ der: [UInt8]) -> CertificateFault {
        CertificateFault(.certificateExpired, "\(phrase) expired on \(validity(of: der).to)")
    }

    private static func notYetValid(_ phrase: String, _ der: [UInt8], _ now: Instant) -> CertificateFault {
        CertificateFault(
            .badCertificate, "\(phrase) is not valid before \(validity(of: der).from), and it is \(now.rfc3339) now")
    }

    static func named(_ der: [UInt8]) -> String { subject(of: der) ?? "a subject that cannot be read" }
    private static func subject(of der: [UInt8]) -> String? { (try? Certificate(der: der))?.subjectLine }

    private static func validity(of der: [UInt8]) -> (from: String, to: String) {
        let validity = try? Certificate(der: der).validity()
        let unreadable = "a time that cannot be read"
        return (validity?.from.rfc3339 ?? unreadable, validity?.to.rfc3339 ?? unreadable)
    }
}

/// The identity of a revoked certificate: its CA and its serial number (RFC 5280 §4.1.2.2).
package struct RevokedSerial: Sendable, Hashable {
    /// The CA's subject, as ``CertificateIdentity/issuer`` has it.
    let issuer: String
    let serialNumber: String

    init(issuer: String, serialNumber: String) {
        self.issuer = issuer
        self.serialNumber = serialNumber
    }
    init(_ identity: CertificateIdentity) { self.init(issuer: identity.issuer, serialNumber: identity.serialNumber) }

    init(_ certificate: borrowing Certificate) {
        issuer = certificate.issuerLine ?? ""
        serialNumber = certificate.serialNumber
    }
}
