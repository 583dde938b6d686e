internal import APNsRules

/// The text form of keys and certificates (RFC 7468).
enum PEM {
    struct Block {
        /// `PRIVATE KEY`, for example.
        let label: String
        /// `nil` when the text between the lines is not base64.
        let der: [UInt8]?
    }

    /// Characters of base64 in a line (RFC 7468 §2).
    private static let lineLength = 64

    static func blocks(in text: String) -> [Block] {
        var blocks: [Block] = []
        var open: (label: String, body: [UInt8])?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(line)
            if let label = label(of: line, "BEGIN") {
                open = (label, [])
            } else if let block = open, let label = label(of: line, "END"), label == block.label {
                blocks.append(Block(label: label, der: Base64.decode(block.body)?.bytes))
                open = nil
            } else {
                open?.body.append(contentsOf: line.utf8)
            }
        }
        return blocks
    }

    /// The blocks of a file that must have at least one; an error is a clause about the file.
    static func requiredBlocks(in text: String) throws(TrustError) -> [Block] {
        let blocks = blocks(in: text)
        guard blocks.isEmpty else { return blocks }
        throw .malformed(
            text.allSatisfy(\.isWhitespace) ? "is empty, not PEM" : "is not PEM: no complete BEGIN and END lines")
    }

    /// A block as text, with the newline at its end.
    static func encode(_ der: [UInt8], label: String) -> String {
        var text = "-----BEGIN \(label)-----\n"
        var rest = Base64.encode(der)[...]
        while !rest.isEmpty {
            text += rest.prefix(lineLength) + "\n"
            rest = rest.dropFirst(lineLength)
        }
        return text + "-----END \(label)-----\n"
    }

    static func certificate(_ der: [UInt8]) -> String { encode(der, label: "CERTIFICATE") }

    private static func label(of line: Substring, _ word: String) -> String? {
        let (prefix, suffix) = ("-----\(word) ", "-----")
        guard line.hasPrefix(prefix), line.hasSuffix(suffix), line.count > prefix.count + suffix.count
        else { return nil }
        return String(line.dropFirst(prefix.count).dropLast(suffix.count))
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }
}
