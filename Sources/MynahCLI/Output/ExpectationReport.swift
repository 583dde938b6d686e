import APNsRules
import MynahClient

/// What an expectation came to, in words; where it is unmet, the pushes that came close, as a difference.
struct ExpectationReport {
    /// One line, and what it is, for whoever colours it.
    struct Line: Equatable {
        enum Kind {
            case verdict
            case plain
            case expected
            case actual
        }

        let kind: Kind
        let text: String
    }

    /// Characters of a value that a terminal shows; a file gets all of them.
    static let valueCountMax = 400

    private let checked: CheckedExpectation
    private let isNamed: Bool

    /// A report.
    ///
    /// - Parameter isNamed: whether the name is said, as it must be where there are several.
    init(_ checked: CheckedExpectation, isNamed: Bool) {
        self.checked = checked
        self.isNamed = isNamed
    }

    /// The first line, without a colour: what it came to.
    var verdict: String {
        let name = isNamed ? PrintableText.text(checked.expectation.name) + ": " : ""
        switch checked.result {
        case .failure(let error): return "error: \(name)\(PrintableText.text(error.message))"
        case .success(let result):
            let pushes = result.matched == 1 ? "1 push matched" : "\(result.matched) pushes matched"
            if result.isMet { return "met: \(name)\(pushes)\(ExpectationReport.sequences(result))" }
            let sequences = ExpectationReport.sequences(result)
            return "unmet: \(name)\(pushes)\(sequences); \(checked.expectation.wanted) expected"
        }
    }

    /// All lines; a value is cut to so many characters.
    func lines(valueCountMax: Int = .max) -> [Line] {
        var lines = [Line(kind: .verdict, text: verdict)]
        guard case .success(let result) = checked.result else { return lines }
        if !result.isMet, let step = result.document["failedAt"]?.integer {
            lines.append(Line(kind: .plain, text: "step \(step) of inOrder has no push"))
        }
        for candidate in result.nearest {
            lines.append(Line(kind: .plain, text: ExpectationReport.heading(of: candidate)))
            for difference in candidate["differences"]?.array ?? [] {
                let field = PrintableText.text(difference["field"]?.string ?? "?")
                func shown(_ name: String) -> String {
                    let text = difference[name]?.encodedText ?? "nothing"
                    return PrintableText.text(PrintableText.shortened(text, to: valueCountMax))
                }
                lines.append(Line(kind: .expected, text: "- \(field) \(shown("expected"))"))
                lines.append(Line(kind: .actual, text: "+ \(field) \(shown("actual"))"))
            }
        }
        lines += result.hints.map { Line(kind: .plain, text: "hint: \(PrintableText.text($0))") }
        return lines
    }

    /// The lines for a terminal, without the last one's end.
    func text(hasColours: Bool) -> String {
        lines(valueCountMax: ExpectationReport.valueCountMax).map { line in
            let text = [.expected, .actual].contains(line.kind) ? "  " + line.text : line.text
            guard hasColours else { return text }
            switch line.kind {
            case .plain: return text
            case .expected: return ExpectationReport.coloured(text, "31")
            case .actual: return ExpectationReport.coloured(text, "32")
            case .verdict:
                let word = text.prefix { $0 != ":" }
                return ExpectationReport.coloured(String(word), word == "met" ? "1;32" : "1;31")
                    + text.dropFirst(word.count)
            }
        }.joined(separator: "\n")
    }

    /// The lines for a file, values uncut.
    var plainText: String { lines().map(\.text).joined(separator: "\n") }

    private static func coloured(_ text: String, _ code: String) -> String { "\u{1B}[\(code)m\(text)\u{1B}[0m" }

    private static func sequences(_ result: ExpectationResult) -> String {
        let sequences = result.items.compactMap { $0["sequence"]?.encodedText }
        guard !sequences.isEmpty else { return "" }
        return ": " + sequences.joined(separator: ", ") + (result.matched > sequences.count ? ", …" : "")
    }

    /// `near miss: push 7, 09:30:00.123, 200 delivered, com.example.app, 00fc13ad (- expected, + actual)`.
    private static func heading(of candidate: JSONValue) -> String {
        let push = candidate["push"]
        let time = push?["receivedAt"]?.string.map { String($0.dropFirst(11).prefix(12)) }
        let answer = push?["status"]?.integer.map { "\($0) \(push?["outcome"]?.string ?? "")" }
        let facts = [
            "push \(candidate["sequence"]?.encodedText ?? "?")", time, answer ?? push?["outcome"]?.string,
            push?["topic"]?.string, push?["device"]?.string.map { String($0.prefix(24)) },
        ]
        return "near miss: " + facts.compactMap(\.self).map(PrintableText.text).joined(separator: ", ")
            + " (- expected, + actual)"
    }
}
