package import APNsRules

/// What a file in PEM turns out to be, for people who ask (`mynah certs list FILE`).
///
/// Looks at the file alone: neither at who signed it nor at the time.
package struct TrustFile: Sendable {
    /// What the first thing in a file is.
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

    /// What it is.
    package let kind: Kind
    /// The subject of a certificate, as one line; `nil` for a key.
    package let subject: String?
    /// The serial number of a certificate, in capital hexadecimal digits; `nil` for a key.
    package let serialNumber: String?
    /// The first moment at which a certificate is valid; `nil` for a key.
    package let notBefore: Instant?
    /// The last moment at which a certificate is valid; `nil` for a key.
    package let notAfter: Instant?
    /// Who a provider certificate speaks for; `nil` for anything else.
    package let identity: CertificateIdentity?
    /// What kind of key a private key is, such as `P-256`; `nil` for a certificate.
    package let algorithm: String?

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
            throw fault("is no good provider certificate: \(error.problem)")
        } catch let error as TrustError {
            throw error
        } catch {
            preconditionFailure("reading a certificate fails with \(error), which nothing in it throws")
        }
    }

    private init(algorithm: String) {
        self.init(
            kind: .key, subject: nil, serialNumber: nil, notBefore: nil, notAfter: nil, identity: nil,
            algorithm: algorithm)
    }

    private init(certificate der: [UInt8]) throws {
        let certificate = try Certificate(der: der)
        var isProviders = !certificate.subjectIDs.isEmpty
        for identifier in ProviderExtension.identifiers where !certificate.extensions(identifier).isEmpty {
            isProviders = true
        }
        let isAuthority = certificate.isAuthority
        let identity = isProviders && !isAuthority ? try ProviderCertificate.identity(certificate) : nil
        self.init(
            kind: isAuthority ? .authority : identity != nil ? .provider : .certificate,
            subject: certificate.subjectLine, serialNumber: certificate.serialNumber,
            notBefore: try certificate.notBefore(), notAfter: try certificate.notAfter(), identity: identity,
            algorithm: nil)
    }

    private init(
        kind: Kind, subject: String?, serialNumber: String?, notBefore: Instant?, notAfter: Instant?,
        identity: CertificateIdentity?, algorithm: String?
    ) {
        self.kind = kind
        self.subject = subject
        self.serialNumber = serialNumber
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.identity = identity
        self.algorithm = algorithm
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
