package import APNsRules

extension TrustMaterial {
    /// A certificate and its key that the server presents in place of its own.
    package struct Substitute: Sendable {
        /// The certificate and its CA's, in PEM, in the order of TLS: for clients that connect to an address.
        package let chainPEM: String
        /// The chain with a certificate without addresses, for clients that name a host.
        package let hostChainPEM: String
        /// The key of both in PEM: the server's own.
        package let keyPEM: String
    }

    // In a domain that each of our CAs may sign, so that only the name is wrong.
    private static let otherService = CertificateName.dns("another-service.test")

    /// Makes a certificate that a provider must not accept (`Documents#Actions`), in memory; throws if the CA's key is
    /// missing; `now` is the system's time, by which clients judge certificates.
    package func makeSubstitute(_ kind: WireTLSFault.Certificate, now: Instant) throws(TrustError) -> Substitute {
        let key = try P256PrivateKey(pem: serverKeyPEM)
        var names = serverNames.compactMap { CertificateName($0) }
        var signer = authority
        var madeAt = now
        switch kind {
        case .expired: madeAt = now.advanced(by: .zero - CertificateProfile.serverLifetime)
        case .wrongHost: names = [TrustMaterial.otherService]
        case .untrusted: signer = try CertificateAuthority.make(names, now: now)
        }
        func chain(_ names: [CertificateName]) throws(TrustError) -> String {
            PEM.certificate(try signer.issue(names, for: key.publicKey, now: madeAt)) + signer.pem
        }
        return Substitute(chainPEM: try chain(names), hostChainPEM: try chain(names.filter(\.isHost)), keyPEM: key.pem)
    }
}
