/// PEM that should hold a key on P-256; its errors say what it holds instead.
struct KeyDocument {
    private let blocks: [PEM.Block]

    /// - Throws: ``TrustError`` if the text isn't PEM.
    init(pem: String) throws(TrustError) {
        self.blocks = PEM.blocks(in: pem)
        guard blocks.isEmpty else { return }
        if pem.allSatisfy(\.isWhitespace) { throw .malformedKey("is empty") }
        if pem.contains("-----BEGIN ") { throw .malformedKey("is cut off: a BEGIN line has no END line") }
        if pem.utf8.first == 0x30 { throw .malformedKey("is binary (DER), not PEM") }
        throw .malformedKey("is not PEM: it has no BEGIN line")
    }

    func key(_ label: String, read: ([UInt8]) throws(TrustError) -> PKey) throws(TrustError) -> PKey {
        let der = try bytes(label: label)
        let key = try attempt(read(der)) {
            TrustError.malformedKey("has a \(label) that OpenSSL cannot read (\($0.problem))")
        }
        let kind = key.kind
        switch kind {
        case .p256: return key
        case .otherCurve(let curve): throw .malformedKey("is a key on the curve \(curve), not on P-256 (prime256v1)")
        case .otherAlgorithm(let name): throw .malformedKey("is a key of type \(name), not one on the curve P-256")
        }
    }

    private func bytes(label: String) throws(TrustError) -> [UInt8] {
        let wanted = blocks.filter { $0.label == label }
        guard let block = wanted.first else { throw .malformedKey(KeyDocument.fault(blocks[0].label, wanted: label)) }
        guard wanted.count == 1 else { throw .malformedKey("holds \(wanted.count) keys; one was expected") }
        guard let der = block.der, !der.isEmpty else { throw .malformedKey("has a \(label) whose text is not base64") }
        return der
    }

    private static func fault(_ label: String, wanted: String) -> String {
        switch label {
        case "ENCRYPTED PRIVATE KEY": "is encrypted with a password"
        case "PUBLIC KEY": "is a public key only; the private key was expected"
        case "PRIVATE KEY": "is a private key; the public key was expected"
        case "RSA PRIVATE KEY", "RSA PUBLIC KEY": "is an RSA key, not one on the curve P-256"
        case "EC PRIVATE KEY", "EC PARAMETERS": "is an EC key in the older SEC 1 form, not PKCS#8"
        case "CERTIFICATE": "is a certificate, not a key"
        default: "holds a \(label); a \(wanted) was expected"
        }
    }
}

extension TrustError {
    fileprivate static func malformedKey(_ problem: String) -> TrustError {
        TrustError(
            .malformed, problem,
            remedy: "A signing key is what Apple's AuthKey_….p8 is: PEM, PKCS#8, an EC key on P-256, no password")
    }
}
