import Testing

/// A Swift file with its comments and the contents of its string literals taken out.
///
/// A check for forbidden code may then look for words, and a comment that explains why something is forbidden is no
/// finding. An interpolation is blanked with its literal, and regular expression literals are not known.
struct SwiftFile: Sendable, CustomTestStringConvertible {
    /// Relative to the root of the repository.
    let path: String
    /// The lines of code; the n-th is the n-th line of the file.
    let codeLines: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.codeLines = Self.code(in: text).split(separator: "\n", omittingEmptySubsequences: false)
    }

    var testDescription: String { path }

    /// The first component below `Sources` or `Tests`: the target that the file belongs to.
    var target: String? {
        let components = path.split(separator: "/")
        return components.count > 2 ? String(components[1]) : nil
    }

    /// The modules that the file imports, each with its line number from 1.
    var imports: [(module: String, line: Int)] {
        var found: [(module: String, line: Int)] = []
        for (index, line) in codeLines.enumerated() {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
                words[..<keyword].allSatisfy(Self.mayPrecedeImport)
            else { continue }
            // `import struct Foundation.Date` imports from Foundation.
            let kinds: [Substring] = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            let name = kinds.contains(words[keyword + 1]) ? words.dropFirst(keyword + 2).first : words[keyword + 1]
            guard let module = name?.split(separator: ".").first else { continue }
            found.append((String(module), index + 1))
        }
        return found
    }

    /// The numbers, from 1, of the lines of code that contain a text.
    func lines(containing text: String) -> [Int] {
        codeLines.indices.filter { codeLines[$0].contains(text) }.map { $0 + 1 }
    }

    private static func mayPrecedeImport(_ word: Substring) -> Bool {
        ["public", "package", "internal", "fileprivate", "private"].contains(word) || word.hasPrefix("@")
    }

    private enum Context: Equatable {
        case code
        case lineComment
        case blockComment(depth: Int)
        case string(quotes: Int, pounds: Int)
    }

    private static func code(in text: String) -> String {
        let source = Array(text)
        var output = ""
        var context = Context.code
        var index = 0
        func starts(with word: String, at position: Int) -> Bool {
            source[position...].starts(with: word)
        }
        while index < source.count {
            let character = source[index]
            if character.isNewline {
                if context == .lineComment { context = .code }
                output.append("\n")
                index += 1
                continue
            }
            switch context {
            case .code:
                if starts(with: "//", at: index) {
                    context = .lineComment
                } else if starts(with: "/*", at: index) {
                    context = .blockComment(depth: 1)
                    index += 1
                } else if let opening = stringOpening(in: source, at: index) {
                    context = .string(quotes: opening.quotes, pounds: opening.pounds)
                    output.append("\"")
                    index += opening.quotes + opening.pounds - 1
                } else {
                    output.append(character)
                }
            case .lineComment:
                break
            case .blockComment(let depth):
                if starts(with: "/*", at: index) {
                    context = .blockComment(depth: depth + 1)
                    index += 1
                } else if starts(with: "*/", at: index) {
                    context = depth == 1 ? .code : .blockComment(depth: depth - 1)
                    index += 1
                }
            case .string(let quotes, let pounds):
                let end = String(repeating: "\"", count: quotes) + String(repeating: "#", count: pounds)
                if starts(with: end, at: index) {
                    context = .code
                    output.append("\"")
                    index += end.count - 1
                } else if character == "\\", pounds == 0 {
                    index += 1
                }
            }
            index += 1
        }
        return output
    }

    private static func stringOpening(in source: [Character], at index: Int) -> (quotes: Int, pounds: Int)? {
        let pounds = source[index...].prefix { $0 == "#" }.count
        let quotes = source[(index + pounds)...].prefix { $0 == "\"" }.count
        guard quotes > 0 else { return nil }
        return (quotes >= 3 ? 3 : 1, pounds)
    }
}
