internal import APNsRules

extension StateFolder {
    /// The CA's certificate, for clients.
    static let authorityName = "ca.pem"
    /// The CA's key; never leaves the folder.
    static let authorityKeyName = "ca-key.pem"

    private static let remedy =
        "Put the right file back, or make a new CA by `mynah certs init --renew-ca`, and let clients trust that one"

    /// The CA in the folder, or a new one, kept there where that can be.
    ///
    /// - Returns: The CA, and whether its certificate is on disk.
    /// - Throws: ``TrustError`` when the CA is broken, or missing beside a server's certificate: a new CA would replace
    ///   the one that clients trust, and its key.
    func authority(
        _ names: [CertificateName], now: Instant, renew: Bool, remarks: inout TrustRemarks
    ) throws(TrustError) -> (authority: CertificateAuthority, isOnDisk: Bool) {
        if !renew, let found = try existingAuthority(now: now) {
            if found.notAfter < now.advanced(by: CertificateProfile.renewalMargin) {
                remarks.warnings.append("The CA expires on \(found.notAfter.rfc3339). \(StateFolder.remedy).")
            }
            return (found, true)
        }
        if !renew, let file = path(of: StateFolder.authorityName), try read(StateFolder.serverName) != nil {
            throw TrustError(
                .unreadable, file: file, "is missing, although \(StateFolder.serverName) beside it needs its CA",
                remedy: StateFolder.remedy)
        }
        let made = try CertificateAuthority.make(names, now: now)
        // The key first: a certificate without its key would be an error at the next start, a key without its
        // certificate is just replaced.
        guard let key = made.key, try write(key.pem, to: StateFolder.authorityKeyName, mode: 0o600),
            try write(made.pem, to: StateFolder.authorityName, mode: 0o644)
        else { return (made, false) }
        return (made, true)
    }

    private func existingAuthority(now: Instant) throws(TrustError) -> CertificateAuthority? {
        guard let text = try read(StateFolder.authorityName), let file = path(of: StateFolder.authorityName) else {
            return nil
        }
        let certificate = try CertificateFile(text, file: file, remedy: StateFolder.remedy, now: now)
        guard certificate.isAuthority else {
            throw TrustError(
                .malformed, file: file, "is the certificate of a server, not of a CA", remedy: StateFolder.remedy)
        }
        let key = try privateKey(
            StateFolder.authorityKeyName, of: certificate.publicKey, certificate: StateFolder.authorityName,
            remedy: StateFolder.remedy)
        return CertificateAuthority(der: certificate.der, key: key, notAfter: certificate.notAfter)
    }

    /// A private key in the folder that must be a certificate's; `nil` when the file is not there.
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
            throw TrustError(.mismatch, file: file, "is not the key of \(certificate) beside it", remedy: remedy)
        }
        return key
    }
}
