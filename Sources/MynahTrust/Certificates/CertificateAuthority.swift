internal import APNsRules

/// A CA: its certificate, and its key if that is known.
struct CertificateAuthority: Sendable {
    static let fileName = "ca.pem"
    /// The key's file; never leaves the state folder.
    static let keyFileName = "ca-key.pem"

    let der: [UInt8]
    let key: P256PrivateKey?
    let notAfter: Instant

    var pem: String { PEM.encode(der, label: "CERTIFICATE") }

    /// Makes a CA that may sign the usual names and those given.
    static func make(_ names: [CertificateName], now: Instant) throws(TrustError) -> CertificateAuthority {
        let key = try P256PrivateKey.generate()
        let profile = CertificateProfile.authority(
            mark: Identifier.random(), constraints: ServerNames.constraints(for: names), now: now)
        let certificate = try Certificate.selfSigned(profile, key: key)
        return try CertificateAuthority(der: certificate.der(), key: key, notAfter: certificate.notAfter())
    }

    /// Signs a server's certificate with all the names that the CA's constraints permit.
    ///
    /// If all names together don't pass, each is tried alone, because a single name outside the constraints makes a
    /// certificate invalid (`ControlAPI#Certificate-names`).
    func issueServer(
        _ names: [CertificateName], for subject: P256PublicKey, signedWith key: P256PrivateKey, now: Instant
    ) throws(TrustError) -> (certificate: [UInt8], leftOut: [CertificateName]) {
        let whole = try issue(names, for: subject, signedWith: key, now: now)
        if try fault(of: whole, at: now) == nil { return (whole, []) }
        var (permitted, leftOut): ([CertificateName], [CertificateName]) = ([], [])
        var lastFault = ""
        for name in names {
            let alone = try issue([name], for: subject, signedWith: key, now: now)
            if let fault = try fault(of: alone, at: now) {
                leftOut.append(name)
                lastFault = fault
            } else {
                permitted.append(name)
            }
        }
        guard !permitted.isEmpty else {
            throw TrustError(
                .mismatch, "the CA's constraints permit none of the server's names (\(lastFault))",
                remedy: "Make a new CA with `mynah certs init --renew-ca`")
        }
        return (try issue(permitted, for: subject, signedWith: key, now: now), leftOut)
    }

    /// Whether the CA's constraints permit a name; `false` without its key.
    func permits(_ name: CertificateName, now: Instant) throws(TrustError) -> Bool {
        guard let key else { return false }
        return try fault(of: issue([name], for: key.publicKey, signedWith: key, now: now), at: now) == nil
    }

    /// Why clients would refuse a certificate signed by this CA; `nil` if they accept it.
    func fault(of certificate: [UInt8], at now: Instant) throws(TrustError) -> String? {
        try Certificate(der: certificate).fault(under: Certificate(der: der), at: now)
    }

    private func issue(
        _ names: [CertificateName], for subject: P256PublicKey, signedWith key: P256PrivateKey, now: Instant
    ) throws(TrustError) -> [UInt8] {
        let profile = CertificateProfile.server(names, now: now, authorityEnds: notAfter)
        return try Certificate(der: der).issue(profile, for: subject, signedWith: key).der()
    }
}
