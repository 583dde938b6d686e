/// Hexadecimal digits, for device tokens and notification ids.
enum Hex {
    /// The value of one hexadecimal digit in either case, or `nil`.
    @inline(__always)
    static func value(of digit: UInt8) -> UInt8? {
        let decimal = digit &- 0x30
        if decimal < 10 { return decimal }
        let letter = (digit | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The lower-case digit of a value below 16.
    @inline(__always)
    static func lowercase(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 &+ value : 0x57 &+ value
    }
}
