import APNsRules
import MynahClient

/// The report for GitHub Actions: an annotation for each unmet expectation, and a part of the job's summary.
struct GitHubReport {
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

    /// The summary in Markdown: a row for each expectation, and the differences of unmet ones.
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

    // In a table, a bar ends the cell, and tags are interpreted.
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

    /// At least three backticks, and more than the text has in a row.
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
