package import APNsRules

/// A provider certificate that Mynah made, with its key.
package struct IssuedProviderCertificate: Sendable {
    package let identity: CertificateIdentity
    fileprivate let certificate: [UInt8]
    fileprivate let authority: [UInt8]
    fileprivate let key: P256PrivateKey

    package var certificatePEM: String { PEM.certificate(certificate) }
    /// The certificate of the CA that signed it.
    package var authorityPEM: String { PEM.certificate(authority) }
    /// PKCS#8, not encrypted.
    package var keyPEM: String { key.pem }

    /// Certificate, key and the CA's certificate as PKCS#12 (RFC 7292), encrypted by AES-256; some readers refuse an
    /// empty password.
    package func pkcs12(password: String) throws(TrustError) -> [UInt8] {
        try PKCS12Archive.encode(
            certificate: certificate, key: key.pkcs8, others: [authority], password: password,
            name: identity.subjectID ?? identity.serialNumber)
    }
}

extension CertificateAuthority {
    /// Makes a key and signs a certificate for it, which may not outlive the CA.
    func issueProvider(_ request: ProviderCertificateRequest) throws(TrustError) -> IssuedProviderCertificate {
        let signingKey = try signingKey()
        guard request.notAfter <= notAfter else {
            throw TrustError(
                .badSetting,
                "a certificate valid until \(request.notAfter.rfc3339) would outlive its CA, which expires on "
                    + notAfter.rfc3339,
                remedy: "Choose an earlier end, or make a new CA with `mynah certs init --renew-ca`")
        }
        let key = try P256PrivateKey.generate()
        let certificate = try Certificate(der: der).issue(
            .provider(request), for: key.publicKey.subjectPublicKeyInfo(), signedWith: signingKey.pkcs8)
        let identity: CertificateIdentity
        do { identity = try ProviderCertificate.identity(certificate) } catch {
            throw TrustError(.cryptography, "the certificate that was made cannot be read: \(error.problem)")
        }
        return IssuedProviderCertificate(
            identity: identity, certificate: try certificate.der(), authority: der, key: key)
    }
}
