import APNsRules
import Testing

@testable import MynahCore

@Suite("Regular expressions")
struct PatternTests {
    private func pattern(_ text: String, ignoresCase: Bool = false) throws -> Pattern {
        try Pattern(text, ignoresCase: ignoresCase, at: "/match/topic/regex")
    }

    @Test("what is supported matches what it should, and nothing else", arguments: try SupportedPattern.all())
    func supported(example: SupportedPattern) throws {
        let pattern = try pattern(example.text, ignoresCase: example.ignoresCase)
        for text in example.matches { #expect(pattern.matches(text), "\(text.debugDescription)") }
        for text in example.others { #expect(!pattern.matches(text), "\(text.debugDescription)") }
    }

    @Test("what is not supported is refused, with its position and what is wrong", arguments: try RefusedPattern.all())
    func refused(example: RefusedPattern) throws {
        let error = try #require(throws: InputError.self) { try pattern(example.text) }
        #expect(error.field == "/match/topic/regex")
        #expect(error.problem.hasPrefix("bad regular expression \(example.text.prefix(80))"))
        #expect(error.problem.contains(example.says), "\(error.problem)")
        #expect(error.problem.contains(": expected "), "\(error.problem)")
        let place = example.position.map { ": at character \($0), " }
        if let place { #expect(error.problem.contains(place), "\(error.problem)") }
        #expect(error.problem.contains("at character") == (place != nil), "\(error.problem)")
    }

    @Test("any pattern and text agree with a naive matcher", arguments: 0..<40 as Range<UInt64>)
    func naive(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let naive = NaivePattern.pattern(depth: 3, &random)
            let pattern = try pattern(naive.text)
            for _ in 0..<12 {
                let text = NaivePattern.text(&random)
                #expect(pattern.matches(text) == naive.matches(text), "\(naive.text) \(text.debugDescription)")
                guard !pattern.prefix.isEmpty, pattern.matches(text) else { continue }
                #expect(text.lowercased().hasPrefix(pattern.prefix), "\(naive.text) \(text.debugDescription)")
            }
        }
    }

    @Test(
        "where the standard library's engine agrees on the meaning, it finds the same",
        arguments: 0..<10 as Range<UInt64>)
    func standardLibrary(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed + 1000)
        for _ in 0..<60 {
            let naive = NaivePattern.pattern(depth: 2, &random)
            guard !naive.hasBoundary else { continue }
            let pattern = try pattern(naive.text)
            let regex = try Regex(naive.text).matchingSemantics(.unicodeScalar)
            for _ in 0..<8 {
                // Among scalars, the other engine takes a digit before an ideograph for no part of a word.
                let text = NaivePattern.text(&random).replacing("日", with: "d")
                #expect(
                    pattern.matches(text) == (text.firstMatch(of: regex) != nil),
                    "\(naive.text) \(text.debugDescription)")
            }
        }
    }

    /// Patterns on which backtracking engines take exponential time.
    static let hostile = [
        "^(a+)+b$", "(a|a)*b", "(a*)*b", "^(a|aa)+$", "(.*)*x", "(.*a){12}x", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(a?){100}a{100}!", "(\\w+\\s?)*\\d$", "(?i)^(A+)+B$", "foo.{0,30}bar", "((a*)*)*b", "^(a|b|ab)*c",
    ]

    @Test("a text is read once at most, whatever the pattern", arguments: hostile)
    func linear(text: String) throws {
        let pattern = try pattern(text)
        for subject in ["a", "ab", "aé", "x", "a b"] {
            for count in [1, 40, 5120] {
                let subject = String(String(repeating: subject, count: count).prefix(5119)) + "!"
                #expect(pattern.bytesRead(of: subject) <= subject.utf8.count)
            }
        }
        #expect(!pattern.matches(String(repeating: "a", count: 5119) + "?"))
    }

