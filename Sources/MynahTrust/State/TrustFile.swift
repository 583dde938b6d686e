package import APNsRules

/// The description of a file in PEM (`mynah certs list FILE`), without judging its signer or its dates.
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
        self = try attempt(TrustFile(text)) { $0.inFile(file) }
    }

    private init(_ text: String) throws(TrustError) {
        let block = try PEM.requiredBlocks(in: text)[0]
        guard let der = block.der else { throw .malformed("has a \(block.label) whose text is not base64") }
        switch block.label {
        case "CERTIFICATE":
            let certificate = try Certificate(block)
            do { self.identity = try TrustFile.identity(certificate) } catch {
                throw .malformed("is not a valid provider certificate: \(error.problem)")
            }
            self.kind = certificate.isAuthority ? .authority : identity != nil ? .provider : .certificate
            self.subject = certificate.subjectLine
            self.serialNumber = certificate.serialNumber
            self.notBefore = try certificate.notBefore()
            self.notAfter = try certificate.notAfter()
        case "PRIVATE KEY":
            self.kind = .key
            self.algorithm =
                switch try attempt(
                    PKey.pkcs8(der).kind,
                    orThrow: { TrustError.malformed("has a PRIVATE KEY that OpenSSL cannot read (\($0.problem))") })
                {
                case .p256: "P-256"
                case .otherCurve(let name), .otherAlgorithm(let name): name
                }
        case let label where label.hasSuffix("PRIVATE KEY"):
            (self.kind, self.algorithm) = (.key, label)
        default: throw .malformed("holds a \(block.label); a CERTIFICATE or a PRIVATE KEY was expected")
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
