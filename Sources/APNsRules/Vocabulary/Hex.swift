/// Hexadecimal digits, for device tokens and notification ids.
enum Hex {
    /// The value of one hexadecimal digit in either case, or `nil`.
    @inline(__always)
    static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit &- 0x30
        case 0x61...0x66: digit &- 0x57
        case 0x41...0x46: digit &- 0x37
        default: nil
        }
    }

    /// The lower-case digit of a value below 16.
    @inline(__always)
    static func lowercase(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 &+ value : 0x57 &+ value
    }
}
