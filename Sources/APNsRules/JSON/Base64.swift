/// Base64 in both alphabets that provider tokens use.
package enum Base64 {
    /// Decodes base64url or standard base64, with or without padding; `nil` if the text is neither.
    ///
    /// `isStandard` is whether the text has a character or padding that base64url (RFC 7515 §2) doesn't allow.
    package static func decode(_ text: some Collection<UInt8>) -> (bytes: [UInt8], isStandard: Bool)? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var isStandard = false
        var buffer: UInt32 = 0
        var bits = 0
        var digits = 0
        var padding = 0
        for byte in text {
            if byte == 0x3D {
                padding += 1
                isStandard = true
                continue
            }
            guard padding == 0 else { return nil }
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case 0x2D, 0x2B: value = 62
            case 0x5F, 0x2F: value = 63
            default: return nil
            }
            if byte == 0x2B || byte == 0x2F { isStandard = true }
            digits += 1
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        guard digits % 4 != 1, padding <= 2, padding == 0 || (digits + padding) % 4 == 0 else { return nil }
        return (bytes, isStandard)
    }

    /// Encodes as standard base64 with padding, or as base64url without.
    package static func encode(_ bytes: some Collection<UInt8>, url: Bool = false) -> String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let alphabet = Array((letters + "0123456789" + (url ? "-_" : "+/")).utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(6 - bits) & 63)]) }
        while !url, text.count % 4 != 0 { text.append(0x3D) }
        return String(decoding: text, as: UTF8.self)
    }
}
