internal import APNsRules

/// A certificate from a file: X.509 in PEM with a P-256 key, valid now.
struct CertificateFile {
    let der: [UInt8]
    let publicKey: P256PublicKey
    /// The last moment at which the certificate is valid.
    let notAfter: Instant
    /// Whether the certificate may sign others.
    let isAuthority: Bool

    /// Reads the text of a file.
    ///
    /// - Parameter remedy: The remedy for a broken or expired certificate.
    /// - Throws: ``TrustError`` with the first fault.
    init(_ text: String, file: String, remedy: String, now: Instant) throws(TrustError) {
        func fault(_ code: TrustError.Code, _ problem: String) -> TrustError {
            TrustError(code, file: file, problem, remedy: remedy)
        }
        guard let block = PEM.blocks(in: text).first else {
            throw fault(.malformed, "is not PEM: no complete BEGIN and END lines")
        }
        guard block.label == "CERTIFICATE" else {
            throw fault(.malformed, "holds a \(block.label); a CERTIFICATE was expected")
        }
        guard let der = block.der else { throw fault(.malformed, "has a CERTIFICATE whose text is not base64") }
        let facts: (key: [UInt8], from: Instant, to: Instant, isAuthority: Bool)
        do {
            let certificate = try Certificate(der: der)
            facts = try (
                certificate.subjectPublicKeyInfo(), certificate.notBefore(), certificate.notAfter(),
                certificate.isAuthority
            )
        } catch {
            throw fault(.malformed, "is a certificate that OpenSSL cannot read (\(error))")
        }
        do {
            self.publicKey = try P256PublicKey(pem: PEM.encode(facts.key, label: "PUBLIC KEY"))
        } catch {
            throw fault(.malformed, "has an unsupported key: it \(error.problem)")
        }
        guard now <= facts.to else { throw fault(.expired, "has expired on \(facts.to.rfc3339)") }
        guard now >= facts.from else {
            throw fault(.expired, "is not valid before \(facts.from.rfc3339), and it is \(now.rfc3339) now")
        }
        self.der = der
        self.notAfter = facts.to
        self.isAuthority = facts.isAuthority
    }
}
