/// A text as one word of a shell's command line.
package enum ShellWord {
    package static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-./_".unicodeScalars.contains(scalar))
        }
        guard !isPlain || text.isEmpty else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
