package import APNsRules

/// The description of a file in PEM (`mynah certs list FILE`).
///
/// Looks only at the file, not at its signer nor at the time.
package struct TrustFile: Sendable {
    /// The kind of the first block in a file.
    package enum Kind: String, Sendable {
        /// A certificate that may sign others.
        case authority
        /// A certificate to push with.
        case provider
        /// Any other certificate, such as a server's.
        case certificate
        case key
    }

    package let kind: Kind
    package private(set) var subject: String?
    /// The serial number of a certificate, in capital hexadecimal digits.
    package private(set) var serialNumber: String?
    /// When a certificate is valid.
    package private(set) var notBefore: Instant?
    package private(set) var notAfter: Instant?
    package private(set) var identity: CertificateIdentity?
    package private(set) var algorithm: String?

    /// Reads the text of a file; an error names the file.
    package init(_ text: String, file: String) throws(TrustError) {
        func fault(_ problem: String) -> TrustError { TrustError(.malformed, file: file, problem) }
        guard !text.isEmpty else { throw fault("is empty") }
        guard let block = PEM.blocks(in: text).first else {
            throw fault("is not PEM: no complete BEGIN and END lines")
        }
        guard let der = block.der else { throw fault("has a \(block.label) whose text is not base64") }
        func unreadable(_ error: TrustError) -> TrustError {
            fault("has a \(block.label) that OpenSSL cannot read (\(error.problem))")
        }
        switch block.label {
        case "CERTIFICATE":
            let certificate = try attempt(Certificate(der: der), orThrow: unreadable)
            do {
                self.identity = try TrustFile.identity(certificate)
            } catch {
                throw fault("is not a valid provider certificate: \(error.problem)")
            }
            self.kind = certificate.isAuthority ? .authority : identity != nil ? .provider : .certificate
            self.subject = certificate.subjectLine
            self.serialNumber = certificate.serialNumber
            self.notBefore = try attempt(certificate.notBefore(), orThrow: unreadable)
            self.notAfter = try attempt(certificate.notAfter(), orThrow: unreadable)
        case "PRIVATE KEY":
            self.kind = .key
            self.algorithm =
                switch try attempt(PKey.pkcs8(der).kind, orThrow: unreadable) {
                case .p256: "P-256"
                case .otherCurve(let name), .otherAlgorithm(let name): name
                }
        case let label where label.hasSuffix("PRIVATE KEY"):
            self.kind = .key
            self.algorithm = label
        default: throw fault("holds a \(block.label); a CERTIFICATE or a PRIVATE KEY was expected")
        }
    }

    /// The identity in a certificate that has a UID or one of Apple's extensions and isn't a CA's.
    private static func identity(_ certificate: borrowing Certificate) throws(CertificateFault) -> CertificateIdentity?
    {
        var isProviders = !certificate.subjectIDs.isEmpty
        for identifier in ProviderExtension.identifiers where !certificate.extensions(identifier).isEmpty {
            isProviders = true
        }
        return isProviders && !certificate.isAuthority ? try ProviderCertificate.identity(certificate) : nil
    }
}
