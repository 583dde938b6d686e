/// Percent-encoding of a part of a URL's path.
enum PathText {
    /// Decodes a part; `+` stands for itself.
    ///
    /// - Throws: ``Problem`` where percent-encoding or UTF-8 is broken.
    static func decoded(_ text: String, field: String?) throws(Problem) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        var bytes = Array(parts[0])
        for part in parts.dropFirst() {
            let digits = part.prefix(2)
            guard digits.count == 2, digits.first != UInt8(ascii: "+"),
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                throw .parameter(
                    field, "invalid percent-encoding in \(text): expected two hexadecimal digits after %")
            }
            bytes.append(byte)
            bytes += part.dropFirst(2)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw .parameter(field, "invalid percent-encoding in \(text): expected UTF-8")
        }
        return decoded
    }

    /// Encodes an ID or a topic for a `Location`.
    static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x3A, 0x40:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
