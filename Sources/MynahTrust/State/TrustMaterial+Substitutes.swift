package import APNsRules

extension TrustMaterial {
    /// A certificate and its key that the server shows in place of its own.
    package struct Substitute: Sendable {
        /// The certificate and its CA's, in PEM, in the order of TLS: for clients that connect to an address.
        package let chainPEM: String
        /// The same without addresses, for clients that name a host.
        package let hostChainPEM: String
        /// The key of both in PEM: the server's own.
        package let keyPEM: String
    }

    // Below a domain that every CA of ours may sign, so that the name alone is wrong.
    private static let otherService = CertificateName.dns("another-service.test")

    /// Makes a certificate that a provider must not accept (`Documents#Actions`); it is kept nowhere.
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
                .unreadable, file: caFile, "has no key beside it, so no certificate can be signed",
                remedy: "Put ca-key.pem back, or make a new CA by `mynah certs init --renew-ca`")
        }
        func chain(_ names: [CertificateName]) throws(OpenSSLError) -> String {
            let certificate = try Certificate(der: authority.der)
                .issue(profile(names, authority.notAfter), for: key.publicKey, signedWith: authorityKey).der()
            return PEM.encode(certificate, label: "CERTIFICATE") + authority.pem
        }
        do {
            return Substitute(
                chainPEM: try chain(names), hostChainPEM: try chain(names.filter(\.isHost)), keyPEM: key.pem)
        } catch {
            throw TrustError(error)
        }
    }
}
