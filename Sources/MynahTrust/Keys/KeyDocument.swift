/// Reads a key on P-256 from PEM; errors say what the text contains instead.
enum KeyDocument {
    static func key(
        _ label: String, in pem: String, read: ([UInt8]) throws(TrustError) -> PKey
    ) throws(TrustError) -> PKey {
        do throws(TrustError) {
            let der = try bytes(label, in: pem)
            let key = try attempt(read(der)) {
                TrustError.malformed("has a \(label) that OpenSSL cannot read (\($0.problem))")
            }
            let kind = key.kind
            switch kind {
            case .p256: return key
            case .otherCurve(let curve): throw .malformed("is a key on the curve \(curve), not on P-256 (prime256v1)")
            case .otherAlgorithm(let name): throw .malformed("is a key of type \(name), not one on the curve P-256")
            }
        } catch {
            throw .malformed(
                error.problem,
                remedy: "A signing key is what Apple's AuthKey_….p8 is: PEM, PKCS#8, an EC key on P-256, no password")
        }
    }

    private static func bytes(_ label: String, in pem: String) throws(TrustError) -> [UInt8] {
        let blocks = PEM.blocks(in: pem)
        guard let first = blocks.first else {
            if pem.allSatisfy(\.isWhitespace) { throw .malformed("is empty") }
            if pem.contains("-----BEGIN ") { throw .malformed("is cut off: a BEGIN line has no END line") }
            if pem.utf8.first == 0x30 { throw .malformed("is binary (DER), not PEM") }
            throw .malformed("is not PEM: it has no BEGIN line")
        }
        let wanted = blocks.filter { $0.label == label }
        guard let block = wanted.first else { throw .malformed(fault(first.label, wanted: label)) }
        guard wanted.count == 1 else { throw .malformed("holds \(wanted.count) keys; one was expected") }
        guard let der = block.der, !der.isEmpty else { throw .malformed("has a \(label) whose text is not base64") }
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
