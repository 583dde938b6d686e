import MynahYAML

// Not all of Foundation, which makes the tool three times as large if linked statically.
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes files as a Swift file: `FileEmbedder page OUTPUT ROOT FILE…`, where each file lies below the root,
/// `FileEmbedder scenarios OUTPUT "" FILE…`, where each is a scenario in YAML, or `FileEmbedder cases OUTPUT "" FILE…`,
/// where each is a case in JSON.
@main
enum FileEmbedder {
    /// The reason why a file can't be embedded.
    struct EmbeddingError: Error, CustomStringConvertible { let description: String }

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 3 else {
            throw EmbeddingError(description: "usage: FileEmbedder page|scenarios|cases OUTPUT ROOT FILE…")
        }
        let paths = arguments[3...]
        let source: String
        switch arguments[0] {
        case "page":
            let entries = try paths.map { try entry(String($0.dropFirst(arguments[2].count)), try text(of: $0)) }
            source = """
                extension PageFile {
                    /// Every file, by name.
                    static let embedded: [String: PageFile] = [
                \(entries.joined(separator: "\n"))
                    ]
                }

                """
        case "scenarios":
            let entries = try paths.map { path in
                let json = try ScenarioJSON.text(ofYAML: try text(of: path), path: path)
                let name = path.split(separator: "/").last.map { $0.dropLast(".yaml".count) } ?? ""
                return "        (\"\(name)\", ####\"\(json)\"####),"
            }
            source = """
                extension ShippedScenarios {
                    /// The files of `fixtures/scenarios` as JSON, in the order of their names.
                    static let texts: [(name: String, json: String)] = [
                \(entries.joined(separator: "\n"))
                    ]
                }

                """
        case "cases":
            // All files are one literal, which costs a program that doesn't read it nothing.
            let lines = try paths.map { path in
                let name = path.split(separator: "/").last.map { $0.dropLast(".json".count) } ?? ""
                return "\(name) \(withoutSpace(json: try text(of: path)))"
            }
            source = """
                extension FixtureCase {
                    /// The files of `fixtures/provider-api`, a line each: name, space, JSON.
                    static let lines = ####\"""
                \(lines.joined(separator: "\n"))
                \"""####
                }

                """
        default:
            throw EmbeddingError(description: "unknown kind \(arguments[0]): expected page, scenarios or cases")
        }
        // A file that is written again has whole modules compiled again.
        guard (try? text(of: arguments[1])) != source else { return }
        try source.write(toFile: arguments[1], atomically: false, encoding: .utf8)
    }

    private static func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// A JSON text without white space between its tokens.
    private static func withoutSpace(json: String) -> String {
        var isInString = false
        var isEscaped = false
        var text = ""
        for scalar in json.unicodeScalars {
            if isInString {
                isInString = isEscaped || scalar != "\""
                isEscaped = !isEscaped && scalar == "\\"
            } else if scalar.properties.isWhitespace {
                continue
            } else {
                isInString = scalar == "\""
            }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    private static func entry(_ name: String, _ text: String) throws -> String {
        guard text.hasSuffix("\n"), !text.utf8.contains(0x0D) else {
            throw EmbeddingError(description: "\(name): every line, including the last, must end in LF")
        }
        var fence = "#"
        while text.contains("\"\"\"" + fence) || text.contains("\\" + fence) { fence += "#" }
        // The line break before the closing quotes is not part of the text, so the file's last one is written twice.
        return """
            "\(name)": PageFile(name: "\(name)", text: \(fence)\"""
            \(text)
            \"""\(fence)),
            """
    }
}

/// Turns the YAML of a scenario into JSON, member by member in the same order.
private enum ScenarioJSON {
    static func text(ofYAML yaml: String, path: String) throws -> String {
        do throws(YAMLFault) {
            if let root = try YAMLReader.read(yaml) { return json(root) }
        } catch {
            throw FileEmbedder.EmbeddingError(description: "\(path):\(error.line): \(error.problem)")
        }
        throw FileEmbedder.EmbeddingError(description: "\(path) is empty: expected a scenario")
    }

    private static func json(_ node: YAMLNode) -> String {
        switch node.content {
        case .scalar(let text, let isPlain):
            isPlain && text.wholeMatch(of: literal) != nil ? text : quoted(text)
        case .mapping(let members):
            "{" + members.map { json($0.key) + ":" + json($0.value) }.joined(separator: ",") + "}"
        case .sequence(let elements):
            "[" + elements.map(json).joined(separator: ",") + "]"
        }
    }

    /// A plain scalar that means the same in JSON.
    private static var literal: some RegexComponent { /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?/ }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
