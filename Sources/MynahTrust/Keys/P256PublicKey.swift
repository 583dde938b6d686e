/// The public half of a key on P-256, as bytes, which may verify on any thread.
package struct P256PublicKey: Sendable, Hashable {
    /// The point, uncompressed: 65 bytes (SEC 1 §2.3.3).
    let point: [UInt8]

    init(_ key: borrowing PKey) throws(OpenSSLError) {
        self.point = try key.point()
    }

    /// Reads PEM, `PUBLIC KEY` (RFC 7468 §13).
    ///
    /// - Throws: ``TrustError`` that says what the text is instead.
    package init(pem: String) throws(TrustError) {
        self.point = try KeyDocument(pem: pem).publicPoint()
    }

    /// PEM, `PUBLIC KEY`.
    package func pem() throws(TrustError) -> String {
        try TrustError.wrapping { () throws(OpenSSLError) in
            PEM.encode(try PKey.point(point).subjectPublicKeyInfo(), label: "PUBLIC KEY")
        }
    }

    /// Whether 64 bytes, r and s, are this key's signature over the message.
    func verifies(_ signature: [UInt8], of message: [UInt8], hash: SignatureHash) throws(OpenSSLError) -> Bool {
        try PKey.point(point).verifies(ECDSASignature.der(raw: signature), of: message, hash: hash)
    }
}
