internal import APNsRules

/// A server's certificate and key, and what of the wanted names it holds.
struct ServerCredential: Sendable {
    /// The certificate in DER.
    let certificate: [UInt8]
    /// Its key.
    let key: P256PrivateKey
    /// The names that it does not hold, because the CA may not sign them.
    let leftOut: [CertificateName]
    /// Whether both are on disk.
    let isOnDisk: Bool
}

extension StateFolder {
    /// The server's certificate.
    static let serverName = "server.pem"
    /// Its key.
    static let serverKeyName = "server-key.pem"

    private static let remedy = "Make a new one by `mynah certs init --renew`, or delete the file"

    /// The server's certificate in the folder, or a new one of the CA, kept there where that can be.
    ///
    /// A good one is replaced by itself, under the same key, when it lacks a name that the CA may sign, or ends
    /// soon; a broken or expired one is an error.
    func server(
        _ names: [CertificateName], under authority: CertificateAuthority, now: Instant, renew: Bool
    ) throws(TrustError) -> ServerCredential {
        guard !renew, let (found, key) = try existingServer(under: authority, now: now) else {
            let key = try P256PrivateKey.generate()
            return try makeServer(names, for: key, under: authority, now: now, keyIsOnDisk: false)
        }
        let missing = try missingNames(names, in: found)
        var leftOut: [CertificateName] = []
        for name in missing where try !authority.permits(name, now: now) { leftOut.append(name) }
        let endsSoon =
            found.notAfter < now.advanced(by: CertificateProfile.renewalMargin) && found.notAfter < authority.notAfter
        guard authority.key != nil, leftOut.count < missing.count || endsSoon else {
            return ServerCredential(certificate: found.der, key: key, leftOut: leftOut, isOnDisk: true)
        }
        return try makeServer(names, for: key, under: authority, now: now, keyIsOnDisk: true)
    }

    // A pair of which one is missing is no pair: it was never finished, or somebody wants a new one.
    private func existingServer(
        under authority: CertificateAuthority, now: Instant
    ) throws(TrustError) -> (CertificateFile, P256PrivateKey)? {
        guard let text = try read(StateFolder.serverName), let file = path(of: StateFolder.serverName) else {
            return nil
        }
        let certificate = try CertificateFile(text, file: file, remedy: StateFolder.remedy, now: now)
        guard
            let key = try privateKey(
                StateFolder.serverKeyName, of: certificate.publicKey, certificate: StateFolder.serverName,
                remedy: StateFolder.remedy)
        else { return nil }
        let fault: String?
        do {
            fault = try authority.fault(of: certificate.der, at: now)
        } catch {
            throw TrustError(error)
        }
        guard let fault else { return (certificate, key) }
        throw TrustError(
            .mismatch, file: file,
            "is not a certificate that clients who trust \(StateFolder.authorityName) accept (\(fault))",
            remedy: StateFolder.remedy)
    }

    private func missingNames(
        _ names: [CertificateName], in found: CertificateFile
    ) throws(TrustError) -> [CertificateName] {
        do {
            let certificate = try Certificate(der: found.der)
            var missing: [CertificateName] = []
            for name in names where !certificate.holds(name) { missing.append(name) }
            return missing
        } catch {
            throw TrustError(error)
        }
    }

    private func makeServer(
        _ names: [CertificateName], for key: P256PrivateKey, under authority: CertificateAuthority, now: Instant,
        keyIsOnDisk: Bool
    ) throws(TrustError) -> ServerCredential {
        guard let authorityKey = authority.key else {
            throw TrustError(
                .unreadable, file: path(of: StateFolder.authorityKeyName),
                "is missing, so no certificate can be signed for the server",
                remedy: "Put it back, or make a new CA by `mynah certs init --renew-ca`")
        }
        let (certificate, leftOut) = try authority.issueServer(
            names, for: key.publicKey, signedWith: authorityKey, now: now)
        var isOnDisk = keyIsOnDisk
        if !isOnDisk { isOnDisk = try write(key.pem, to: StateFolder.serverKeyName, mode: 0o600) }
        if isOnDisk {
            let pem = PEM.encode(certificate, label: "CERTIFICATE")
            isOnDisk = try write(pem, to: StateFolder.serverName, mode: 0o644)
        }
        return ServerCredential(certificate: certificate, key: key, leftOut: leftOut, isOnDisk: isOnDisk)
    }
}
