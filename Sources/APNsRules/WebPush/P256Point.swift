/// A public key as Web Push names it: the 65 bytes of an uncompressed point on P-256 in base64url (SEC 1 §2.3.3).
///
/// Whether the point is on the curve is for OpenSSL to say.
package enum P256Point {
    package static let expected = "base64url of the 65 bytes of an uncompressed point on P-256"

    /// What a text is in place of a key, a clause after its name.
    package struct Fault: Error {
        package let problem: String

        package init(_ problem: String) { self.problem = problem }
    }

    /// Reads a key in base64url or standard base64, with or without padding.
    package static func read(_ text: some StringProtocol) throws(Fault) -> [UInt8] {
        guard let decoded = Base64.decode(text.utf8) else { throw notBase64URL }
        return try check(decoded.bytes)
    }

    /// Reads a key in base64url without padding, as a request has to name it (RFC 8292 §3.2).
    static func readBase64URL(_ text: some StringProtocol) throws(Fault) -> [UInt8] {
        guard let decoded = Base64.decode(text.utf8), !decoded.isStandard else { throw notBase64URL }
        return try check(decoded.bytes)
    }

    private static let notBase64URL = Fault("is not base64url")

    private static func check(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
        if bytes.count == WebPushLimits.pointBytes, bytes[0] == 0x04 { return bytes }
        switch bytes.first {
        case 0x02, 0x03: throw Fault("is a compressed point")
        case 0x30: throw Fault("is DER")
        default: throw Fault("is \(bytes.count) bytes")
        }
    }
}
