internal import APNsRules

/// The curve of web pushes' keys, P-256 (RFC 8291 §3.1).
package enum WebPushCurve {
    /// The point that belongs to a private number of 32 bytes, above 0 and below the curve's order.
    package static func point(ofNumber number: [UInt8]) throws(TrustError) -> [UInt8] {
        // OpenSSL computes the point of a document that has none (RFC 5915 §3).
        try PKey.pkcs8(P256PrivateKey.document(number: number, point: nil)).point()
    }
}
