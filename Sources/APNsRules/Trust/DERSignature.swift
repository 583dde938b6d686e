/// The DER form of an ECDSA signature over P-256: a SEQUENCE of two INTEGERs (RFC 3279 §2.2.3).
///
/// Apple's own shell recipe makes it, and APNs accepts it (`ProviderAPI#Token-format`).
enum DERSignature {
    /// r and s, 32 bytes each; `nil` for anything but such a SEQUENCE.
    static func rawSignature(_ bytes: [UInt8]) -> [UInt8]? {
        var rest = bytes[...]
        // A signature over P-256 is at most 72 bytes, so every length is one byte.
        guard take(&rest, 0x30), let length = rest.popFirst(), Int(length) == rest.count,
            let first = integer(&rest), let second = integer(&rest), rest.isEmpty
        else { return nil }
        return first + second
    }

    private static func integer(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard take(&rest, 0x02), let length = rest.popFirst(), length > 0, Int(length) <= rest.count else { return nil }
        var digits = rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        guard digits.first.map({ $0 < 0x80 }) == true else { return nil }
        if digits.count > 1, digits.first == 0 { digits = digits.dropFirst() }
        guard digits.count <= 32 else { return nil }
        return Array(repeating: 0, count: 32 - digits.count) + Array(digits)
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, _ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }
}
