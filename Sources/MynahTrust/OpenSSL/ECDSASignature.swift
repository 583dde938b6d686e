internal import COpenSSL

/// Converts ECDSA signatures over P-256 between 64 bytes, r then s (RFC 7518 §3.4), and DER, OpenSSL's form (RFC 3279
/// §2.2.3).
enum ECDSASignature {
    /// Bytes of r and of s.
    private static let halfBytes = 32

    static func der(raw: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        precondition(raw.count == 2 * halfBytes, "a raw signature over P-256 has 64 bytes")
        OpenSSLError.clearQueue()
        guard let signature = ECDSA_SIG_new() else { throw OpenSSLError("ECDSA_SIG_new") }
        defer { ECDSA_SIG_free(signature) }
        let (r, s) = raw.withUnsafeBufferPointer { buffer in
            let start = buffer.baseAddress
            return (
                BN_bin2bn(start, Int32(halfBytes), nil), BN_bin2bn(start.map { $0 + halfBytes }, Int32(halfBytes), nil)
            )
        }
        // ECDSA_SIG_set0 takes ownership of both if it succeeds.
        guard r != nil, s != nil, ECDSA_SIG_set0(signature, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            throw OpenSSLError("ECDSA_SIG_set0")
        }
        return try derEncoded("i2d_ECDSA_SIG") { i2d_ECDSA_SIG(signature, $0) }
    }

    static func raw(der: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        OpenSSLError.clearQueue()
        let signature = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &cursor, buffer.count)
        }
        guard let signature else { throw OpenSSLError("d2i_ECDSA_SIG") }
        defer { ECDSA_SIG_free(signature) }
        let half = Int32(halfBytes)
        let bytes = [UInt8](unsafeUninitializedCapacity: 2 * halfBytes) { buffer, count in
            let start = buffer.baseAddress
            let isWritten =
                BN_bn2binpad(ECDSA_SIG_get0_r(signature), start, half) == half
                && BN_bn2binpad(ECDSA_SIG_get0_s(signature), start.map { $0 + halfBytes }, half) == half
            count = isWritten ? 2 * halfBytes : 0
        }
        guard bytes.count == 2 * halfBytes else { throw OpenSSLError("BN_bn2binpad") }
        return bytes
    }
}
