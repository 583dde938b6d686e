/// Calls an `i2d_…` function twice: for the length, then for the bytes.
func derEncoded(
    _ call: String, _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) throws(OpenSSLError) -> [UInt8] {
    let length = Int(encode(nil))
    guard length > 0 else { throw OpenSSLError(call) }
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        var cursor = buffer.baseAddress
        count = Int(encode(&cursor)) == length ? length : 0
    }
    guard bytes.count == length else { throw OpenSSLError(call) }
    return bytes
}
