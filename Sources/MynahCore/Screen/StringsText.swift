/// Turns the bytes of a strings file into characters.
enum StringsText {
    /// Decodes UTF-16 when its byte order mark is there, else UTF-8, whose mark may be there.
    ///
    /// - Throws: ``StringsError`` at the first unit that is neither.
    static func decode(_ bytes: [UInt8]) throws(StringsError) -> [Unicode.Scalar] {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): return try decodeWords(bytes[2...], isBigEndian: false)
        case (0xFE, 0xFF): return try decodeWords(bytes[2...], isBigEndian: true)
        default:
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
            // Latin text in UTF-16 without its mark is UTF-8 as well, with a zero at every other place.
            if let zero = text.firstIndex(of: 0) {
                let before = try decode(Array(text[..<zero]), as: UTF8(), "UTF-8")
                throw error(after: before, "a zero byte; UTF-16 needs its byte order mark")
            }
            return try decode(Array(text), as: UTF8(), "UTF-8, or UTF-16 with a byte order mark,")
        }
    }

    /// The place of the scalar after these.
    static func error(after scalars: some Collection<Unicode.Scalar>, _ problem: String) -> StringsError {
        var line = 1
        var column = 1
        var last: Unicode.Scalar?
        for scalar in scalars {
            if scalar == "\n" || scalar == "\r" {
                if !(scalar == "\n" && last == "\r") { line += 1 }
                column = 1
            } else {
                column += 1
            }
            last = scalar
        }
        return StringsError(line: line, column: column, problem: problem)
    }

    private static func decodeWords(
        _ bytes: ArraySlice<UInt8>, isBigEndian: Bool
    ) throws(StringsError) -> [Unicode.Scalar] {
        var words: [UInt16] = []
        words.reserveCapacity(bytes.count / 2)
        var first: UInt8?
        for byte in bytes {
            guard let held = first else {
                first = byte
                continue
            }
            words.append(isBigEndian ? UInt16(held) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(held))
            first = nil
        }
        let scalars = try decode(words, as: UTF16(), "UTF-16")
        guard first == nil else { throw error(after: scalars, "UTF-16 has an even number of bytes") }
        return scalars
    }

    private static func decode<Codec: UnicodeCodec>(
        _ units: [Codec.CodeUnit], as codec: Codec, _ name: String
    ) throws(StringsError) -> [Unicode.Scalar] {
        var codec = codec
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(units.count)
        var iterator = units.makeIterator()
        while true {
            switch codec.decode(&iterator) {
            case .scalarValue(let scalar): scalars.append(scalar)
            case .emptyInput: return scalars
            case .error: throw error(after: scalars, "\(name) was expected")
            }
        }
    }
}
