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
        /// A private key.
        case key
    }

    package let kind: Kind
    /// The subject of a certificate, as one line.
    package private(set) var subject: String?
    /// The serial number of a certificate, in capital hexadecimal digits.
    package private(set) var serialNumber: String?
    /// The first moment at which a certificate is valid.
    package private(set) var notBefore: Instant?
    /// The last moment at which a certificate is valid.
    package private(set) var notAfter: Instant?
    /// The identity in a provider certificate.
    package private(set) var identity: CertificateIdentity?
    /// The kind of a private key, such as `P-256`.
    package private(set) var algorithm: String?

    /// Reads the text of a file.
    ///
    /// - Throws: ``TrustError`` with the first fault, which names the file.
    package init(_ text: String, file: String) throws(TrustError) {
        func fault(_ problem: String) -> TrustError { TrustError(.malformed, file: file, problem, remedy: "") }
        guard !text.isEmpty else { throw fault("is empty") }
        guard let block = PEM.blocks(in: text).first else {
            throw fault("is not PEM: no complete BEGIN and END lines")
        }
        guard let der = block.der else { throw fault("has a \(block.label) whose text is not base64") }
        do {
            switch block.label {
            case "CERTIFICATE": self = try TrustFile(certificate: der)
            case "PRIVATE KEY": self = try TrustFile(algorithm: PKey.pkcs8(der).algorithm)
            case _ where block.label.hasSuffix("PRIVATE KEY"): self.init(algorithm: block.label)
            default: throw fault("holds a \(block.label); a CERTIFICATE or a PRIVATE KEY was expected")
            }
        } catch let error as OpenSSLError {
            throw fault("has a \(block.label) that OpenSSL cannot read (\(error))")
        } catch let error as CertificateFault {
            throw fault("is not a valid provider certificate: \(error.problem)")
        } catch let error as TrustError {
            throw error
        } catch {
            preconditionFailure("reading a certificate fails with \(error), which nothing in it throws")
        }
    }

    private init(algorithm: String) {
        self.kind = .key
        self.algorithm = algorithm
    }

    private init(certificate der: [UInt8]) throws {
        let certificate = try Certificate(der: der)
        var isProviders = !certificate.subjectIDs.isEmpty
        for identifier in ProviderExtension.identifiers where !certificate.extensions(identifier).isEmpty {
            isProviders = true
        }
        let isAuthority = certificate.isAuthority
        let identity = isProviders && !isAuthority ? try ProviderCertificate.identity(certificate) : nil
        self.kind = isAuthority ? .authority : identity != nil ? .provider : .certificate
        self.subject = certificate.subjectLine
        self.serialNumber = certificate.serialNumber
        self.notBefore = try certificate.notBefore()
        self.notAfter = try certificate.notAfter()
        self.identity = identity
    }
}

extension PKey {
    /// What kind of key it is, in a word.
    fileprivate var algorithm: String {
        switch kind {
        case .p256: "P-256"
        case .otherCurve(let name), .otherAlgorithm(let name): name
        }
    }
}
