internal import APNsRules

extension StateFolder {
    private var remedy: String {
        "Put the right file back, or make a new CA with `\(renewing("--renew-ca"))` and let clients trust that one"
    }

    /// Reads the CA from the folder, or makes one and stores it there if the folder is writable.
    ///
    /// Throws if the CA is broken, or missing beside a server's certificate: clients may trust the missing one.
    mutating func authority(
        _ names: [CertificateName], now: Instant, renew: Bool
    ) throws(TrustError) -> (authority: CertificateAuthority, isOnDisk: Bool) {
        if !renew, let found = try existingAuthority(now: now) {
            if found.notAfter < now.advanced(by: CertificateProfile.renewalMargin) {
                warnings.append("The CA expires on \(found.notAfter.rfc3339). \(remedy).")
            }
            return (found, true)
        }
        if !renew, let file = path(of: CertificateAuthority.fileName), try read(StateFolder.serverName) != nil {
            throw TrustError(
                .unreadable, file: file, "is missing, but \(StateFolder.serverName) in the same folder needs it",
                remedy: remedy)
        }
        let made = try CertificateAuthority.make(names, now: now)
        // The key first: a certificate without its key would be an error at the next start, but a key without its
        // certificate is replaced.
        guard let key = made.key, try write(key.pem, to: CertificateAuthority.keyFileName, mode: 0o600),
            try write(made.pem, to: CertificateAuthority.fileName, mode: 0o644)
        else { return (made, false) }
        return (made, true)
    }

    private func existingAuthority(now: Instant) throws(TrustError) -> CertificateAuthority? {
        guard let (text, file) = try read(CertificateAuthority.fileName) else { return nil }
        let certificate = try CertificateFile(text, file: file, remedy: remedy, now: now)
        guard certificate.isAuthority else {
            throw TrustError(
                .malformed, file: file, "is the certificate of a server, not of a CA", remedy: remedy)
        }
        let key = try privateKey(
            CertificateAuthority.keyFileName, of: certificate.publicKey, certificate: CertificateAuthority.fileName,
            remedy: remedy)
        return CertificateAuthority(der: certificate.der, key: key, notAfter: certificate.notAfter)
    }

    /// The private key of a certificate, from the folder; `nil` if the file doesn't exist.
    func privateKey(
        _ name: String, of publicKey: P256PublicKey, certificate: String, remedy: String
    ) throws(TrustError) -> P256PrivateKey? {
        guard let (text, file) = try read(name) else { return nil }
        let key = try attempt(P256PrivateKey(pem: text)) { $0.inFile(file, remedy: remedy) }
        guard key.publicKey == publicKey else {
            throw TrustError(.mismatch, file: file, "is not the key of \(certificate)", remedy: remedy)
        }
        return key
    }
}

/// A certificate from a file: X.509 in PEM with a P-256 key, valid now.
struct CertificateFile {
    let der: [UInt8]
    let publicKey: P256PublicKey
    let notAfter: Instant
    let isAuthority: Bool

    /// Reads the text of a file; an error has `remedy`.
    init(_ text: String, file: String, remedy: String, now: Instant) throws(TrustError) {
        do throws(TrustError) {
            let certificate = try Certificate(PEM.requiredBlocks(in: text)[0])
            self.publicKey = try attempt(
                P256PublicKey(pem: PEM.encode(certificate.subjectPublicKeyInfo(), label: "PUBLIC KEY"))
            ) { TrustError.malformed("has an unsupported key: it \($0.problem)") }
            if let fault = try certificate.timeFault(at: now) { throw TrustError(.expired, fault) }
            self.der = try certificate.der()
            self.notAfter = try certificate.notAfter()
            self.isAuthority = certificate.isAuthority
        } catch {
            throw error.inFile(file, remedy: remedy)
        }
    }
}
