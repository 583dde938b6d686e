/// The strings of one language, as an app's `Localizable.strings` has them (`DeviceBehaviour#What-the-user-sees`).
///
/// Read from the old ASCII property list (`"KEY" = "value";`, keys without quotes, comments) or from a JSON object
/// of strings; both as UTF-8, or as UTF-16 with a byte order mark, which is how Xcode once wrote them.
package struct StringsFile: Sendable, Hashable {
    /// Bytes of a file, before decoding; a longer one is an error.
    ///
    /// A quarter of what the control API takes, so that a few languages fit into one call.
    package static let bytesMax = 1 << 20
    /// Entries of a file; more are an error.
    package static let entriesMax = 10_000

    /// The values by their keys.
    package let strings: [String: String]
    /// What is odd about the file and yet no error, a sentence each: duplicate keys, escapes that read differently.
    package let warnings: [String]

    /// Strings that were not read from a file.
    package init(strings: [String: String]) {
        self.strings = strings
        self.warnings = []
    }

    /// Reads a file's bytes; the first character `{` makes it JSON.
    ///
    /// - Throws: ``StringsError`` with line and column of the first fault.
    package init(parsing bytes: [UInt8]) throws(StringsError) {
        guard bytes.count <= StringsFile.bytesMax else {
            throw StringsError(
                line: 1, column: 1, problem: "the file has \(bytes.count) bytes, the most are \(StringsFile.bytesMax)")
        }
        var scanner = StringsScanner(scalars: try StringsText.decode(bytes))
        (self.strings, self.warnings) = try scanner.entries()
    }

    /// Reads a file's text.
    ///
    /// - Throws: ``StringsError`` with line and column of the first fault.
    package init(parsing text: String) throws(StringsError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// The file as an ASCII property list, keys in order, a line each; reading it gives the same strings.
    package var text: String {
        strings.sorted { $0.key < $1.key }
            .map { "\(StringsFile.quoted($0.key)) = \(StringsFile.quoted($0.value));\n" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// Why a strings file cannot be read, and where.
package struct StringsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line, from 1; a carriage return and a line feed together end one line.
    package let line: Int
    /// The column, from 1, counted in Unicode scalars.
    package let column: Int
    /// What is wrong there, or what was expected, as a sentence.
    package let problem: String

    /// An error at a place.
    package init(line: Int, column: Int, problem: String) {
        self.line = line
        self.column = column
        self.problem = problem
    }

    /// One sentence with its place.
    package var description: String { "line \(line), column \(column): \(problem)" }
}
