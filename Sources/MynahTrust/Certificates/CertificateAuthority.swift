internal import APNsRules

/// A CA as values: its certificate, and its key where that is at hand.
struct CertificateAuthority: Sendable {
    /// The certificate.
    let der: [UInt8]
    /// Its key; `nil` where only the certificate is kept, and then nothing can be signed.
    let key: P256PrivateKey?
    /// The last moment at which it is valid.
    let notAfter: Instant

    /// PEM, `CERTIFICATE`.
    var pem: String { PEM.encode(der, label: "CERTIFICATE") }

    /// A new CA that may sign the usual names and those given.
    static func make(_ names: [CertificateName], now: Instant) throws(TrustError) -> CertificateAuthority {
        let key = try P256PrivateKey.generate()
        let profile = CertificateProfile.authority(
            mark: Identifier.random(), constraints: ServerNames.constraints(for: names), now: now)
        do {
            let certificate = try Certificate.selfSigned(profile, key: key)
            return try CertificateAuthority(der: certificate.der(), key: key, notAfter: certificate.notAfter())
        } catch {
            throw TrustError(error)
        }
    }

    /// Signs a server's certificate with all the names that the CA's constraints permit.
    ///
    /// The names are tried one by one where all together do not pass, because one name outside makes a
    /// certificate invalid as a whole (`ControlAPI#Certificate-names`).
    func issueServer(
        _ names: [CertificateName], for subject: P256PublicKey, signedWith key: P256PrivateKey, now: Instant
    ) throws(TrustError) -> (certificate: [UInt8], leftOut: [CertificateName]) {
        var (permitted, leftOut): ([CertificateName], [CertificateName]) = ([], [])
        var lastFault = ""
        do {
            let whole = try issue(names, for: subject, signedWith: key, now: now)
            if try fault(of: whole, at: now) == nil { return (whole, []) }
            for name in names {
                let alone = try issue([name], for: subject, signedWith: key, now: now)
                if let fault = try fault(of: alone, at: now) {
                    leftOut.append(name)
                    lastFault = fault
                } else {
                    permitted.append(name)
                }
            }
            if !permitted.isEmpty {
                return (try issue(permitted, for: subject, signedWith: key, now: now), leftOut)
            }
        } catch {
            throw TrustError(error)
        }
        throw TrustError(
            .mismatch, "the CA may sign none of the names that the server should have (\(lastFault))",
            remedy: "Make a new CA by `mynah certs init --renew-ca`")
    }

    /// Whether the CA's constraints permit a name; `false` when its key is not at hand.
    func permits(_ name: CertificateName, now: Instant) throws(TrustError) -> Bool {
        guard let key else { return false }
        do {
            return try fault(of: issue([name], for: key.publicKey, signedWith: key, now: now), at: now) == nil
        } catch {
            throw TrustError(error)
        }
    }

    /// Why clients would not take a certificate signed by this CA; `nil` when they would.
    func fault(of certificate: [UInt8], at now: Instant) throws(OpenSSLError) -> String? {
        try Certificate(der: certificate).fault(under: Certificate(der: der), at: now)
    }

    private func issue(
        _ names: [CertificateName], for subject: P256PublicKey, signedWith key: P256PrivateKey, now: Instant
    ) throws(OpenSSLError) -> [UInt8] {
        let profile = CertificateProfile.server(names, now: now, authorityEnds: notAfter)
        return try Certificate(der: der).issue(profile, for: subject, signedWith: key).der()
    }
}
