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
        let blocks = try PEM.requiredBlocks(in: text)
        // Parameters only come before a key.
        let block = blocks.first { $0.label != "EC PARAMETERS" } ?? blocks[0]
        switch block.label {
        case let label where PEM.certificateLabels.contains(label):
            let certificate = try Certificate(block)
            do { self.identity = try TrustFile.identity(certificate) } catch {
                throw .malformed("is not a valid provider certificate: \(error.problem)")
            }
            self.kind = certificate.isAuthority ? .authority : identity != nil ? .provider : .certificate
            self.subject = certificate.subjectLine
            self.serialNumber = certificate.serialNumber
            self.notBefore = try certificate.notBefore()
            self.notAfter = try certificate.notAfter()
        case let label where label.hasSuffix("PRIVATE KEY"):
            _ = try block.bytes
            self.kind = .key
            self.algorithm = block.isEncrypted ? "encrypted" : try TrustFile.algorithm(block)
        default: throw .malformed("holds \(block.named); a CERTIFICATE or a PRIVATE KEY was expected")
        }
    }

    private static func algorithm(_ block: PEM.Block) throws(TrustError) -> String {
        let kind = try attempt(PEM.privateKey(block, password: "").kind) {
            TrustError.malformed("has \(block.named) that OpenSSL cannot read (\($0.problem))")
        }
        return switch kind {
        case .p256: "P-256"
        case .otherCurve(let name), .otherAlgorithm(let name): name
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
