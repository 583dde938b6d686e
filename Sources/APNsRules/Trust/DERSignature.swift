/// The DER form of an ECDSA signature over P-256, a SEQUENCE of two INTEGERs (RFC 3279 §2.2.3); Apple's own shell
/// example produces it, and APNs accepts it (`ProviderAPI#Token-format`).
package enum DERSignature {
    /// r and s, 32 bytes each; `nil` for any other bytes.
    package static func rawSignature(_ bytes: [UInt8]) -> [UInt8]? {
        var rest = bytes[...]
        // A signature over P-256 is at most 72 bytes, so every length is one byte.
        guard rest.consume(0x30), let length = rest.popFirst(), Int(length) == rest.count,
            let first = integer(&rest), let second = integer(&rest), rest.isEmpty
        else { return nil }
        return first + second
    }

    private static func integer(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.consume(0x02), let length = rest.popFirst(), length > 0, Int(length) <= rest.count else {
            return nil
        }
        var digits = rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        guard digits.first.map({ $0 < 0x80 }) == true else { return nil }
        if digits.count > 1, digits.first == 0 { digits = digits.dropFirst() }
        guard digits.count <= 32 else { return nil }
        return Array(repeating: 0, count: 32 - digits.count) + Array(digits)
    }

    package static func encode(_ signature: [UInt8]) -> [UInt8] {
        let integers = [signature.prefix(32), signature.dropFirst(32)].flatMap { number in
            var digits = Array(number.drop { $0 == 0 })
            // A leading zero keeps the number positive (X.690 §8.3).
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(integers.count)] + integers
    }
}
