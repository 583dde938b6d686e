package import APNsRules

extension TrustMaterial {
    /// A certificate and its key that the server presents in place of its own.
    package struct Substitute: Sendable {
        /// The certificate and its CA's, in PEM, in the order of TLS: for clients that connect to an address.
        package let chainPEM: String
        /// The same without addresses, for clients that name a host.
        package let hostChainPEM: String
        /// The key of both in PEM: the server's own.
        package let keyPEM: String
    }

    // In a domain that each of our CAs may sign, so that only the name is wrong.
    private static let otherService = CertificateName.dns("another-service.test")

    /// Makes a certificate that a provider must not accept (`Documents#Actions`), in memory only.
    ///
    /// - Parameter now: The system's time, by which clients judge certificates.
    /// - Throws: ``TrustError`` if the CA's key is missing.
    package func makeSubstitute(
        _ kind: WireTLSFault.Certificate, now: Instant
    ) throws(TrustError) -> Substitute {
        let names = serverNames.compactMap { CertificateName($0) }
        let key = try P256PrivateKey(pem: serverKeyPEM)
        switch kind {
        case .expired:
            return try substitute(names, for: key, of: authority) {
                .expiredServer($0, now: now, authorityEnds: $1)
            }
        case .wrongHost:
            return try substitute([TrustMaterial.otherService], for: key, of: authority) {
                .server($0, now: now, authorityEnds: $1)
            }
        case .untrusted:
            return try substitute(names, for: key, of: CertificateAuthority.make(names, now: now)) {
                .server($0, now: now, authorityEnds: $1)
            }
        }
    }

    private func substitute(
        _ names: [CertificateName], for key: P256PrivateKey, of authority: CertificateAuthority,
        profile: ([CertificateName], _ authorityEnds: Instant) -> CertificateProfile
    ) throws(TrustError) -> Substitute {
        guard let authorityKey = authority.key else {
            throw TrustError(
                .unreadable, file: caFile, "has no key in its folder, so no certificate can be signed",
                remedy: "Put ca-key.pem back, or make a new CA with `mynah certs init --renew-ca`")
        }
        func chain(_ names: [CertificateName]) throws(TrustError) -> String {
            let certificate = try Certificate(der: authority.der)
                .issue(profile(names, authority.notAfter), for: key.publicKey, signedWith: authorityKey).der()
            return PEM.encode(certificate, label: "CERTIFICATE") + authority.pem
        }
        return Substitute(chainPEM: try chain(names), hostChainPEM: try chain(names.filter(\.isHost)), keyPEM: key.pem)
    }
}
