package import APNsRules

/// The public half of a key on P-256, as bytes, which may verify on any thread.
package struct P256PublicKey: Sendable, Hashable {
    /// The point, uncompressed: 65 bytes (SEC 1 §2.3.3).
    package let point: [UInt8]

    init(_ key: borrowing PKey) throws(TrustError) { self.point = try key.point() }

    /// Reads PEM, `PUBLIC KEY` (RFC 7468 §13); an error says what the text is instead.
    package init(pem: String) throws(TrustError) {
        try self.init(KeyDocument.key("PUBLIC KEY", in: pem, read: PKey.subjectPublicKeyInfo))
    }

    /// A key by its point; throws if that is not one of the curve.
    package init(point: [UInt8]) throws(TrustError) { try self.init(PKey.point(point)) }

    package func pem() throws(TrustError) -> String { PEM.encode(try subjectPublicKeyInfo(), label: "PUBLIC KEY") }
    func subjectPublicKeyInfo() throws(TrustError) -> [UInt8] { try PKey.point(point).subjectPublicKeyInfo() }

    /// Whether 64 bytes, r and s, are this key's signature over the message.
    func verifies(
        _ signature: [UInt8], of message: [UInt8], _ algorithm: ProviderToken.Algorithm
    ) throws(TrustError) -> Bool {
        try PKey.point(point).verifies(DERSignature.encode(signature), of: message, algorithm)
    }
}

/// A private key on P-256, as bytes, which may sign on any thread; its description and mirror hide it.
package struct P256PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    package let publicKey: P256PublicKey
    let pkcs8: [UInt8]

    private init(_ key: borrowing PKey) throws(TrustError) {
        self.publicKey = try P256PublicKey(key)
        self.pkcs8 = try key.pkcs8()
    }

    package static func generate() throws(TrustError) -> P256PrivateKey { try P256PrivateKey(PKey.generate()) }

    /// Reads PEM as Apple issues it, one `PRIVATE KEY`, PKCS#8, not encrypted; an error says what the text is instead.
    package init(pem: String) throws(TrustError) {
        try self.init(KeyDocument.key("PRIVATE KEY", in: pem, read: PKey.pkcs8))
    }

    package var pem: String { PEM.encode(pkcs8, label: "PRIVATE KEY") }
    package var description: String { "a private key on P-256" }
    /// Hides the key from `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: []) }

    package func signature(of message: [UInt8], _ algorithm: ProviderToken.Algorithm) throws(TrustError) -> [UInt8] {
        let der = try PKey.pkcs8(pkcs8).signature(of: message, algorithm)
        guard let raw = DERSignature.rawSignature(der) else { throw .openSSL("EVP_DigestSign") }
        return raw
    }
}
