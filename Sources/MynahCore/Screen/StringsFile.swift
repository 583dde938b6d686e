/// The strings of one language, as an app's `Localizable.strings` has them (`DeviceBehaviour#What-the-user-sees`).
///
/// Read from the old ASCII property list (`"KEY" = "value";`, keys without quotes, comments) or from a JSON object
/// of strings; both as UTF-8, or as UTF-16 with a byte order mark, which is how Xcode once wrote them.
struct StringsFile: Sendable, Hashable {
    /// The most bytes of a file: a quarter of what the control API takes, so that a few languages fit into one call.
    static let bytesMax = 1 << 20
    static let entriesMax = 10_000

    let strings: [String: String]
    /// What is odd about the file and yet no error, a sentence each: duplicate keys, escapes that read differently.
    var warnings: [String] = []
}

extension StringsFile {
    /// Reads a file's bytes; the first character `{` makes it JSON.
    init(parsing bytes: [UInt8]) throws(StringsError) {
        guard bytes.count <= StringsFile.bytesMax else {
            throw StringsError(problem: "the file has \(bytes.count) bytes, the most are \(StringsFile.bytesMax)")
        }
        var scanner = StringsScanner(scalars: try StringsFile.decode(bytes))
        (strings, warnings) = try scanner.entries()
    }

    init(parsing text: String) throws(StringsError) { try self.init(parsing: Array(text.utf8)) }

    /// An ASCII property list, keys in order, a line each; reading it gives the same strings.
    var text: String {
        strings.sorted { $0.key < $1.key }
            .map { "\(StringsFile.quoted($0.key)) = \(StringsFile.quoted($0.value));\n" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() + "\""
    }

    private static let escapes: [Unicode.Scalar: String] = [
        "\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#, "\r": #"\r"#, "\t": #"\t"#,
    ]

    // MARK: - Decoding

    // Decodes UTF-16 if its byte order mark is there, else UTF-8, whose mark may be there.
    private static func decode(_ bytes: [UInt8]) throws(StringsError) -> [Unicode.Scalar] {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): return try decodeWords(bytes[2...], isBigEndian: false)
        case (0xFE, 0xFF): return try decodeWords(bytes[2...], isBigEndian: true)
        default:
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
            // Latin text in UTF-16 without its mark is UTF-8 as well, with a zero at every other place.
            if let zero = text.firstIndex(of: 0) {
                let before = try decode(Array(text[..<zero]), as: UTF8(), "UTF-8")
                throw StringsError(after: before, "a zero byte; UTF-16 needs its byte order mark")
            }
            return try decode(Array(text), as: UTF8(), "UTF-8, or UTF-16 with a byte order mark,")
        }
    }

    private static func decodeWords(
        _ bytes: ArraySlice<UInt8>, isBigEndian: Bool
    ) throws(StringsError) -> [Unicode.Scalar] {
        let words = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            let word = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
            return isBigEndian ? word : word.byteSwapped
        }
        let scalars = try decode(words, as: UTF16(), "UTF-16")
        guard bytes.count.isMultiple(of: 2) else {
            throw StringsError(after: scalars, "UTF-16 has an even number of bytes")
        }
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
            case .error: throw StringsError(after: scalars, "\(name) was expected")
            }
        }
    }
}

/// Why a strings file can't be read, and where.
struct StringsError: Error, Equatable, CustomStringConvertible {
    /// From 1; a carriage return and a line feed together end one line.
    var line = 1
    /// From 1, counted in Unicode scalars.
    var column = 1
    /// What is wrong there, or what was expected, as a sentence.
    let problem: String

    var description: String { "line \(line), column \(column): \(problem)" }
}

extension StringsError {
    /// A problem with the scalar after these.
    init(after scalars: some Collection<Unicode.Scalar>, _ problem: String) {
        self.init(problem: problem)
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
    }
}
