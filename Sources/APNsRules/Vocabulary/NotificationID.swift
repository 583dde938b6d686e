/// An `apns-id`: a UUID that is returned exactly as it was sent.
///
/// Clients match replies by the string that they sent (`ProviderAPI#Responses`), so the case of each digit is kept with
/// the value. Two ids are equal if their values are, regardless of case.
public struct NotificationID: Hashable, Sendable {
    // Two words instead of a UInt128, whose alignment of 16 bytes would cost every journal entry.
    private let high: UInt64
    private let low: UInt64
    // Bit n is set if the n-th hexadecimal digit from the left was an upper-case letter.
    package let uppercaseDigits: UInt32

    /// The 128 bits.
    public var value: UInt128 { UInt128(high) << 64 | UInt128(low) }

    package init(_ value: UInt128, uppercaseDigits: UInt32) {
        self.high = UInt64(truncatingIfNeeded: value >> 64)
        self.low = UInt64(truncatingIfNeeded: value)
        self.uppercaseDigits = uppercaseDigits
    }

    /// The number of characters of the canonical form, 8-4-4-4-12 digits and four hyphens.
    public static let textCount = 36

    /// Reads the canonical form in either case, or mixed; `nil` for anything else.
    public init?(_ text: Span<UInt8>) {
        guard text.count == NotificationID.textCount else { return nil }
        guard text[8] == 0x2D, text[13] == 0x2D, text[18] == 0x2D, text[23] == 0x2D else { return nil }
        let left: UInt64 = 0xFFFF_FFFF_0000_0000
        guard let first = Hex.Eight(text.word(at: 0)),
            let second = Hex.Eight(text.word(at: 9) & left | text.word(at: 14) >> 32),
            let third = Hex.Eight(text.word(at: 19) & left | text.word(at: 24) >> 32),
            let fourth = Hex.Eight(text.word(at: 28))
        else { return nil }
        high = UInt64(first.value) << 32 | UInt64(second.value)
        low = UInt64(third.value) << 32 | UInt64(fourth.value)
        uppercaseDigits =
            UInt32(first.uppercase) | UInt32(second.uppercase) << 8 | UInt32(third.uppercase) << 16
            | UInt32(fourth.uppercase) << 24
    }

    /// Reads the canonical form from a string; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(bytes.span)
    }

    /// An id as APNs generates it if none was sent: upper case, every bit random (`ProviderAPI#Responses`).
    public init(generated bits: UInt128) { self.init(bits, uppercaseDigits: .max) }

    /// An `apns-unique-id`: lower case (`ProviderAPI#Responses`).
    package init(unique bits: UInt128) { self.init(bits, uppercaseDigits: 0) }

    /// The places of the words of ``characterWords`` among the 36 characters; the last two overlap.
    package static let wordPlaces: InlineArray<5, Int> = [0, 8, 16, 24, 28]

    /// The 36 characters, eight in each number, the leftmost one in the most significant byte.
    package var characterWords: InlineArray<5, UInt64> {
        // Eight digits each, of the groups 8-4-4-4-12; the third number has a third of the last group.
        let group1 = digits(of: high >> 32, 0)
        let groups2And3 = digits(of: high, 8)
        let groups4And5 = digits(of: low >> 32, 16)
        let endOfGroup5 = digits(of: low, 24)
        return [
            group1, 0x2D << 56 | (groups2And3 >> 32) << 24 | 0x2D << 16 | groups2And3 >> 16 & 0xFFFF,
            groups2And3 << 48 | 0x2D << 40 | (groups4And5 >> 32) << 8 | 0x2D, groups4And5 << 32 | endOfGroup5 >> 32,
            endOfGroup5,
        ]
    }

    @inline(__always)
    private func digits(of word: UInt64, _ firstDigit: UInt32) -> UInt64 {
        Hex.Eight.text(
            UInt32(truncatingIfNeeded: word), uppercase: UInt8(truncatingIfNeeded: uppercaseDigits >> firstDigit))
    }

    /// The id's 36 characters, exactly as they were sent.
    public var text: String {
        let words = characterWords
        var characters = InlineArray<36, UInt8>(repeating: 0)
        for index in words.indices {
            for byte in 0..<8 {
                characters[NotificationID.wordPlaces[index] + byte] = UInt8(
                    truncatingIfNeeded: words[index] >> UInt64(56 - 8 * byte))
            }
        }
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
