/// An `apns-id`: a UUID that is answered letter for letter as it was sent.
///
/// Clients match replies by the string that they sent (`ProviderAPI#Responses`), so the case of each digit is kept with the
/// value. Two ids are equal if their values are, whatever the case.
public struct NotificationID: Hashable, Sendable {
    // Two words instead of a UInt128, whose alignment of 16 bytes would cost every journal entry.
    private let high: UInt64
    private let low: UInt64
    // Bit n says that the n-th hexadecimal digit, from the left, was an upper-case letter.
    private let uppercaseDigits: UInt32

    /// The 128 bits.
    public var value: UInt128 { UInt128(high) << 64 | UInt128(low) }

    private init(_ value: UInt128, uppercaseDigits: UInt32) {
        self.high = UInt64(truncatingIfNeeded: value >> 64)
        self.low = UInt64(truncatingIfNeeded: value)
        self.uppercaseDigits = uppercaseDigits
    }

    /// The number of characters of the canonical form, 8-4-4-4-12 digits and four hyphens.
    public static let textCount = 36

    /// Reads the canonical form in either case, or mixed; `nil` for anything else.
    public init?(_ text: Span<UInt8>) {
        guard text.count == NotificationID.textCount else { return nil }
        var value: UInt128 = 0
        var uppercase: UInt32 = 0
        var digitIndex: UInt32 = 0
        for index in 0..<NotificationID.textCount {
            let byte = text[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == 0x2D else { return nil }
                continue
            }
            guard let digit = Hex.value(of: byte) else { return nil }
            value = value << 4 | UInt128(digit)
            if (0x41...0x46).contains(byte) { uppercase |= 1 << digitIndex }
            digitIndex += 1
        }
        self.init(value, uppercaseDigits: uppercase)
    }

    /// Reads the canonical form from a string; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(bytes.span)
    }

    /// An id as APNs generates it when the provider sends none: upper case, every bit random
    /// (`ProviderAPI#Responses`).
    public init(generated bits: UInt128) { self.init(bits, uppercaseDigits: .max) }

    /// An `apns-unique-id`: lower case (`ProviderAPI#Responses`).
    package init(unique bits: UInt128) { self.init(bits, uppercaseDigits: 0) }

    /// The 36 characters as bytes, without an allocation.
    package var characters: InlineArray<36, UInt8> {
        var characters = InlineArray<36, UInt8>(repeating: 0x2D)
        let cases = UInt64(uppercaseDigits)
        NotificationID.write(high >> 32, cases: cases & 0xFF, at: 0, count: 8, to: &characters)
        NotificationID.write(high >> 16 & 0xFFFF, cases: cases >> 8 & 0xF, at: 9, count: 4, to: &characters)
        NotificationID.write(high & 0xFFFF, cases: cases >> 12 & 0xF, at: 14, count: 4, to: &characters)
        NotificationID.write(low >> 48, cases: cases >> 16 & 0xF, at: 19, count: 4, to: &characters)
        NotificationID.write(low >> 16 & 0xFFFF_FFFF, cases: cases >> 20 & 0xFF, at: 24, count: 8, to: &characters)
        NotificationID.write(low & 0xFFFF, cases: cases >> 28 & 0xF, at: 32, count: 4, to: &characters)
        return characters
    }

    // Up to eight digits at once, one in each byte of a word: two ids are written for every push.
    @inline(__always)
    private static func write(
        _ value: UInt64, cases: UInt64, at place: Int, count: Int, to characters: inout InlineArray<36, UInt8>
    ) {
        // The most significant digit goes into the most significant byte.
        var digits = (value | value << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte whose digit is a letter.
        let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let text = digits + 0x3030_3030_3030_3030 + letters * 0x27
        for index in 0..<count {
            let shift = UInt64((count - 1 - index) * 8)
            let byte = UInt8(truncatingIfNeeded: text >> shift)
            let isUppercaseLetter = UInt8(truncatingIfNeeded: letters >> shift & cases >> UInt64(index))
            characters[place + index] = byte &- isUppercaseLetter << 5
        }
    }

    /// The 36 characters, letter for letter as they were sent.
    public var text: String {
        let characters = characters
        return characters.span.text
    }

    /// Whether the 128 bits are the same; the case of the digits does not count.
    public static func == (left: NotificationID, right: NotificationID) -> Bool {
        left.high == right.high && left.low == right.low
    }

    /// Hashes the 128 bits.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }
}
