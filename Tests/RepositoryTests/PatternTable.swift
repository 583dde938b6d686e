import Foundation

/// The tables of regular expressions in the reference, made from `fixtures/patterns`.
enum PatternTable {
    static let markers = ("<!-- patterns:begin -->", "<!-- patterns:end -->")

    private struct Supported: Decodable {
        let syntax: [String]
        let means: String
    }

    private struct Refused: Decodable {
        let syntax: [String]?
        let what: String?
        let instead: String?
    }

    /// What is supported and what is not, as Markdown.
    static func markdown() throws -> String {
        let supported: [Supported] = try read("supported.json")
        let refused: [Refused] = try read("refused.json")
        var lines = ["| supported | means |", "| --- | --- |"]
        for kind in supported { lines.append("| \(code(kind.syntax)) | \(cell(kind.means)) |") }
        lines += ["", "| refused | | instead |", "| --- | --- | --- |"]
        for kind in refused {
            guard let syntax = kind.syntax, let what = kind.what, let instead = kind.instead else { continue }
            lines.append("| \(code(syntax)) | \(cell(what)) | \(cell(instead)) |")
        }
        return lines.joined(separator: "\n")
    }

    private static func read<Kind: Decodable>(_ file: String) throws -> [Kind] {
        let text = try Repository.text(of: "fixtures/patterns/" + file)
        return try JSONDecoder().decode([Kind].self, from: Data(text.utf8))
    }

    private static func code(_ texts: [String]) -> String { texts.map { cell("`\($0)`") }.joined(separator: " ") }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
