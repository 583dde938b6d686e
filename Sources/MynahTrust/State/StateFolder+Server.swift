internal import APNsRules

/// A server's certificates and their key.
struct ServerCredential: Sendable {
    /// The certificate with all names, in DER: for clients that connect to an address and so name no host.
    let certificate: [UInt8]
    /// The certificate without addresses, in DER: for clients that name a host, because BoringSSL doesn't support
    /// constraints on addresses and refuses a certificate with addresses from a CA that has them.
    let hostCertificate: [UInt8]
    let key: P256PrivateKey
    /// The wanted names that the certificates lack, because the CA may not sign them.
    let leftOut: [CertificateName]
    /// Whether certificates and key are on disk.
    let isOnDisk: Bool
}

extension StateFolder {
    static let serverName = "server.pem"
    static let hostServerName = "server-hosts.pem"
    /// The key of both certificates.
    static let serverKeyName = "server-key.pem"

    private var remedy: String { "Make a new one with `\(renewing("--renew"))`, or delete the file" }

    /// Reads the server's certificates from the folder, or makes new ones and stores them there if it is writable.
    ///
    /// Replaces valid certificates, with the same key, if they lack a name that the CA may sign, expire soon, or if the
    /// one without addresses is missing. Throws if one is broken or expired.
    mutating func server(
        _ names: [CertificateName], under authority: CertificateAuthority, now: Instant, renew: Bool
    ) throws(TrustError) -> ServerCredential {
        guard !renew, let (found, key) = try existingServer(under: authority, now: now) else {
            let key = try P256PrivateKey.generate()
            return try makeServer(names, for: key, under: authority, now: now, keyIsOnDisk: false)
        }
        let certificate = try Certificate(der: found.der)
        let missing = names.filter { !certificate.holds($0) }
        var leftOut: [CertificateName] = []
        for name in missing where try !authority.permits(name, now: now) { leftOut.append(name) }
        let endsSoon =
            found.notAfter < now.advanced(by: CertificateProfile.renewalMargin) && found.notAfter < authority.notAfter
        let expected = names.filter { !missing.contains($0) }
        let hosts = try existingHostServer(expected, of: key, under: authority, now: now)
        if hosts == nil, authority.key == nil {
            warnings.append(
                "\(StateFolder.hostServerName) is missing and needs \(CertificateAuthority.keyFileName) to be made:"
                    + " clients built on BoringSSL can't connect. Put the CA's key back.")
        } else if hosts == nil {
            notices.append(
                "The server's certificates were renewed under the same CA: clients built on BoringSSL need one "
                    + "without addresses.")
        }
        let isGood = hosts != nil && leftOut.count == missing.count && !endsSoon
        guard isGood || authority.key == nil else {
            return try makeServer(names, for: key, under: authority, now: now, keyIsOnDisk: true)
        }
        return ServerCredential(
            certificate: found.der, hostCertificate: hosts ?? found.der, key: key, leftOut: leftOut, isOnDisk: true)
    }

    /// The certificate without addresses, in DER; `nil` if it is missing or doesn't match the one with all names.
    private func existingHostServer(
        _ names: [CertificateName], of key: P256PrivateKey, under authority: CertificateAuthority, now: Instant
    ) throws(TrustError) -> [UInt8]? {
        guard let (text, file) = try read(StateFolder.hostServerName) else { return nil }
        let found = try CertificateFile(text, file: file, remedy: remedy, now: now)
        guard found.publicKey == key.publicKey, try authority.fault(of: found.der, at: now) == nil else { return nil }
        let certificate = try Certificate(der: found.der)
        let hosts = StateFolder.hosts(among: names)
        return names.allSatisfy { certificate.holds($0) == hosts.contains($0) } ? found.der : nil
    }

    // A certificate without its key doesn't count: making them was interrupted, or the user deleted one.
    private func existingServer(
        under authority: CertificateAuthority, now: Instant
    ) throws(TrustError) -> (CertificateFile, P256PrivateKey)? {
        guard let (text, file) = try read(StateFolder.serverName) else { return nil }
        let certificate = try CertificateFile(text, file: file, remedy: remedy, now: now)
        guard
            let key = try privateKey(
                StateFolder.serverKeyName, of: certificate.publicKey, certificate: StateFolder.serverName,
                remedy: remedy)
        else { return nil }
        guard let fault = try authority.fault(of: certificate.der, at: now) else { return (certificate, key) }
        throw TrustError(
            .mismatch, file: file,
            "would be refused by clients that trust \(CertificateAuthority.fileName) (\(fault))",
            remedy: remedy)
    }

    /// The host names among `names`, or all names if there are only addresses.
    private static func hosts(among names: [CertificateName]) -> [CertificateName] {
        let hosts = names.filter(\.isHost)
        return hosts.isEmpty ? names : hosts
    }

    private func makeServer(
        _ names: [CertificateName], for key: P256PrivateKey, under authority: CertificateAuthority, now: Instant,
        keyIsOnDisk: Bool
    ) throws(TrustError) -> ServerCredential {
        let file = path(of: CertificateAuthority.keyFileName)
        let remedy =
            "Put \(CertificateAuthority.keyFileName) back into the state folder, or make a new CA with "
            + "`\(renewing("--renew-ca"))`"
        _ = try attempt(authority.signingKey()) { $0.inFile(file, remedy: remedy) }
        let (certificate, leftOut) = try authority.issueServer(names, for: key.publicKey, now: now)
        let hosts = StateFolder.hosts(among: names.filter { !leftOut.contains($0) })
        let (hostCertificate, _) = try authority.issueServer(hosts, for: key.publicKey, now: now)
        var isOnDisk = keyIsOnDisk
        if !isOnDisk { isOnDisk = try write(key.pem, to: StateFolder.serverKeyName, mode: 0o600) }
        for (name, der) in [(StateFolder.serverName, certificate), (StateFolder.hostServerName, hostCertificate)]
        where isOnDisk {
            isOnDisk = try write(PEM.certificate(der), to: name, mode: 0o644)
        }
        return ServerCredential(
            certificate: certificate, hostCertificate: hostCertificate, key: key, leftOut: leftOut, isOnDisk: isOnDisk)
    }
}
