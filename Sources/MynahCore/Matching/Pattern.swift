/// A regular expression by its text, in the syntax of Swift's `Regex`, which is close to that of Perl.
///
/// Unanchored: it may describe any part of the value, `^` and `$` bind it to the ends. Kept as text, since a
/// compiled `Regex` may not cross threads. Matching backtracks, so a pattern like `(a+)+b` can take long.
package struct Pattern: Hashable, Sendable {
    /// The pattern.
    package let text: String
    /// Whether upper and lower case are the same.
    package let ignoresCase: Bool

    /// The most characters of a pattern; one written by hand is far shorter.
    package static let textCountMax = 1000

    /// Checks a pattern.
    ///
    /// - Throws: ``QueryError`` of `field`.
    package init(_ text: String, ignoresCase: Bool, at field: String) throws(QueryError) {
        guard text.count <= Pattern.textCountMax else {
            throw QueryError(
                field, "a regular expression may have \(Pattern.textCountMax) characters; this has \(text.count)")
        }
        do {
            _ = try Regex(text)
        } catch {
            throw QueryError(field, "\(text) is no regular expression: \(error)")
        }
        self.text = text
        self.ignoresCase = ignoresCase
    }
}

/// Patterns compiled for one run of a filter.
struct PatternTable {
    private let compiled: [Pattern: Regex<AnyRegexOutput>]

    init(_ patterns: [Pattern]) {
        var compiled: [Pattern: Regex<AnyRegexOutput>] = [:]
        for pattern in patterns where compiled[pattern] == nil {
            // The text was compiled once already, when the pattern was made.
            if let regex = try? Regex(pattern.text) {
                compiled[pattern] = pattern.ignoresCase ? regex.ignoresCase() : regex
            }
        }
        self.compiled = compiled
    }

    func matches(_ pattern: Pattern, _ text: String) -> Bool {
        guard let regex = compiled[pattern] else {
            preconditionFailure("the pattern \(pattern.text) is of another filter")
        }
        return text.firstMatch(of: regex) != nil
    }
}
