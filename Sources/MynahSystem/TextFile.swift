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
    /// and Notepad write, is foreign, and so are UTF-32 and other encodings.
    ///
    /// In files of keys and certificates bytes that are no UTF-8 are replaced: in PEM they can only be comments, and what
    /// reads PEM says what is wrong with DER.
    /// - Parameter isOfKeys: Whether it is such a file.
    package static func text(_ bytes: [UInt8], isOfKeys: Bool = false) -> Reading {
        if let encoding = wideEncoding(of: bytes) {
            return .foreign(
                EncodingProblem(
                    problem: "is text in \(encoding.family), not in UTF-8",
                    remedy: "Convert it: `iconv -f \(encoding.name) -t UTF-8 FILE > FILE.new`"))
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

    /// The encoding of a text whose characters have two or four bytes.
    private struct WideEncoding {
        let family: String
        /// The encoding's name for iconv.
        let name: String
        /// What a text in it begins with: bytes of a mark, or which bytes of its first ASCII characters are NUL.
        let start: Start

        enum Start {
            case mark([UInt8])
            case zeros([Bool])
        }

        func begins(_ bytes: [UInt8]) -> Bool {
            switch start {
            case .mark(let mark): bytes.starts(with: mark)
            case .zeros(let zeros): bytes.prefix(zeros.count).map { $0 == 0 } == zeros
            }
        }

        // The byte order is part of the name, as iconv takes the machine's order for a text without a mark. UTF-32
        // comes first, as its mark begins with the mark of UTF-16.
        static let all = [
            WideEncoding(family: "UTF-32", name: "UTF-32", start: .mark([0xFF, 0xFE, 0, 0])),
            WideEncoding(family: "UTF-32", name: "UTF-32", start: .mark([0, 0, 0xFE, 0xFF])),
            WideEncoding(family: "UTF-32", name: "UTF-32LE", start: .zeros([false, true, true, true])),
            WideEncoding(family: "UTF-32", name: "UTF-32BE", start: .zeros([true, true, true, false])),
            WideEncoding(family: "UTF-16", name: "UTF-16", start: .mark([0xFF, 0xFE])),
            WideEncoding(family: "UTF-16", name: "UTF-16", start: .mark([0xFE, 0xFF])),
            WideEncoding(family: "UTF-16", name: "UTF-16LE", start: .zeros([false, true, false, true])),
            WideEncoding(family: "UTF-16", name: "UTF-16BE", start: .zeros([true, false, true, false])),
        ]
    }

    /// Found by its mark, or by its first ASCII characters: no text in UTF-8 has a NUL.
    private static func wideEncoding(of bytes: [UInt8]) -> WideEncoding? {
        guard bytes.count >= 4, bytes.count.isMultiple(of: 2) else { return nil }
        return WideEncoding.all.first { $0.begins(bytes) }
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
