internal import APNsRules

/// The contents of a certificate to be signed.
struct CertificateProfile: Sendable {
    /// Attributes of the subject, in order: `O`, `CN`.
    let subject: [(name: String, value: String)]
    let notBefore: Instant
    let notAfter: Instant
    /// Extensions in order, by OpenSSL's names and in its language (x509v3_config(5)).
    let extensions: [(name: String, value: String)]

    /// How far in the past a new certificate's validity begins, for clients with slow clocks.
    private static let backdating: Duration = .seconds(24 * 3600)
    /// How long a CA is valid; longer than a development machine lives.
    private static let authorityLifetime: Duration = .seconds(10 * 365 * 24 * 3600)
    /// How long a server's certificate is valid, backdating included; browsers and Apple's platforms refuse more than
    /// 398 days from a public CA, 825 from a private one.
    static let serverLifetime: Duration = .seconds(397 * 24 * 3600)
    /// How long before its end a server's certificate is replaced.
    static let renewalMargin: Duration = .seconds(30 * 24 * 3600)

    /// A CA that may only sign within these constraints; `mark` distinguishes the CAs of several folders, because one
    /// name with two keys confuses clients that trust both.
    static func authority(mark: String, constraints: String, now: Instant) -> CertificateProfile {
        CertificateProfile(
            subject: [("O", "Mynah"), ("CN", "Mynah local CA \(mark)")],
            notBefore: start(now), notAfter: start(now).advanced(by: authorityLifetime),
            extensions: [
                ("basicConstraints", "critical,CA:TRUE,pathlen:0"),
                ("keyUsage", "critical,keyCertSign,cRLSign"),
                // Name constraints restrict neither code signing nor mail addresses.
                ("extendedKeyUsage", "serverAuth,clientAuth"),
                ("subjectKeyIdentifier", "hash"),
                ("nameConstraints", "critical,\(constraints)"),
            ])
    }

    /// A server of these names; valid no longer than its CA.
    static func server(_ names: [CertificateName], now: Instant, authorityEnds: Instant) -> CertificateProfile {
        CertificateProfile(
            subject: [("O", "Mynah"), ("CN", "Mynah server")],
            notBefore: start(now), notAfter: min(start(now).advanced(by: serverLifetime), authorityEnds),
            extensions: [
                ("basicConstraints", "critical,CA:FALSE"),
                ("keyUsage", "critical,digitalSignature"),
                ("extendedKeyUsage", "serverAuth"),
                ("subjectKeyIdentifier", "hash"),
                ("authorityKeyIdentifier", "keyid:always"),
                ("subjectAltName", names.map(\.configuration).joined(separator: ",")),
            ])
    }

    private static func start(_ now: Instant) -> Instant { now.advanced(by: .zero - backdating) }
}