    @Test("a text is read no further than it takes to decide")
    func decided() throws {
        #expect(try pattern("b").bytesRead(of: "aab" + String(repeating: "a", count: 1000)) == 3)
        #expect(try pattern("^b").bytesRead(of: String(repeating: "a", count: 1000)) == 1)
        #expect(try pattern("a*").bytesRead(of: "aaa") == 0)
    }

    @Test(
        "an automaton is small, or the pattern is refused", arguments: hostile + ["^.{0,200}x$", "a.{8}b", "^a{999}$"])
    func small(text: String) throws {
        #expect(try pattern(text).byteCount < 40_000)
    }

    @Test(
        "the prefix of all matches is found",
        arguments: [
            ("^00fc", "00fc"), ("^00FC", "00fc"), ("^00x*", "00"), ("^(00fc|00fd)", "00f"), ("^zz|00", ""), ("00", ""),
            ("(?i)^aB1", "ab1"), ("^a[bc]d", "a"), ("^ab{2}c", "abbc"), ("^ab?c", "a"), ("^é", ""), ("^ab$", "ab"),
            ("^a?$", ""), ("^(a$|ab)", "a"), ("", ""), ("^\\ba", "a"),
        ])
    func prefix(text: String, expected: String) throws {
        #expect(try pattern(text, ignoresCase: text == "^00FC").prefix == expected)
    }

    @Test("patterns are equal when text and case are")
    func equality() throws {
        #expect(try pattern("a") == pattern("a"))
        #expect(try pattern("a") != pattern("b"))
        #expect(try pattern("a") != pattern("a", ignoresCase: true))
        #expect(Set([try pattern("a"), try pattern("a")]).count == 1)
    }

    @Test("a pattern that is too long is refused with its length")
    func long() throws {
        let error = #expect(throws: InputError.self) { try pattern(String(repeating: "a", count: 1001)) }
        #expect(error?.problem.contains("1001") == true)
        #expect(try pattern("^" + String(repeating: "a", count: 999)).prefix.hasPrefix("aaa"))
    }
}

/// What the regular expressions of a document may take.
@Suite("The memory of regular expressions")
struct PatternBudgetTests {
    /// `count` patterns of some 30 kB each.
    private static func large(_ count: Int) -> JSONValue {
        .array((0..<count).map { ["regex": .string("^(abcdefghijklmnopqrst){33}\($0)$")] })
    }

    @Test("an expectation is refused at the first pattern that exceeds the memory")
    func filter() throws {
        let error = try #require(throws: InputError.self) { try Filter(json: ["topic": Self.large(18)]) }
        #expect(error.field.hasPrefix("/match/topic/"))
        #expect(error.problem.contains("of memory: expected at most 524288"), "\(error.problem)")
        let half = Self.large(9)
        #expect(throws: InputError.self) { try Filter(json: ["topic": half, "payload": ["/a": half]]) }
        let steps = JSONValue.array(Array(repeating: ["topic": half], count: 4))
        let step = try #require(throws: InputError.self) { try MynahCore.Expectation(json: ["inOrder": steps]) }
        #expect(step.field.hasPrefix("/inOrder/"))
    }

    @Test("a server refuses a rule whose regular expressions exceed the memory of all rules")
    func rules() throws {
        var set = FaultSet()
        let draft = try FaultDraft(json: ["match": ["topic": Self.large(16)], "action": ["type": "pass"]])
        var refusal: InputError?
        for _ in 0..<200 where refusal == nil {
            do throws(InputError) { _ = try set.add([draft], at: noon) } catch { refusal = error }
        }
        let error = try #require(refusal, "no rule was too much")
        #expect(error.kind == .conflict)
        #expect(error.field == "/match" && error.problem.contains("of memory"))
        #expect(set.rules.count > 50)
        let held = try #require(set.rules.last)
        #expect(throws: InputError.self) { try set.put(draft, id: "new", at: noon) }
        // Replacing another rule makes room.
        _ = try set.put(draft, id: held.id, at: noon)
        _ = try set.patch(held.id, with: ["rulePriority": 3])
    }
}
