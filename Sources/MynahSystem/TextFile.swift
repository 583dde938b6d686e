/// Reads the text of files that people and their tools write: keys, settings, tokens, payloads.
package enum TextFile {
    /// What bytes are read as.
    package enum Reading {
        case text(String)
        case foreign(EncodingProblem)
    }

    /// Text that is not in UTF-8: a clause about the file, and what mends it.
    package struct EncodingProblem {
        package let problem: String
        package let remedy: String
    }

    /// The text of UTF-8, without the byte order mark that some editors write (Unicode §23.8); UTF-16, which PowerShell
    /// and Notepad write, is foreign, and so are other encodings.
    ///
    /// In files of keys and certificates bytes that are no UTF-8 are replaced: in PEM they can only be comments, and what
    /// reads PEM says what is wrong with DER.
    /// - Parameter isOfKeys: Whether it is such a file.
    package static func text(_ bytes: [UInt8], isOfKeys: Bool = false) -> Reading {
        guard !isUTF16(bytes) else {
            // Without a mark iconv takes the order of its own machine.
            let hasMark = bytes[0] >= 0xFE
            let name = hasMark ? "UTF-16" : bytes[0] == 0 ? "UTF-16BE" : "UTF-16LE"
            return .foreign(
                EncodingProblem(
                    problem: "is text in UTF-16, not in UTF-8",
                    remedy: "Convert it: `iconv -f \(name) -t UTF-8 FILE > FILE.new`"))
        }
        let text = withoutMark(bytes)
        if let valid = String(validating: text, as: UTF8.self) { return .text(valid) }
        guard !isOfKeys else { return .text(String(decoding: text, as: UTF8.self)) }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let number = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 } ?? 1
        return .foreign(
            EncodingProblem(
                problem: "is not text in UTF-8: line \(number) has bytes of another encoding",
                remedy: "Convert it, for example from Latin-1: `iconv -f ISO-8859-1 -t UTF-8 FILE > FILE.new`"))
    }

    /// The bytes without a byte order mark in UTF-8.
    package static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    // By its mark, or by two ASCII characters; no text in UTF-8 has a NUL.
    private static func isUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4, bytes.count % 2 == 0 else { return false }
        let start = bytes.prefix(4).map { $0 == 0 }
        return bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            || start == [false, true, false, true] || start == [true, false, true, false]
    }

    /// The first line without its end, whichever tool wrote that: LF, CR LF or CR.
    package static func firstLine(of text: String) -> String {
        String(text.prefix { !$0.isNewline })
    }

    /// The text without white space on either side.
    package static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
