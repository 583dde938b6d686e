/// Percent-encoding of a part of a URL's path.
enum PathText {
    /// Decodes a part; `+` stands for itself.
    ///
    /// - Throws: ``Problem`` where percent-encoding or UTF-8 is broken.
    static func decoded(_ text: String, field: String?) throws(Problem) -> String {
        guard text.utf8.contains(0x25) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.first != 0x2B
            else {
                throw Problem(
                    .invalidParameter, "invalid percent-encoding in \(text): expected two hexadecimal digits after %",
                    field: field)
            }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw Problem(.invalidParameter, "invalid percent-encoding in \(text): expected UTF-8", field: field)
        }
        return decoded
    }

    /// Encodes an ID or a topic for a `Location`.
    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x3A, 0x40:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }
}
