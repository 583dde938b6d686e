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

    // Decodes UTF-16 if its byte order mark is there, else UTF-8, whose mark may be there.
    private static func decode(_ bytes: [UInt8]) throws(StringsError) -> [Unicode.Scalar] {
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else {
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
            // Latin text in UTF-16 without its mark is UTF-8 as well, with a zero at every other place.
            if let zero = text.firstIndex(of: 0) {
                let before = try decode(text[..<zero], as: UTF8.self, "UTF-8")
                throw StringsError(after: before, "a zero byte; UTF-16 needs its byte order mark")
            }
            return try decode(text, as: UTF8.self, "UTF-8, or UTF-16 with a byte order mark,")
        }
        let words = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let word = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
            return isBigEndian ? word : word.byteSwapped
        }
        let scalars = try decode(words, as: UTF16.self, "UTF-16")
        if bytes.count.isMultiple(of: 2) { return scalars }
        throw StringsError(after: scalars, "UTF-16 has an even number of bytes")
    }

    private static func decode<Encoding: Unicode.Encoding>(
        _ units: some Sequence<Encoding.CodeUnit>, as encoding: Encoding.Type, _ name: String
    ) throws(StringsError) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(units.underestimatedCount)
        let isBroken = transcode(units.makeIterator(), from: encoding, to: UTF32.self, stoppingOnError: true) {
            if let scalar = Unicode.Scalar($0) { scalars.append(scalar) }
        }
        if isBroken { throw StringsError(after: scalars, "\(name) was expected") }
        return scalars
    }
}

/// Why a strings file can't be read, and where.
struct StringsError: Error, Equatable, CustomStringConvertible {
    /// From 1; a carriage return and a line feed together end one line.
    var line = 1
    /// From 1, counted in Unicode scalars.
    var column = 1
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
