package import APNsRules

/// The public half of a key on P-256, as bytes, which may verify on any thread.
package struct P256PublicKey: Sendable, Hashable {
    /// The point, uncompressed: 65 bytes (SEC 1 §2.3.3).
    package let point: [UInt8]

    init(_ key: borrowing PKey) throws(TrustError) { self.point = try key.point() }

    /// Reads PEM, `PUBLIC KEY` (RFC 7468 §13); an error says what the text is instead.
    package init(pem: String) throws(TrustError) {
        try self.init(KeyDocument.publicKey(pem))
    }

    /// A key by its point; throws if that is not one of the curve.
    package init(point: [UInt8]) throws(TrustError) { try self.init(PKey.point(point)) }

    /// Whether 65 bytes are a point of the curve.
    package static func isPoint(_ bytes: [UInt8]) -> Bool { (try? P256PublicKey(point: bytes)) != nil }

    package var pem: String { PEM.encode(subjectPublicKeyInfo, label: "PUBLIC KEY") }

    /// The key in DER (RFC 5480 §2).
    var subjectPublicKeyInfo: [UInt8] {
        let algorithm = DER.element(.sequence, P256PublicKey.algorithm + P256PublicKey.curve)
        return DER.element(.sequence, algorithm + DER.element(.bitString, [0] + point))
    }

    fileprivate static let curve = DER.element(.objectIdentifier, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    fileprivate static let algorithm = DER.element(.objectIdentifier, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])

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
    /// PKCS#8 as Apple writes it: the key inside names its curve as well, which some readers need (RFC 5915 §3).
    let pkcs8: [UInt8]

    private init(_ key: borrowing PKey) throws(TrustError) {
        let publicKey = try P256PublicKey(key)
        self.publicKey = publicKey
        self.pkcs8 = P256PrivateKey.document(number: try key.privateNumber(), point: publicKey.point)
    }

    /// PKCS#8 of a private number and its point; readers compute a point that is left out.
    static func document(number: [UInt8], point: [UInt8]?) -> [UInt8] {
        let algorithm = P256PublicKey.algorithm
        let curve = P256PublicKey.curve
        let key = DER.element(
            .sequence,
            DER.element(.integer, [1]) + DER.element(.octetString, number) + DER.element(.tagged(0), curve)
                + (point.map { DER.element(.tagged(1), DER.element(.bitString, [0] + $0)) } ?? []))
        return DER.element(
            .sequence,
            DER.element(.integer, [0]) + DER.element(.sequence, algorithm + curve) + DER.element(.octetString, key))
    }

    package static func generate() throws(TrustError) -> P256PrivateKey { try P256PrivateKey(PKey.generate()) }

    /// Reads PEM as Apple issues it, one `PRIVATE KEY`, PKCS#8, or `EC PRIVATE KEY`, not encrypted; an error says what the
    /// text is instead.
    package init(pem: String) throws(TrustError) {
        try self.init(KeyDocument.privateKey(pem))
    }

    /// Reads the private key of an `applicationServerKey`: PEM, or its number of 32 bytes in base64url, as most libraries
    /// for Web Push print it.
    package init(vapid text: String) throws(TrustError) {
        let form = "A VAPID key is PEM, an EC key on P-256 without a password, or base64url of the number's 32 bytes"
        guard let bytes = Base64.decode(text.utf8)?.bytes, (1...WebPushLimits.pointBytes).contains(bytes.count) else {
            try self.init(KeyDocument.privateKey(text, form: form))
            return
        }
        switch bytes.count {
        case WebPushLimits.privateNumberBytes:
            let document = P256PrivateKey.document(number: bytes, point: nil)
            // OpenSSL takes some numbers that are no private key, such as 0.
            guard let key = try? P256PrivateKey(PKey.pkcs8(document)),
                P256PublicKey.isPoint(key.publicKey.point)
            else {
                throw .malformed("is no number of a key on P-256", remedy: form)
            }
            self = key
        case WebPushLimits.pointBytes where bytes[0] == 0x04:
            throw .malformed("is a public key only; the private key was expected", remedy: form)
        default: throw .malformed("is base64url of \(bytes.count) bytes", remedy: form)
        }
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

    /// A JSON Web Token, a compact JWS signed with ES256 (RFC 7515 §7.1).
    func webToken(header: JSONValue, claims: JSONValue) throws(TrustError) -> String {
        let signed = [header, claims].map { Base64.encode($0.encoded, url: true) }.joined(separator: ".")
        return signed + "." + Base64.encode(try signature(of: Array(signed.utf8), .es256), url: true)
    }
}
