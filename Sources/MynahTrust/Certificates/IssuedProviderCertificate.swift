package import APNsRules

/// A provider certificate that Mynah made, with its key if Mynah made that as well.
package struct IssuedProviderCertificate: Sendable {
    package let identity: CertificateIdentity
    fileprivate let certificate: [UInt8]
    fileprivate let authority: [UInt8]
    fileprivate let subject: ProviderSubject

    package var certificatePEM: String { PEM.certificate(certificate) }
    /// The certificate of the CA that signed it.
    package var authorityPEM: String { PEM.certificate(authority) }
    /// PKCS#8, not encrypted; `nil` for a request, as is the PKCS#12.
    package var keyPEM: String? { subject.privateKey.map { PEM.encode($0, label: "PRIVATE KEY") } }

    /// Certificate and key as PKCS#12 (RFC 7292), as Keychain Access exports them; some readers refuse an empty password.
    package func pkcs12(password: String) throws(TrustError) -> [UInt8]? {
        try subject.privateKey.map { (key) throws(TrustError) in
            try PKCS12Archive.encode(
                certificate: certificate, key: key, password: password,
                name: identity.subjectID ?? identity.serialNumber)
        }
    }
}

extension CertificateAuthority {
    /// Signs a certificate for a key, which may not outlive the CA.
    func issueProvider(
        _ request: ProviderCertificateRequest, for subject: ProviderSubject
    ) throws(TrustError) -> IssuedProviderCertificate {
        let signingKey = try signingKey()
        guard request.notAfter <= notAfter else {
            throw TrustError(
                .badSetting,
                "a certificate valid until \(request.notAfter.rfc3339) would outlive its CA, which expires on "
                    + notAfter.rfc3339,
                remedy: "Choose an earlier end, or make a new CA with `mynah certs init --renew-ca` with the same "
                    + "--state-dir")
        }
        let certificate = try Certificate(der: der).issue(
            .provider(request), for: subject.publicKey, signedWith: signingKey.pkcs8)
        let identity: CertificateIdentity
        do { identity = try ProviderCertificate.identity(certificate) } catch {
            throw TrustError(.cryptography, "the certificate that was made cannot be read: \(error.problem)")
        }
        return IssuedProviderCertificate(
            identity: identity, certificate: try certificate.der(), authority: der, subject: subject)
    }
}
