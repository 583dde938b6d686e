/// Hexadecimal digits.
package enum Hex {
    @inline(__always)
    static func value(of digit: UInt8) -> UInt8? {
        let decimal = digit &- 0x30
        if decimal < 10 { return decimal }
        let letter = (digit | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    @inline(__always)
    static func lowercase(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x57 &+ value }

    /// Two lower-case digits for each byte.
    package static func text(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            digits.append(lowercase(byte >> 4))
            digits.append(lowercase(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
