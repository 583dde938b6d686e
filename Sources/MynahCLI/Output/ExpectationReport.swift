import APNsRules
import MynahClient

/// What an expectation came to, in words; where it is unmet, the pushes that came close, as a difference.
struct ExpectationReport {
    private let isMet: Bool
    private let matched: Int
    private let sequences: [String]
    private let nearest: [JSONValue]
    private let hints: [String]
    private let hasColours: Bool

    init(
        isMet: Bool, matched: Int, items: [JSONValue], nearest: [JSONValue], hints: [String], hasColours: Bool
    ) {
        self.isMet = isMet
        self.matched = matched
        self.sequences = items.compactMap { $0["sequence"]?.encodedText }
        self.nearest = nearest
        self.hints = hints
        self.hasColours = hasColours
    }

    init(_ result: ExpectationResult, hasColours: Bool) {
        self.init(
            isMet: result.isMet, matched: result.matched, items: result.items, nearest: result.nearest,
            hints: result.hints, hasColours: hasColours)
    }

    /// The lines, without the last one's end.
    var text: String {
        let pushes = matched == 1 ? "1 push matched" : "\(matched) pushes matched"
        let which = sequences.isEmpty ? "" : ": " + sequences.joined(separator: ", ")
        guard !isMet else { return "met: \(pushes)\(which)" }
        var lines = [coloured("unmet", "1;31") + ": \(pushes)\(which)"]
        for candidate in nearest {
            lines.append("near miss: push \(candidate["sequence"]?.encodedText ?? "?")")
            for difference in candidate["differences"]?.array ?? [] {
                let field = difference["field"]?.string ?? "?"
                lines.append(coloured("  - \(field) \(ExpectationReport.shown(difference["expected"]))", "31"))
                lines.append(coloured("  + \(field) \(ExpectationReport.shown(difference["actual"]))", "32"))
            }
        }
        lines += hints.map { "hint: \($0)" }
        return lines.joined(separator: "\n")
    }

    private func coloured(_ text: String, _ code: String) -> String {
        hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    private static func shown(_ value: JSONValue?) -> String { value?.encodedText ?? "nothing" }
}
