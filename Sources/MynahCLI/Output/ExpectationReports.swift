import APNsRules
import MynahClient
import MynahCore

struct ExpectationReport {
    private let name: String?
    private let findings: Result<FindingText, ClientError>

    /// - Parameter isNamed: Whether to print the name, as required for several expectations.
    init(_ checked: CheckedExpectation, isNamed: Bool = false) {
        let name = isNamed ? checked.expectation.name : nil
        self.name = name
        findings = checked.result.map { FindingText($0, wanted: checked.expectation.wanted, name: name) }
    }

    /// The first line, without colours.
    var verdict: String {
        switch findings {
        case .failure(let error):
            "error: \(name.map { PrintableText.text($0) + ": " } ?? "")\(PrintableText.text(ControlProblem.text(error)))"
        case .success(let findings): findings.verdict
        }
    }

    /// The lines after the verdict, with values cut to `valueCountMax` characters.
    func details(valueCountMax: Int = .max) -> ArraySlice<FindingText.Line> {
        guard case .success(let findings) = findings else { return [] }
        return findings.lines(valueCountMax: valueCountMax).dropFirst()
    }

    func text(hasColours: Bool) -> String {
        func coloured(_ text: some StringProtocol, _ code: String) -> String {
            hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : String(text)
        }
        let word = verdict.prefix { $0 != ":" }
        let first = coloured(word, word == "met" ? "1;32" : "1;31") + verdict.dropFirst(word.count)
        let others = details(valueCountMax: FindingText.valueCountMax).map { line in
            switch line.kind {
            case .verdict, .plain: line.indentedText
            case .expected: coloured(line.indentedText, "31")
            case .actual: coloured(line.indentedText, "32")
            }
        }
        return ([first] + others).joined(separator: "\n")
    }

    var plainText: String { ([verdict] + details().map(\.text)).joined(separator: "\n") }
}

/// The report for GitHub Actions: an annotation for each unmet expectation, and a part of the job's summary.
struct GitHubReport {
    let checked: [CheckedExpectation]

    /// The workflow commands, one line each: `::error title=…,file=…,line=…::…`.
    var annotations: [String] {
        checked.filter { !$0.isMet }.map { one in
            var properties = ["title=" + GitHubReport.property("mynah expect: \(one.expectation.name)")]
            if let file = one.expectation.file { properties.append("file=" + GitHubReport.property(file)) }
            if let line = one.expectation.line { properties.append("line=\(line)") }
            let text = ExpectationReport(one).plainText
            return "::error \(properties.joined(separator: ","))::\(GitHubReport.message(text))"
        }
    }

    /// The summary in Markdown: a row for each expectation, and the differences of unmet ones.
    var summary: String {
        let met = checked.count { $0.isMet }
        var lines = [
            "### mynah expect: \(met) of \(checked.count) met", "", "| | expectation | result |",
            "| --- | --- | --- |",
        ]
        for one in checked {
            let verdict = ExpectationReport(one).verdict
            let name = GitHubReport.cell(one.expectation.name)
            lines.append("| \(one.isMet ? "✅" : "❌") | \(name) | \(GitHubReport.cell(verdict)) |")
        }
        for one in checked where !one.isMet {
            let text = ExpectationReport(one).plainText
            let fence = GitHubReport.fence(around: text)
            lines += ["", "**\(GitHubReport.cell(one.expectation.name))**", "", "\(fence)diff", text, fence]
        }
        return lines.joined(separator: "\n") + "\n\n"
    }

    private static func message(_ text: String) -> String { text.replacing(["%": "%25", "\r": "%0D", "\n": "%0A"]) }
    private static func property(_ text: String) -> String { message(text).replacing([":": "%3A", ",": "%2C"]) }

    // In a table, a bar ends the cell, and tags are interpreted.
    private static func cell(_ text: String) -> String {
        text.replacing([
            "|": "\\|", "\r": " ", "\n": " ", "<": "&lt;", "&": "&amp;", "`": "\\`", "*": "\\*", "_": "\\_", "[": "\\[",
            "\\": "\\\\",
        ])
    }

    /// At least three backticks, and more than the text has in a row.
    private static func fence(around text: String) -> String {
        let runs = text.split { $0 != "`" }.map(\.count)
        return String(repeating: "`", count: max(2, runs.max() ?? 0) + 1)
    }
}

extension String {
    /// The text with these characters replaced.
    func replacing(_ spellings: [Unicode.Scalar: String]) -> String {
        unicodeScalars.map { spellings[$0] ?? String($0) }.joined()
    }
}

/// The results of a run as JUnit XML for CI systems: one suite with a test case for each expectation, and the
/// differences as the text of a failure.
struct JUnitReport {
    /// The suite's name: the file, or the command.
    let name: String
    let startedAt: Instant
    let duration: Duration
    let checked: [CheckedExpectation]

    var text: String {
        let errors = checked.count { if case .failure = $0.result { true } else { false } }
        let failures = checked.count { !$0.isMet } - errors
        let counts = """
            tests="\(checked.count)" failures="\(failures)" errors="\(errors)" skipped="0" \
            time="\(JUnitReport.seconds(duration))"
            """
        // UTC, without a zone, which the schema of most tools doesn't allow.
        let timestamp = startedAt.rfc3339.prefix(19)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="mynah expect" \(counts)>
              <testsuite name="\(XMLText.attribute(name))" \(counts) timestamp="\(timestamp)">
            \(checked.map(testCase).joined(separator: "\n"))
              </testsuite>
            </testsuites>

            """
    }

    private func testCase(_ one: CheckedExpectation) -> String {
        var attributes = """
            name="\(XMLText.attribute(one.expectation.name))" classname="\(XMLText.attribute(name))" \
            time="\(JUnitReport.seconds(one.duration))"
            """
        if let file = one.expectation.file { attributes += " file=\"\(XMLText.attribute(file))\"" }
        if let line = one.expectation.line { attributes += " line=\"\(line)\"" }
        guard !one.isMet else { return "    <testcase \(attributes)/>" }
        let report = ExpectationReport(one)
        let (element, type) = if case .failure = one.result { ("error", "error") } else { ("failure", "unmet") }
        return """
                <testcase \(attributes)>
                  <\(element) message="\(XMLText.attribute(report.verdict))" type="\(type)">\
            \(XMLText.text(report.plainText))</\(element)>
                </testcase>
            """
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded())
        return "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
    }
}

enum XMLText {
    private static let tags: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"]
    private static let quotes: [Unicode.Scalar: String] = ["\"": "&quot;", "\t": "&#9;", "\n": "&#10;"]

    static func text(_ text: String) -> String { allowed(text).replacing(tags) }
    static func attribute(_ text: String) -> String { allowed(text).replacing(tags.merging(quotes) { $1 }) }

    // Characters that XML 1.0 forbids, also as references, become U+FFFD (XML 1.0 §2.2).
    private static func allowed(_ text: String) -> String {
        let allowed = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20..<0xFFFE, 0x10000...: scalar
            default: "\u{FFFD}"
            }
        }
        return String(String.UnicodeScalarView(allowed))
    }
}
