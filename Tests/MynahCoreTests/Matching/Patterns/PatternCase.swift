import APNsRules
import Foundation
import MynahCore

/// A pattern of `fixtures/patterns/supported.json`, with texts that match it and others that do not.
///
/// The file has an array of kinds of syntax: `syntax`, how they are written, `means`, what they mean, and their `cases`.
/// Of a case, `ignoresCase` says that the field to which the pattern is put ignores case.
struct SupportedPattern: Sendable, CustomStringConvertible {
    let text: String
    let ignoresCase: Bool
    let matches: [String]
    let others: [String]

    var description: String { text }

    static func all() throws -> [SupportedPattern] {
        try PatternFixtures.cases(of: "supported.json").map { json in
            guard let text = json["pattern"]?.string, let matches = json["matches"]?.array,
                let others = json["others"]?.array
            else { throw PatternFixtures.Unreadable(description: json.encodedText) }
            return SupportedPattern(
                text: text, ignoresCase: json["ignoresCase"]?.bool ?? false, matches: matches.compactMap(\.string),
                others: others.compactMap(\.string))
        }
    }
}

/// A pattern of `fixtures/patterns/refused.json`, with the number of the character at fault and a part of the error.
///
/// The kinds of syntax there have `what` they are, and what to write `instead`; those without `syntax` are malformed.
struct RefusedPattern: Sendable, CustomStringConvertible {
    let text: String
    let position: Int?
    let says: String

    var description: String { text }

    static func all() throws -> [RefusedPattern] {
        try PatternFixtures.cases(of: "refused.json").map { json in
            guard let text = json["pattern"]?.string, let says = json["says"]?.string else {
                throw PatternFixtures.Unreadable(description: json.encodedText)
            }
            return RefusedPattern(text: text, position: json["at"]?.integer.map { Int($0) }, says: says)
        }
    }
}

private enum PatternFixtures {
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    static func cases(of file: String) throws -> [JSONValue] {
        var folder = URL(filePath: #filePath)
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        let bytes = Array(try Data(contentsOf: folder.appending(path: "fixtures/patterns/\(file)")))
        let cases = (try JSONValue(parsing: bytes).array ?? []).flatMap { $0["cases"]?.array ?? [] }
        guard !cases.isEmpty else { throw Unreadable(description: "\(file) has no cases") }
        return cases
    }
}
