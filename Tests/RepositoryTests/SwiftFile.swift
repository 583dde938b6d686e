import Foundation
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
    private let code: ByteText

    init(path: String, text: String) {
        self.path = path
        code = ByteText(Self.code(in: text))
        codeLines = code.lines
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
        for number in lines(containing: "import") {
            let words = codeLines[number - 1].split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
                words[..<keyword].allSatisfy(Self.mayPrecedeImport)
            else { continue }
            // `import struct Foundation.Date` imports from Foundation.
            let kinds: [Substring] = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            let name = kinds.contains(words[keyword + 1]) ? words.dropFirst(keyword + 2).first : words[keyword + 1]
            guard let module = name?.split(separator: ".").first else { continue }
            found.append((String(module), number))
        }
        return found
    }

    /// The numbers, from 1, of the lines of code that contain a text.
    func lines(containing text: String) -> [Int] { code.lines(containing: text) }

    private static func mayPrecedeImport(_ word: Substring) -> Bool {
        ["public", "package", "internal", "fileprivate", "private"].contains(word) || word.hasPrefix("@")
    }

    private enum Context {
        case code
        case lineComment
        case blockComment(depth: Int)
        case string(end: String, hasEscapes: Bool)

        /// The bytes of which one may end it, or is no part of it.
        var stops: String {
            switch self {
            case .code: "\"#/"
            case .lineComment: "\n"
            case .blockComment: "*/\n"
            case .string: "\"\\\n"
            }
        }

        var isCode: Bool { if case .code = self { true } else { false } }
    }

    // From one stop to the next by the C library: byte by byte an unoptimised build takes a thousand times as long.
    private static func code(in text: String) -> String {
        var output = ""
        var context = Context.code
        text.withCString { start in
            var rest = start
            func isNext(_ word: String) -> Bool { strncmp(rest, word, word.utf8.count) == 0 }
            func take(_ count: Int, isCode: Bool) {
                if isCode {
                    let bytes = UnsafeRawBufferPointer(start: rest, count: count)
                    output += String(decoding: bytes, as: UTF8.self)
                }
                rest += count
            }
            while true {
                take(strcspn(rest, context.stops), isCode: context.isCode)
                guard rest.pointee != 0 else { return }
                switch context {
                case .code:
                    if isNext("//") {
                        context = .lineComment
                        take(2, isCode: false)
                    } else if isNext("/*") {
                        context = .blockComment(depth: 1)
                        take(2, isCode: false)
                    } else {
                        let pounds = strspn(rest, "#")
                        let quotes = strspn(rest + pounds, "\"")
                        guard quotes > 0 else {
                            take(max(pounds, 1), isCode: true)
                            continue
                        }
                        let opening = quotes >= 3 ? 3 : 1
                        context = .string(
                            end: String(repeating: "\"", count: opening) + String(repeating: "#", count: pounds),
                            hasEscapes: pounds == 0)
                        output += "\""
                        take(pounds + opening, isCode: false)
                    }
                case .lineComment: context = .code
                case .blockComment(let depth):
                    if isNext("/*") {
                        context = .blockComment(depth: depth + 1)
                        take(2, isCode: false)
                    } else if isNext("*/") {
                        context = depth == 1 ? .code : .blockComment(depth: depth - 1)
                        take(2, isCode: false)
                    } else {
                        take(1, isCode: isNext("\n"))
                    }
                case .string(let end, let hasEscapes):
                    if isNext(end) {
                        context = .code
                        output += "\""
                        take(end.utf8.count, isCode: false)
                    } else if hasEscapes, isNext("\\"), rest[1] != 0 {
                        take(1, isCode: false)
                        take(1, isCode: isNext("\n"))
                    } else {
                        take(1, isCode: isNext("\n"))
                    }
                }
            }
        }
        return output
    }
}
