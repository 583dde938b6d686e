/// A public key as Web Push names it: the 65 bytes of an uncompressed point on P-256 in base64url (SEC 1 §2.3.3).
///
/// Whether the point is on the curve is for OpenSSL to say.
package enum P256Point {
    /// The bytes of the point.
    case bytes([UInt8])
    /// What the text is in place of a key, a clause after its name.
    case problem(String)

    package static let expected = "base64url of the 65 bytes of an uncompressed point on P-256"

    /// Reads a key in base64url or standard base64, with or without padding.
    package init(_ text: some StringProtocol) {
        self = Base64.decode(text.utf8).map { P256Point(decoded: $0.bytes) } ?? P256Point.notBase64URL
    }

    /// Reads a key in base64url without padding, as a request has to name it (RFC 8292 §3.2).
    init(base64URL text: some StringProtocol) {
        guard let decoded = Base64.decode(text.utf8), !decoded.isStandard else {
            self = P256Point.notBase64URL
            return
        }
        self.init(decoded: decoded.bytes)
    }

    private init(decoded bytes: [UInt8]) {
        self =
            switch bytes.first {
            case 0x04 where bytes.count == WebPushLimits.pointBytes: .bytes(bytes)
            case 0x02, 0x03: .problem("is a compressed point")
            case 0x30: .problem("is DER")
            default: .problem("is \(bytes.count) bytes")
            }
    }

    private static let notBase64URL = P256Point.problem("is not base64url")
}
