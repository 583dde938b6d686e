package import APNsRules
internal import COpenSSL

/// The key that a provider certificate is for: one that Mynah makes, or the key of a request, whose owner has its
/// private half.
///
/// Its description and mirror hide a private key.
package struct ProviderSubject: Sendable, CustomStringConvertible, CustomReflectable {
    /// The length of Keychain Access' RSA keys.
    private static let rsaBits = 2048
    /// The lengths of RSA keys that a request may have; Apple asks for 2048.
    private static let rsaBitsAccepted = 2048...8192

    /// The public half (RFC 5280 §4.1.2.7).
    let publicKey: [UInt8]
    /// PKCS#8; `nil` for a request.
    let privateKey: [UInt8]?

    package var description: String { "the key of a provider" }
    /// Hides the key from `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Makes a key; RSA takes some hundred milliseconds on a busy machine.
    package static func generate(_ type: ProviderKeyType) throws(TrustError) -> ProviderSubject {
        switch type {
        case .ec:
            let key = try P256PrivateKey.generate()
            return ProviderSubject(publicKey: key.publicKey.subjectPublicKeyInfo, privateKey: key.pkcs8)
        case .rsa:
            let key = try PKey.generateRSA(bits: rsaBits)
            return ProviderSubject(publicKey: try key.subjectPublicKeyInfo(), privateKey: try key.pkcs8())
        }
    }

    private init(publicKey: [UInt8], privateKey: [UInt8]?) {
        self.publicKey = publicKey
        self.privateKey = privateKey
    }

    /// The key of a certificate signing request in PEM (RFC 2986); an error is a clause about the request.
    ///
    /// Its subject and attributes don't count, as at Apple's portal.
    package init(request pem: String) throws(TrustError) {
        do throws(TrustError) {
            let labels = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"]
            let blocks = try PEM.requiredBlocks(in: pem)
            guard let block = blocks.first(where: { labels.contains($0.label) }) else {
                throw .malformed("holds \(blocks[0].named); a CERTIFICATE REQUEST was expected")
            }
            publicKey = try ProviderSubject.key(ofRequest: block.bytes)
            privateKey = nil
        } catch {
            throw error.withRemedy(
                "Make a request: `openssl req -new -newkey rsa:2048 -nodes -keyout KEY.pem -out FILE.csr -subj /CN=push`"
            )
        }
    }

    /// The text of a request's file, which may be DER; an error is a clause about the file.
    package static func requestText(_ bytes: [UInt8]) throws(TrustError) -> String {
        ProviderIdentityFile.isDER(bytes)
            ? PEM.encode(bytes, label: "CERTIFICATE REQUEST") : try FileSystem.text(bytes)
    }

    private static func key(ofRequest der: [UInt8]) throws(TrustError) -> [UInt8] {
        func broken(_ error: TrustError) -> TrustError {
            .malformed("has a CERTIFICATE REQUEST that OpenSSL cannot read (\(error.problem))")
        }
        let request = try attempt(derDecoded(der, by: "d2i_X509_REQ") { d2i_X509_REQ(nil, $0, $1) }, orThrow: broken)
        defer { X509_REQ_free(request) }
        ERR_clear_error()
        let key = try attempt(PKey(taking: X509_REQ_get_pubkey(request), from: "X509_REQ_get_pubkey"), orThrow: broken)
        let kind = key.kind
        switch kind {
        case .p256: break
        case .otherCurve(let curve): throw unsuitable("one on the curve \(curve)")
        case .otherAlgorithm("RSA") where rsaBitsAccepted.contains(key.bitCount): break
        case .otherAlgorithm("RSA"): throw unsuitable("RSA of \(key.bitCount) bits")
        case .otherAlgorithm(let name): throw unsuitable("of type \(name)")
        }
        guard X509_REQ_verify(request, key.raw) == 1 else {
            ERR_clear_error()
            throw .malformed(
                "has a CERTIFICATE REQUEST that its own key has not signed, or that was changed afterwards")
        }
        return try key.subjectPublicKeyInfo()
    }

    private static func unsuitable(_ key: String) -> TrustError {
        .malformed(
            "has a CERTIFICATE REQUEST whose key is \(key): expected RSA of \(rsaBitsAccepted.lowerBound) to "
                + "\(rsaBitsAccepted.upperBound) bits, or a key on P-256")
    }
}
