import APNsRules
import MynahClient
import MynahCore

/// What an expectation came to, in words, or why it was not checked.
struct ExpectationReport {
    typealias Line = FindingText.Line

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
        switch checked.result {
        case .failure(let error):
            let name = isNamed ? PrintableText.text(checked.expectation.name) + ": " : ""
            return "error: \(name)\(PrintableText.text(error.message))"
        case .success(let result): return text(of: result).verdict
        }
    }

    /// All lines; a value is cut to so many characters.
    func lines(valueCountMax: Int = .max) -> [Line] {
        guard case .success(let result) = checked.result else { return [Line(kind: .verdict, text: verdict)] }
        return text(of: result).lines(valueCountMax: valueCountMax)
    }

    private func text(of result: ExpectationResult) -> FindingText {
        FindingText(
            result.document, wanted: checked.expectation.wanted, name: isNamed ? checked.expectation.name : nil)
    }

    /// The lines for a terminal, without the last one's end.
    func text(hasColours: Bool) -> String {
        lines(valueCountMax: FindingText.valueCountMax).map { line in
            let text = line.indentedText
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
}
