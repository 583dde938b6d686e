import APNsRules
import MynahClient
import MynahCore

/// The result of an expectation in words.
struct ExpectationReport {
    typealias Line = FindingText.Line

    private let checked: CheckedExpectation
    private let isNamed: Bool

    /// - Parameter isNamed: Whether to print the name, as required for several expectations.
    init(_ checked: CheckedExpectation, isNamed: Bool) {
        self.checked = checked
        self.isNamed = isNamed
    }

    /// The first line, without colours.
    var verdict: String {
        switch checked.result {
        case .failure(let error):
            let name = isNamed ? PrintableText.text(checked.expectation.name) + ": " : ""
            return "error: \(name)\(PrintableText.text(error.message))"
        case .success(let result): return text(of: result).verdict
        }
    }

    /// All lines, with values cut to `valueCountMax` characters.
    func lines(valueCountMax: Int = .max) -> [Line] {
        guard case .success(let result) = checked.result else { return [Line(kind: .verdict, text: verdict)] }
        return text(of: result).lines(valueCountMax: valueCountMax)
    }

    private func text(of result: ExpectationResult) -> FindingText {
        FindingText(
            result.document, wanted: checked.expectation.wanted, name: isNamed ? checked.expectation.name : nil)
    }

    /// The lines for a terminal.
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
