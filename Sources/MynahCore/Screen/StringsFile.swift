/// The strings of one language, as an app's `Localizable.strings` has them (`DeviceBehaviour#What-the-user-sees`).
///
/// Read from the old ASCII property list (`"KEY" = "value";`, keys without quotes, comments) or from a JSON object of
/// strings. A class, as a large one is shared by all devices of a fleet.
final class StringsFile: Sendable, Hashable {
    /// The most bytes of a file: a quarter of what the control API takes, so that a few languages fit into one call.
    static let bytesMax = 1 << 20
    static let entriesMax = 10_000

    let strings: [String: String]
    /// What is unusual about the file without being an error, a sentence each: duplicate keys, ambiguous escapes.
    let warnings: [String]

    init(strings: [String: String], warnings: [String] = []) {
        self.strings = strings
        self.warnings = warnings
    }

    static func == (one: StringsFile, other: StringsFile) -> Bool {
        one === other || one.strings == other.strings && one.warnings == other.warnings
    }

    func hash(into hasher: inout Hasher) { hasher.combine(strings) }
}

extension StringsFile {
    /// Reads a file's text; the first character `{` makes it JSON.
    /// - Throws: ``InputError`` whose field is the ``TextPlace``.
    convenience init(parsing text: String) throws(InputError) {
        let count = text.utf8.count
        guard count <= StringsFile.bytesMax else {
            throw InputError(
                at: TextPlace(after: []).description,
                "the file has \(count) bytes: expected at most \(StringsFile.bytesMax)")
        }
        var scanner = StringsScanner(scalars: Array(text.unicodeScalars))
        let (strings, warnings) = try scanner.entries()
        self.init(strings: strings, warnings: warnings)
    }

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
}

extension StringsFile: ByteRecord {
    static let members = ByteMembers(StringsFile.init) { ($0.strings, $0.warnings) }
}

/// A place in a text: its line and its column, both counted from 1.
struct TextPlace: CustomStringConvertible {
    /// A carriage return and a line feed together end one line.
    private(set) var line = 1
    /// Counted in Unicode scalars.
    private(set) var column = 1
    var description: String { "line \(line), column \(column)" }

    /// The place after these scalars.
    init(after scalars: some Collection<Unicode.Scalar>) {
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
