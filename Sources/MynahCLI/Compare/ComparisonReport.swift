import APNsRules
import MynahComparison
import MynahCore

/// The results of a comparison as text, and as JUnit XML.
struct ComparisonReport {
    /// The other service, as in a URL.
    let other: String
    let result: ComparisonResult
    /// Whether the text has the cases that were not tried; otherwise how many there are for each reason.
    var listsNotTried = false

    private static let width = 80

    var text: String {
        let counts = [
            ["same", String(result.same)], ["differs", String(result.differing.count)],
            ["not tried", String(result.notTried.count)],
        ]
        var lines = [TextTable.text(["RESULT", "CASES"], counts)]
        if result.samePartly > 0 {
            lines.append(
                """
                \(result.samePartly) of the same end at an earlier check: their device token, channel or topic is \
                unknown
                """)
        }
        for row in result.differing { lines += ["", ComparisonReport.text(of: row)] }
        lines += notTried
        if let stopped = result.stopped { lines += ["", "stopped: \(stopped)"] }
        return lines.joined(separator: "\n")
    }

    /// What `--dry-run` prints: what would be sent, and what is left out.
    static func text(of plan: ComparisonPlan, other: String, listsNotTried: Bool) -> String {
        var result = ComparisonResult()
        result.rows = plan.notTried
        let requests = plan.cases.reduce(0) { $0 + $1.requests.count }
        let head = """
            \(plan.cases.count) cases with \(requests) requests would be played against \(other); the device would get \
            \(plan.deliveries) pushes
            """
        let report = ComparisonReport(other: other, result: result, listsNotTried: listsNotTried)
        return ([head] + report.notTried).joined(separator: "\n")
    }

    private var notTried: [String] {
        let reasons = reasons
        guard !listsNotTried, !reasons.isEmpty else {
            return reasons.flatMap { ["", ComparisonReport.text(of: $0.ids, reason: $0.reason)] }
        }
        let counts = reasons.map { (count: String($0.ids.count), reason: $0.reason) }
        let width = counts.map(\.count.count).max() ?? 0
        return ["", "not tried, by reason; --not-tried lists the cases:"]
            + counts.map { count, reason in
                String(repeating: " ", count: 2 + width - count.count) + "\(count)  \(reason)"
            }
    }

    /// The cases that were not tried by reason, the most frequent one first.
    private var reasons: [(reason: String, ids: [String])] {
        var reasons: [(reason: String, ids: [String])] = []
        for (row, reason) in result.notTried {
            if let index = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[index].ids.append(row.id)
            } else {
                reasons.append((reason, [row.id]))
            }
        }
        return reasons.sorted { ($1.ids.count, $0.reason) < ($0.ids.count, $1.reason) }
    }

    private static func text(of ids: [String], reason: String) -> String {
        let words = ids.map { $0 == ids.last ? $0 : $0 + "," }
        let lines = ["not tried, \(ids.count): \(reason)"] + TextTable.wrapped(words, indent: 2, width: width)
        return lines.joined(separator: "\n")
    }

    private static func text(of row: ComparisonResult.Row) -> String {
        var lines = ["differs: \(row.id): \(row.name)", "  \(row.source)"]
        for (index, pair) in row.pairs.enumerated() {
            let prefix = row.pairs.count > 1 ? "request \(index + 1), " : ""
            for difference in pair.differences {
                lines.append("  \(prefix)\(difference.name)")
                lines.append("    mynah  \(oneLine(difference.mynah))")
                lines.append("    other  \(oneLine(difference.other))")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func oneLine(_ value: String?) -> String {
        (value ?? "none").replacing("\r", with: "\\r").replacing("\n", with: "\\n")
    }

    /// One suite with a test case for each case.
    func junit(startedAt: Instant, duration: Duration) -> String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded())
        let time = "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
        let counts = """
            tests="\(result.rows.count)" failures="\(result.differing.count)" errors="0" \
            skipped="\(result.notTried.count)" time="\(time)"
            """
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="mynah compare" \(counts)>
              <testsuite name="\(XMLText.attribute(other))" \(counts) timestamp="\(startedAt.rfc3339.prefix(19))">
            \(result.rows.map(testCase).joined(separator: "\n"))
              </testsuite>
            </testsuites>

            """
    }

    private func testCase(_ row: ComparisonResult.Row) -> String {
        let attributes = """
            name="\(XMLText.attribute("\(row.id): \(row.name)"))" classname="\(XMLText.attribute(row.source))"
            """
        switch row.verdict {
        case .same: return "    <testcase \(attributes)/>"
        case .notTried(let reason):
            return "    <testcase \(attributes)><skipped message=\"\(XMLText.attribute(reason))\"/></testcase>"
        case .differs:
            let names = row.pairs.flatMap(\.differences).map(\.name).joined(separator: ", ")
            return """
                    <testcase \(attributes)>
                      <failure message="\(XMLText.attribute("differs: \(names)"))" type="differs">\
                \(XMLText.text(ComparisonReport.text(of: row)))</failure>
                    </testcase>
                """
        }
    }
}
