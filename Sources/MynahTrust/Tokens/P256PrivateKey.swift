/// A private key on P-256, as bytes; whoever has it may sign on any thread.
///
/// Never printed: its description says whose it is, not what it is.
package struct P256PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The public half.
    package let publicKey: P256PublicKey
    /// The key as PKCS#8, in DER.
    let pkcs8: [UInt8]

    init(_ key: borrowing PKey) throws(OpenSSLError) {
        self.publicKey = try P256PublicKey(key)
        self.pkcs8 = try key.pkcs8()
    }

    /// A new key.
    package static func generate() throws(TrustError) -> P256PrivateKey {
        do {
            return try P256PrivateKey(PKey.generate())
        } catch {
            throw TrustError(error)
        }
    }

    /// Reads PEM as Apple hands it out: one `PRIVATE KEY`, PKCS#8, not encrypted.
    ///
    /// - Throws: ``TrustError`` that says what the text is instead.
    package init(pem: String) throws(TrustError) {
        self = try KeyDocument(pem: pem).privateKey()
    }

    /// PEM, `PRIVATE KEY`.
    package var pem: String { PEM.encode(pkcs8, label: "PRIVATE KEY") }

    /// What may be shown of it.
    package var description: String { "a private key on P-256" }

    /// Nothing of it, for `dump` and debuggers alike.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// A signature as 64 bytes, r then s.
    func signature(of message: [UInt8], hash: SignatureHash) throws(OpenSSLError) -> [UInt8] {
        try ECDSASignature.raw(der: PKey.pkcs8(pkcs8).signature(of: message, hash: hash))
    }
}
