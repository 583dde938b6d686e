/// The kinds of characters that a byte of ASCII can be; inlined everywhere, as most parsers ask for each byte.
extension UInt8 {
    /// Whether this is a decimal digit.
    @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    /// Whether this is a letter in lower case.
    @inlinable package var isASCIILowercase: Bool { (0x61...0x7A).contains(self) }
    /// Whether this is a letter in upper case.
    @inlinable package var isASCIIUppercase: Bool { (0x41...0x5A).contains(self) }
    /// Whether this is a letter.
    @inlinable package var isASCIILetter: Bool { (self | 0x20).isASCIILowercase }
    /// Whether this is a letter or a decimal digit.
    @inlinable package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
}
