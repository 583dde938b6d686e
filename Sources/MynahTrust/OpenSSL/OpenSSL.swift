internal import COpenSSL

extension TrustError {
    /// Takes this thread's error queue, oldest first, after a failed `call`; call `ERR_clear_error` before that.
    static func openSSL(_ call: String) -> TrustError {
        var lines: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            // OpenSSL asks for at least 256 bytes (ERR_error_string_n(3)).
            let line = text(capacity: 256) { buffer, capacity in
                ERR_error_string_n(code, buffer, capacity)
                return true
            }
            lines.append(line ?? "error \(code)")
        }
        return TrustError(.cryptography, lines.isEmpty ? "\(call) failed" : "\(call): \(lines.joined(separator: "; "))")
    }
}

/// The text that a C function writes into a buffer of this size, up to its NUL; `nil` if `write` returns `false`.
func text(capacity: Int, _ write: (UnsafeMutablePointer<CChar>, Int) -> Bool) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
        buffer.baseAddress.flatMap { write($0, buffer.count) ? String(cString: $0) : nil }
    }
}

func derEncoded(
    _ call: String, _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) throws(TrustError) -> [UInt8] {
    let length = Int(encode(nil))
    guard length > 0 else { throw .openSSL(call) }
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        var cursor = buffer.baseAddress
        count = Int(encode(&cursor)) == length ? length : 0
    }
    guard bytes.count == length else { throw .openSSL(call) }
    return bytes
}

/// Calls a `d2i_…` function; the caller owns the result.
func derDecoded(
    _ der: [UInt8], by call: String, _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
) throws(TrustError) -> OpaquePointer {
    ERR_clear_error()
    let raw = der.withUnsafeBufferPointer { buffer in
        var cursor = buffer.baseAddress
        return decode(&cursor, buffer.count)
    }
    guard let raw else { throw .openSSL(call) }
    return raw
}
