/// A private key on P-256, as bytes, which may sign on any thread.
///
/// Its description and mirror hide it.
package struct P256PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The public half.
    package let publicKey: P256PublicKey
    /// The key as PKCS#8, in DER.
    let pkcs8: [UInt8]

    init(_ key: borrowing PKey) throws(OpenSSLError) {
        self.publicKey = try P256PublicKey(key)
        self.pkcs8 = try key.pkcs8()
    }

    package static func generate() throws(TrustError) -> P256PrivateKey {
        try TrustError.wrapping { () throws(OpenSSLError) in try P256PrivateKey(PKey.generate()) }
    }

    /// Reads PEM as Apple issues it: one `PRIVATE KEY`, PKCS#8, not encrypted.
    ///
    /// - Throws: ``TrustError`` that says what the text is instead.
    package init(pem: String) throws(TrustError) {
        self = try KeyDocument(pem: pem).privateKey()
    }

    package var pem: String { PEM.encode(pkcs8, label: "PRIVATE KEY") }

    package var description: String { "a private key on P-256" }

    /// Hides the key from `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// A signature as 64 bytes, r then s.
    func signature(of message: [UInt8], hash: SignatureHash) throws(OpenSSLError) -> [UInt8] {
        try ECDSASignature.raw(der: PKey.pkcs8(pkcs8).signature(of: message, hash: hash))
    }
}
