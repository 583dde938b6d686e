internal import APNsRules

extension StateFolder {
    private static let remedy =
        "Put the right file back, or make a new CA with `mynah certs init --renew-ca` and let clients trust that one"

    /// Reads the CA in the folder, or makes one and keeps it there if the folder is writable.
    ///
    /// - Returns: The CA, and whether its certificate is on disk.
    /// - Throws: ``TrustError`` if the CA is broken, or missing although the folder has a server's certificate: a new
    ///   CA would replace the one that clients trust.
    func authority(
        _ names: [CertificateName], now: Instant, renew: Bool, remarks: inout TrustRemarks
    ) throws(TrustError) -> (authority: CertificateAuthority, isOnDisk: Bool) {
        if !renew, let found = try existingAuthority(now: now) {
            if found.notAfter < now.advanced(by: CertificateProfile.renewalMargin) {
                remarks.warnings.append("The CA expires on \(found.notAfter.rfc3339). \(StateFolder.remedy).")
            }
            return (found, true)
        }
        if !renew, let file = path(of: CertificateAuthority.fileName), try read(StateFolder.serverName) != nil {
            throw TrustError(
                .unreadable, file: file, "is missing, but \(StateFolder.serverName) in the same folder needs it",
                remedy: StateFolder.remedy)
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
        guard let text = try read(CertificateAuthority.fileName), let file = path(of: CertificateAuthority.fileName)
        else {
            return nil
        }
        let certificate = try CertificateFile(text, file: file, remedy: StateFolder.remedy, now: now)
        guard certificate.isAuthority else {
            throw TrustError(
                .malformed, file: file, "is the certificate of a server, not of a CA", remedy: StateFolder.remedy)
        }
        let key = try privateKey(
            CertificateAuthority.keyFileName, of: certificate.publicKey, certificate: CertificateAuthority.fileName,
            remedy: StateFolder.remedy)
        return CertificateAuthority(der: certificate.der, key: key, notAfter: certificate.notAfter)
    }

    /// The private key of a certificate, from the folder; `nil` if the file doesn't exist.
    func privateKey(
        _ name: String, of publicKey: P256PublicKey, certificate: String, remedy: String
    ) throws(TrustError) -> P256PrivateKey? {
        guard let text = try read(name), let file = path(of: name) else { return nil }
        let key: P256PrivateKey
        do {
            key = try P256PrivateKey(pem: text)
        } catch {
            throw TrustError(error.code, file: file, error.problem, remedy: remedy)
        }
        guard key.publicKey == publicKey else {
            throw TrustError(.mismatch, file: file, "is not the key of \(certificate)", remedy: remedy)
        }
        return key
    }
}
