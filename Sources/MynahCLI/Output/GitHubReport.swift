import APNsRules
import MynahClient

/// What GitHub Actions shows of a run: an annotation for each expectation that is not met, and a part of the job's
/// summary.
struct GitHubReport {
    /// What came of the run.
    let checked: [CheckedExpectation]

    /// The workflow commands, one line each: `::error title=…,file=…,line=…::…`.
    var annotations: [String] {
        checked.filter { !$0.isMet }.map { one in
            var properties = ["title=" + GitHubReport.property("mynah expect: \(one.expectation.name)")]
            if let file = one.expectation.file { properties.append("file=" + GitHubReport.property(file)) }
            if let line = one.expectation.line { properties.append("line=\(line)") }
            let text = ExpectationReport(one, isNamed: false).plainText
            return "::error \(properties.joined(separator: ","))::\(GitHubReport.message(text))"
        }
    }

    /// The summary, Markdown: a row for each expectation, and the differences of those that are not met.
    var summary: String {
        let met = checked.count { $0.isMet }
        var lines = [
            "### mynah expect: \(met) of \(checked.count) met", "", "| | expectation | came to |",
            "| --- | --- | --- |",
        ]
        for one in checked {
            let verdict = ExpectationReport(one, isNamed: false).verdict
            let name = GitHubReport.cell(one.expectation.name)
            lines.append("| \(one.isMet ? "✅" : "❌") | \(name) | \(GitHubReport.cell(verdict)) |")
        }
        for one in checked where !one.isMet {
            let text = ExpectationReport(one, isNamed: false).plainText
            let fence = GitHubReport.fence(around: text)
            lines += ["", "**\(GitHubReport.cell(one.expectation.name))**", "", "\(fence)diff", text, fence]
        }
        return lines.joined(separator: "\n") + "\n\n"
    }

    private static func message(_ text: String) -> String {
        replaced(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    private static func property(_ text: String) -> String {
        replaced(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
    }

    // Within a table a bar ends the cell, and what looks like a tag is one.
    private static func cell(_ text: String) -> String {
        replaced(
            text,
            [
                "|": "\\|", "\r": " ", "\n": " ", "<": "&lt;", "&": "&amp;", "`": "\\`", "*": "\\*", "_": "\\_",
                "[": "\\[", "\\": "\\\\",
            ])
    }

    private static func replaced(_ text: String, _ replacements: [Unicode.Scalar: String]) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let replacement = replacements[scalar] {
                result += replacement
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// More backticks than the text has in a row, at least three.
    private static func fence(around text: String) -> String {
        var longest = 2
        var current = 0
        for character in text {
            current = character == "`" ? current + 1 : 0
            longest = max(longest, current)
        }
        return String(repeating: "`", count: longest + 1)
    }
}
