/// Reads a key on P-256 from PEM; errors say what the text contains instead, and what mends it.
enum KeyDocument {
    /// The private key, as Apple issues it (`PRIVATE KEY`, PKCS#8) or in the form of SEC 1 (`EC PRIVATE KEY`), which
    /// OpenSSL writes and other readers take as well.
    ///
    /// - Parameter form: What was expected, a clause for the user.
    static func privateKey(
        _ pem: String,
        form: String = "A signing key is what Apple's AuthKey_….p8 is: PEM, PKCS#8, an EC key on P-256, no password"
    ) throws(TrustError) -> PKey {
        do throws(TrustError) {
            let block = try block(["PRIVATE KEY", "EC PRIVATE KEY"], in: pem)
            guard !block.isEncrypted else { throw encrypted }
            return try checked(block) { () throws(TrustError) in
                try PEM.privateKey(block, password: "")
            }
        } catch {
            let isBinary = error.problem == PEM.isBinary
            throw error.withRemedy(isBinary ? conversion("-inform DER ") : form)
        }
    }

    static func publicKey(_ pem: String) throws(TrustError) -> PKey {
        do throws(TrustError) {
            let block = try block(["PUBLIC KEY"], in: pem)
            return try checked(block) { () throws(TrustError) in try PKey.subjectPublicKeyInfo(block.bytes) }
        } catch {
            throw error.withRemedy("Give the key's public half: `openssl pkey -in AuthKey_….p8 -pubout`")
        }
    }

    private static func block(_ labels: [String], in pem: String) throws(TrustError) -> PEM.Block {
        let blocks = try PEM.requiredBlocks(in: pem)
        let wanted = blocks.filter { labels.contains($0.label) }
        guard let block = wanted.first else {
            // A block of parameters only precedes a key.
            let other = blocks.first { $0.label != "EC PARAMETERS" } ?? blocks[0]
            throw fault(other, wanted: labels[0])
        }
        guard wanted.count == 1 else { throw .malformed("holds \(wanted.count) keys; one was expected") }
        return block
    }

    private static func checked(
        _ block: PEM.Block, _ read: () throws(TrustError) -> PKey
    ) throws(TrustError) -> PKey {
        _ = try block.bytes
        let key = try attempt(read()) {
            TrustError.malformed("has \(block.named) that OpenSSL cannot read (\($0.problem))")
        }
        let kind = key.kind
        switch kind {
        case .p256: return key
        case .otherCurve(let curve): throw .malformed("is a key on the curve \(curve), not on P-256 (prime256v1)")
        case .otherAlgorithm(let name): throw .malformed("is a key of type \(name), not one on the curve P-256")
        }
    }

    private static var encrypted: TrustError {
        .malformed("is encrypted with a password", remedy: conversion(""))
    }

    private static func conversion(_ flags: String) -> String {
        "Convert it: `openssl pkcs8 -topk8 -nocrypt \(flags)-in FILE -out AuthKey_….p8`"
    }

    private static func fault(_ block: PEM.Block, wanted: String) -> TrustError {
        switch block.label {
        case "ENCRYPTED PRIVATE KEY": encrypted
        case "PUBLIC KEY": .malformed("is a public key only; the private key was expected")
        case "PRIVATE KEY", "EC PRIVATE KEY": .malformed("is a private key; the public key was expected")
        case "RSA PRIVATE KEY", "RSA PUBLIC KEY": .malformed("is an RSA key, not one on the curve P-256")
        case "EC PARAMETERS": .malformed("holds the parameters of a key, and no key")
        case "CERTIFICATE": .malformed("is a certificate, not a key")
        default: .malformed("holds \(block.named); a \(wanted) was expected")
        }
    }
}
