internal import APNsRules

/// A CA: its certificate, and its key if that is known.
struct CertificateAuthority: Sendable {
    static let fileName = "ca.pem"
    /// The key's file, which never leaves the state folder.
    static let keyFileName = "ca-key.pem"

    let der: [UInt8]
    let key: P256PrivateKey?
    let notAfter: Instant

    var pem: String { PEM.certificate(der) }

    /// Makes a CA that may sign the usual names and `names`.
    static func make(_ names: [CertificateName], now: Instant) throws(TrustError) -> CertificateAuthority {
        let key = try P256PrivateKey.generate()
        let profile = CertificateProfile.authority(
            mark: Identifier.random(), constraints: ServerNames.constraints(for: names), now: now)
        let certificate = try Certificate.selfSigned(profile, key: key)
        return try CertificateAuthority(der: certificate.der(), key: key, notAfter: certificate.notAfter())
    }

    /// The key, for signing; throws if it is missing.
    func signingKey() throws(TrustError) -> P256PrivateKey {
        if let key { return key }
        throw TrustError(
            .unreadable, "the CA's key is missing, so no certificate can be signed",
            remedy: "Put \(CertificateAuthority.keyFileName) back into the state folder, or make a new CA with "
                + "`mynah certs init --renew-ca` with the same --state-dir")
    }

    /// Signs a server's certificate with all the names that the CA's constraints permit; the others are left out,
    /// because a single forbidden name makes a certificate invalid (`ControlAPI#Certificate-names`).
    func issueServer(
        _ names: [CertificateName], for subject: P256PublicKey, now: Instant
    ) throws(TrustError) -> (certificate: [UInt8], leftOut: [CertificateName]) {
        let whole = try issue(names, for: subject, now: now)
        guard let fault = try fault(of: whole, at: now) else { return (whole, []) }
        var permitted: [CertificateName] = []
        for name in names where try permits(name, now: now) { permitted.append(name) }
        guard !permitted.isEmpty else {
            throw TrustError(
                .mismatch, "the CA's constraints permit none of the server's names (\(fault))",
                remedy: "Make a new CA with `mynah certs init --renew-ca` with the same --state-dir")
        }
        return (try issue(permitted, for: subject, now: now), names.filter { !permitted.contains($0) })
    }

    /// Whether the CA's constraints permit a name; `false` without its key.
    func permits(_ name: CertificateName, now: Instant) throws(TrustError) -> Bool {
        guard let key else { return false }
        return try fault(of: issue([name], for: key.publicKey, now: now), at: now) == nil
    }

    /// Why clients would refuse a certificate signed by this CA; `nil` if they accept it.
    func fault(of certificate: [UInt8], at now: Instant) throws(TrustError) -> String? {
        try Certificate(der: certificate).fault(under: Certificate(der: der), at: now)
    }

    /// Signs a server's certificate with these names, whether the CA's constraints permit them or not.
    func issue(_ names: [CertificateName], for subject: P256PublicKey, now: Instant) throws(TrustError) -> [UInt8] {
        let profile = CertificateProfile.server(names, now: now, authorityEnds: notAfter)
        return try Certificate(der: der).issue(
            profile, for: subject.subjectPublicKeyInfo, signedWith: signingKey().pkcs8
        ).der()
    }
}
