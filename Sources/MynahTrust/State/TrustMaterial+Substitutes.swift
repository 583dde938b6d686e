package import APNsRules

extension TrustMaterial {
    /// A certificate and its key that the server shows in place of its own.
    package struct Substitute: Sendable {
        /// The certificate and its CA's, in PEM, in the order of TLS.
        package let chainPEM: String
        /// The certificate's key in PEM: the server's own.
        package let keyPEM: String
    }

    // Below a domain that every CA of ours may sign, so that the name alone is wrong.
    private static let otherService = CertificateName.dns("another-service.test")

    /// Makes a certificate that a provider must not accept (`models.md`, action `tls`); it is kept nowhere.
    ///
    /// - Parameter now: The wall's time, because clients judge certificates by it.
    /// - Throws: ``TrustError`` when the CA's key is not at hand.
    package func makeSubstitute(
        _ kind: WireTLSFault.Certificate, now: Instant
    ) throws(TrustError) -> Substitute {
        let names = serverNames.compactMap { CertificateName($0) }
        let key = try P256PrivateKey(pem: serverKeyPEM)
        switch kind {
        case .expired:
            return try substitute(
                .expiredServer(names, now: now, authorityEnds: authority.notAfter), for: key, of: authority)
        case .wrongHost:
            return try substitute(
                .server([TrustMaterial.otherService], now: now, authorityEnds: authority.notAfter), for: key,
                of: authority)
        case .untrusted:
            let unknown = try CertificateAuthority.make(names, now: now)
            return try substitute(
                .server(names, now: now, authorityEnds: unknown.notAfter), for: key, of: unknown)
        }
    }

    private func substitute(
        _ profile: CertificateProfile, for key: P256PrivateKey, of authority: CertificateAuthority
    ) throws(TrustError) -> Substitute {
        guard let authorityKey = authority.key else {
            throw TrustError(
                .unreadable, file: caFile, "has no key beside it, so no certificate can be signed",
                remedy: "Put ca-key.pem back, or make a new CA by `mynah certs init --renew-ca`")
        }
        do {
            let certificate = try Certificate(der: authority.der)
                .issue(profile, for: key.publicKey, signedWith: authorityKey).der()
            return Substitute(
                chainPEM: PEM.encode(certificate, label: "CERTIFICATE") + authority.pem, keyPEM: key.pem)
        } catch {
            throw TrustError(error)
        }
    }
}
