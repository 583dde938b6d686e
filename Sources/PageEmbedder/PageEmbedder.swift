#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes web files as a Swift file: `PageEmbedder OUTPUT ROOT FILE…`, where each file lies below the root.
@main
enum PageEmbedder {
    /// A file that cannot stand in a Swift string literal as it is.
    struct Unfit: Error, CustomStringConvertible {
        let description: String
    }

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first, let root = arguments.dropFirst().first else {
            throw Unfit(description: "usage: PageEmbedder OUTPUT ROOT FILE…")
        }
        let entries = try arguments.dropFirst(2).map { path in
            let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            return try entry(String(path.dropFirst(root.count)), text)
        }
        let source = """
            extension PageFile {
                /// Every file, by name.
                static let embedded: [String: PageFile] = [
            \(entries.joined(separator: "\n"))
                ]
            }

            """
        try Data(source.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    }

    private static func entry(_ name: String, _ text: String) throws -> String {
        guard text.hasSuffix("\n"), !text.contains("\r"), !text.contains("\u{FFFD}") else {
            throw Unfit(description: "\(name) must be UTF-8 with lines that end in LF, the last one too")
        }
        var fence = "#"
        while text.contains("\"\"\"" + fence) || text.contains("\\" + fence) { fence += "#" }
        // The line break before the closing quotes does not count as text, so the file's last one is written twice.
        return """
            "\(name)": PageFile(name: "\(name)", tag: "\(tag(of: text))", text: \(fence)\"""
            \(text)
            \"""\(fence)),
            """
    }

    /// FNV-1a over the bytes, 64 bits: tells one version of a file from another.
    private static func tag(of text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
