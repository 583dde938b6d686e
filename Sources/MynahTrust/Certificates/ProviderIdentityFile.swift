package import APNsRules

/// A provider's certificate and key from files: PEM in one file or two, PKCS#12 from a keychain, or the certificate in
/// DER as Apple issues it.
package struct ProviderIdentityFile: Sendable, CustomStringConvertible, CustomReflectable {
    /// The certificate and the certificates of its CAs that the files contain, in DER, in the order of TLS.
    package let chain: [[UInt8]]
    /// The chain in PEM.
    package var chainPEM: String { chain.map { PEM.certificate($0) }.joined() }
    /// The key in PEM, PKCS#8, not encrypted.
    package let keyPEM: String
    /// `nil` if the certificate doesn't follow Apple's rules; it can be presented anyway.
    package let identity: CertificateIdentity?

    package var description: String { "the certificate and key of \(identity?.subject ?? "a provider")" }
    /// Hides the key from `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Reads a certificate (PEM, PKCS#12 or DER, by its content) and its key (PEM, in the same file if `key` is `nil`);
    /// `password` is for the PKCS#12 file or an encrypted key.
    package static func read(
        certificate: String, key: String? = nil, password: String? = nil
    ) throws(TrustError) -> ProviderIdentityFile {
        let content = try Content(file: certificate, password: password)
        guard let first = content.certificates.first else {
            throw TrustError(
                .malformed, file: certificate, "holds no certificate",
                remedy: "Name the file with the provider's certificate")
        }
        let keyFile = key ?? certificate
        guard let keyDER = key == nil ? content.key : try Content(file: keyFile, password: password).key else {
            throw TrustError(
                .malformed, file: keyFile, "holds no private key",
                remedy: "Name the key's file too, or a PKCS#12 with certificate and key")
        }
        let chain = try attempt(chain(content.certificates, keyDER)) {
            TrustError(
                .malformed, file: keyFile, "holds a key or a certificate that OpenSSL cannot use (\($0.problem))")
        }
        guard let own = chain.first else {
            throw TrustError(
                .mismatch, file: keyFile,
                "holds a key that does not belong to the certificate of \(ProviderAuthorities.named(first))",
                remedy: "Name the key that the certificate was made for")
        }
        return ProviderIdentityFile(
            chain: chain,
            keyPEM: PEM.encode(keyDER, label: "PRIVATE KEY"), identity: try? ProviderCertificate.identity(of: own))
    }

    /// The certificates, the key's own one first; empty if the key belongs to none.
    private static func chain(_ certificates: [[UInt8]], _ key: [UInt8]) throws(TrustError) -> [[UInt8]] {
        let publicKey = try PKey.pkcs8(key).subjectPublicKeyInfo()
        for own in certificates where try Certificate(der: own).subjectPublicKeyInfo() == publicKey {
            return [own] + certificates.filter { $0 != own }
        }
        return []
    }

    /// Reads a provider certificate without its key, to list or revoke it; throws if the file contains none.
    package static func readCertificate(
        _ file: String, password: String? = nil
    ) throws(TrustError) -> (identity: CertificateIdentity, certificatePEM: String) {
        let content = try Content(file: file, password: password, certificatesOnly: true)
        func fault(_ problem: String) -> TrustError {
            TrustError(.malformed, file: file, problem, remedy: "Name a file with a provider's certificate")
        }
        guard let der = content.certificates.first else { throw fault("holds no certificate") }
        do { return (try ProviderCertificate.identity(of: der), PEM.certificate(der)) } catch {
            throw fault("does not hold a provider certificate: \(error.problem)")
        }
    }

    /// Describes a file in DER: a certificate, or a PKCS#12 by its first one, with whether that has a key.
    package static func describe(
        _ file: String, password: String? = nil
    ) throws(TrustError) -> (facts: TrustFile, isArchive: Bool, hasKey: Bool) {
        let content = try Content(file: file, password: password)
        guard let der = content.certificates.first else {
            throw TrustError(
                .malformed, file: file, "holds no certificate", remedy: "Name a file with a certificate or a key")
        }
        return (try TrustFile(PEM.certificate(der), file: file), content.isArchive, content.key != nil)
    }

    /// Whether the bytes of a file may be DER, and so PKCS#12: it begins with a SEQUENCE, and no text does.
    package static func isDER(_ bytes: [UInt8]) -> Bool { bytes.first == 0x30 && bytes.count > 1 && bytes[1] >= 0x80 }

    /// The contents of one file.
    private struct Content {
        private(set) var certificates: [[UInt8]] = []
        private(set) var key: [UInt8]?
        private(set) var isArchive = false

        init(file: String, password: String?, certificatesOnly: Bool = false) throws(TrustError) {
            let bytes = try FileSystem.contents(of: file, remedy: "Check the name")
            do throws(TrustError) {
                guard !bytes.isEmpty else { throw .malformed("is empty", remedy: "Name a .p12 or a .pem file") }
                if ProviderIdentityFile.isDER(bytes) {
                    try readDER(bytes, password)
                } else {
                    try readPEM(FileSystem.text(bytes), password: password, certificatesOnly: certificatesOnly)
                }
            } catch {
                throw error.inFile(file)
            }
        }

        private mutating func readDER(_ bytes: [UInt8], _ password: String?) throws(TrustError) {
            if let der = try? Certificate(der: bytes).der() {
                certificates = [der]
                return
            }
            isArchive = true
            let archive = try PKCS12Archive(opening: bytes, password: password)
            certificates = [archive.certificate].compactMap(\.self) + archive.others
            key = archive.key
        }

        private mutating func readPEM(
            _ text: String, password: String?, certificatesOnly: Bool
        ) throws(TrustError) {
            let blocks: [PEM.Block]
            do { blocks = try PEM.requiredBlocks(in: text) } catch {
                let absence = "is not PEM"
                guard error.problem.hasPrefix(absence) else { throw error.withRemedy("Export it again") }
                throw .malformed(
                    "is neither PKCS#12 nor PEM" + error.problem.dropFirst(absence.count),
                    remedy: error.remedy.isEmpty ? "Name a .p12 or a .pem file" : error.remedy)
            }
            for block in blocks where block.isCertificate {
                certificates.append(
                    try attempt(Certificate(block, number: certificates.count + 1).der()) {
                        $0.withRemedy("Export it again")
                    })
            }
            guard !certificatesOnly, let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
                return
            }
            _ = try attempt(block.bytes) { $0.withRemedy("Export it again") }
            key = try attempt(PEM.privateKey(block, password: password ?? "").pkcs8()) {
                // Another error means that the file was refused before its password was tried.
                guard $0.code == .cryptography else { return $0 }
                guard block.isEncrypted else {
                    return TrustError.malformed(
                        "has a private key that OpenSSL cannot read (\($0.problem))", remedy: "Export it again")
                }
                let why = password == nil ? "key, but no password was given" : "key with a different password"
                return TrustError(.badSetting, "has an encrypted \(why)", remedy: "Give its password")
            }
        }
    }
}
