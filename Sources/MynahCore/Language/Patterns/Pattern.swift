/// A regular expression, compiled into an automaton that reads each character of a text once.
///
/// It may match any part of a text; `^` and `$` bind it to the ends. It is checked and compiled when it is given, so
/// that matching can't fail, needs no memory, and takes time proportional to the text alone, whatever the pattern.
package struct Pattern: Sendable {
    package let text: String
    /// Whether upper and lower case are the same, as the field demands it; `(?i)` asks for it in the pattern itself.
    package let ignoresCase: Bool
    private let automaton: PatternAutomaton
    /// In characters; a pattern written by hand is far shorter.
    package static let textCountMax = 1000

    /// - Throws: ``InputError`` of `field` for a pattern that is malformed, uses what is not supported, or is too complex.
    package init(_ text: String, ignoresCase: Bool, at field: String) throws(InputError) {
        guard text.unicodeScalars.count <= Pattern.textCountMax else {
            throw InputError(
                at: field,
                "the regular expression has \(text.unicodeScalars.count) characters: expected at most "
                    + "\(Pattern.textCountMax)")
        }
        do throws(InputError) {
            var parser = PatternParser(text, ignoresCase: ignoresCase)
            self.automaton = try PatternAutomaton(PatternProgram(try parser.parse()))
        } catch {
            throw InputError(
                at: field, "bad regular expression \(PrintableText.shortened(text, to: 100)): \(error.description)")
        }
        self.text = text
        self.ignoresCase = ignoresCase
    }

    /// Whether the pattern matches some part of a text.
    func matches(_ text: String) -> Bool { automaton.read(text).isMatch }
    /// How many bytes of a text are read, each once, before it is decided whether it matches.
    func bytesRead(of text: String) -> Int { automaton.read(text).byteCount }
    /// Whether the pattern matches any text.
    var canMatch: Bool { automaton.canMatch }
    /// Reads a text side by side with other patterns.
    var lane: PatternAutomaton.Lane { PatternAutomaton.Lane(automaton) }
    /// Reads all texts of a kind at once.
    var walk: PatternAutomaton.Walk { PatternAutomaton.Walk(automaton) }
    /// The characters with which every text that matches begins, in lower case; empty if they are not known.
    var prefix: String { automaton.prefix }
    /// The size of the automaton in memory.
    package var byteCount: Int { automaton.byteCount }
}

extension Pattern: Hashable {
    // Patterns are compared by their text, as a text always compiles to the same automaton.
    package static func == (left: Pattern, right: Pattern) -> Bool {
        left.text == right.text && left.ignoresCase == right.ignoresCase
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(ignoresCase)
    }
}

extension Pattern {
    /// The syntax that is supported, for errors about any other.
    static let supported =
        #"characters, . [a-z] [^a-z] \d \w \s \D \W \S \b \B ^ $ (…) (?:…) a|b a* a+ a? a{2,3}, and (?i) at the front"#
}

extension InputError {
    /// What is wrong with a pattern, and after a colon what was expected.
    ///
    /// - Parameter position: The number of the character, from 1; `nil` for the pattern as a whole.
    static func pattern(at position: Int?, _ problem: String) -> InputError {
        InputError(at: "", position.map { "at character \($0), \(problem)" } ?? problem)
    }

    /// An error about a pattern whose automaton would be too large or take too long to make.
    static func complexPattern(at position: Int? = nil) -> InputError {
        .pattern(
            at: position,
            "it is too complex: expected fewer or smaller repetitions {m,n}, or \"*\" or \"+\" in their place")
    }
}

/// Adds up the memory of the regular expressions of a document, and refuses the one that exceeds the limit.
struct PatternBudget {
    /// The most for one filter: a dozen of the largest patterns, a thousand usual ones.
    static let filterBytesMax = 1 << 19
    /// The most for all filters of an expectation.
    static let expectationBytesMax = 1 << 20
    /// The most for all fault rules of a server; a thousand rules with the largest pattern need half of it.
    static let rulesBytesMax = 64 << 20

    private let byteCountMax: Int
    private let kind: InputError.Kind
    private var byteCount = 0

    init(_ byteCountMax: Int, error kind: InputError.Kind = .invalid) {
        self.byteCountMax = byteCountMax
        self.kind = kind
    }

    /// - Throws: ``InputError`` of the part's place if too little is left.
    mutating func spend(_ count: Int, at place: String) throws(InputError) {
        byteCount += count
        guard byteCount <= byteCountMax else {
            throw InputError(
                kind, at: place,
                "the regular expressions up to here take \(byteCount) bytes of memory: expected at most \(byteCountMax); "
                    + "use fewer or simpler ones")
        }
    }
}
