/// Hexadecimal digits.
package enum Hex {
    @inline(__always)
    static func value(of digit: UInt8) -> UInt8? {
        let decimal = digit &- 0x30
        if decimal < 10 { return decimal }
        let letter = (digit | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// Eight digits as a number, and a mask of their upper-case letters: bit n for the n-th from the left.
    struct Eight {
        let value: UInt32
        let uppercase: UInt8

        /// Reads eight characters, the leftmost one in the most significant byte; `nil` unless all are digits.
        ///
        /// Works on all bytes of the word at once, because two ids and a token are read for every push. In a byte below
        /// 0x80, adding 0x80 - n sets the highest bit if the byte is n or more, and carries nothing into the next.
        @inline(__always)
        init?(_ word: UInt64) {
            let highest: UInt64 = 0x8080_8080_8080_8080
            guard word & highest == 0 else { return nil }
            let decimals = (word &+ 0x5050_5050_5050_5050) & ~(word &+ 0x4646_4646_4646_4646) & highest
            let lower = word | 0x2020_2020_2020_2020
            let letters = (lower &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(lower &+ 0x1919_1919_1919_1919) & highest
            guard decimals | letters == highest else { return nil }
            var digits = (word & 0x0F0F_0F0F_0F0F_0F0F) &+ (letters >> 7) &* 9
            digits = (digits | digits >> 4) & 0x00FF_00FF_00FF_00FF
            digits = (digits | digits >> 8) & 0x0000_FFFF_0000_FFFF
            value = UInt32(truncatingIfNeeded: digits | digits >> 16)
            // The product gathers the lowest bits of all bytes in its highest byte.
            let uppercase = (letters & ~(word << 2)) >> 7
            self.uppercase = UInt8(truncatingIfNeeded: (uppercase &* 0x8040_2010_0804_0201) >> 56)
        }

        /// The characters of a value, the leftmost one in the most significant byte.
        @inline(__always)
        static func text(_ value: UInt32, uppercase: UInt8) -> UInt64 {
            var digits = UInt64(value)
            digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
            digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
            digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
            // 1 in each byte whose digit is a letter, and in each byte whose bit of `uppercase` is set.
            let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
            let selected = (UInt64(uppercase) &* 0x0101_0101_0101_0101) & 0x0102_0408_1020_4080
            let cases = (selected &+ 0x7F7F_7F7F_7F7F_7F7F | selected) >> 7 & 0x0101_0101_0101_0101
            return digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27 &- (letters & cases) &* 0x20
        }
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
