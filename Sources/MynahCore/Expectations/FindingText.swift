package import APNsRules

/// The answer to an expectation in words; if it is unmet, with the near misses and how they differ.
package struct FindingText: Sendable {
    package struct Line: Equatable, Sendable {
        /// Decides the colour.
        package enum Kind: Sendable { case verdict, plain, expected, actual }

        package let kind: Kind
        package let text: String
        package var indentedText: String { [.expected, .actual].contains(kind) ? "  " + text : text }
    }

    /// The most characters of a value on a terminal; a file gets all of them.
    package static let valueCountMax = 400

    private let answer: JSONValue
    private let wanted: String
    private let name: String?

    /// `answer` is the answer of `POST /v1/expectations`; `wanted` is ``wanted(steps:least:most:within:settle:)``.
    package init(_ answer: JSONValue, wanted: String, name: String? = nil) {
        self.answer = answer
        self.wanted = wanted
        self.name = name
    }

    /// What is expected, as in `at least 1 within 5s`; `steps` is the number of `inOrder` filters, `nil` for a count.
    package static func wanted(steps: Int?, least: Int64, most: Int64?, within: String, settle: String?) -> String {
        if let steps { return "\(steps) in order within \(within)" }
        let count =
            switch (least, most) {
            case (_, 0?): "none"
            case (let least, let most?) where least == most: "exactly \(least)"
            case (0, let most?): "at most \(most)"
            case (let least, let most?): "\(least) to \(most)"
            case (let least, nil): "at least \(least)"
            }
        return (least == 0 ? count : "\(count) within \(within)") + (settle.map { ", and then \($0) of quiet" } ?? "")
    }

    package var verdict: String {
        let name = name.map { PrintableText.text($0) + ": " } ?? ""
        let matched = answer["matched"]?.integer ?? 0
        let pushes = matched == 1 ? "1 push matched" : "\(matched) pushes matched"
        let sequences = sequences(of: matched)
        if isMet { return "met: \(name)\(pushes)\(sequences)" }
        return "unmet: \(name)\(pushes)\(sequences); expected \(wanted)"
    }

    package func lines(valueCountMax: Int = .max) -> [Line] {
        var lines = [Line(kind: .verdict, text: verdict)]
        if !isMet, let step = answer["failedAt"]?.integer {
            lines.append(Line(kind: .plain, text: "step \(step) of inOrder has no push"))
        }
        for candidate in answer["nearest"]?.array ?? [] {
            lines.append(Line(kind: .plain, text: FindingText.heading(of: candidate)))
            for difference in candidate["differences"]?.array ?? [] {
                let field = PrintableText.text(difference["field"]?.string ?? "?")
                func shown(_ name: String) -> String {
                    let text = difference[name].map(FindingText.text) ?? "nothing"
                    return PrintableText.text(PrintableText.shortened(text, to: valueCountMax))
                }
                lines.append(Line(kind: .expected, text: "- \(field) \(shown("expected"))"))
                lines.append(Line(kind: .actual, text: "+ \(field) \(shown("actual"))"))
            }
        }
        let hints = (answer["hints"]?.array ?? []).compactMap(\.string)
        return lines + hints.map { Line(kind: .plain, text: "hint: \(PrintableText.text($0))") }
    }

    // A value of the command line that may be a number or a text is both in JSON.
    private static func text(_ value: JSONValue) -> String {
        if let array = value.array, array.count == 2, array[1] == .string(array[0].encodedText) {
            return array[0].encodedText
        }
        return value.encodedText
    }

    private var isMet: Bool { answer["met"]?.bool ?? false }

    private func sequences(of matched: Int64) -> String {
        let sequences = (answer["items"]?.array ?? []).compactMap { $0["sequence"]?.encodedText }
        guard !sequences.isEmpty else { return "" }
        return ": " + sequences.joined(separator: ", ") + (matched > sequences.count ? ", …" : "")
    }

    /// `near miss: push 7, 09:30:00.123, 200 delivered, com.example.app, 00fc13ad (- expected, + actual)`.
    private static func heading(of candidate: JSONValue) -> String {
        let push = candidate["push"]
        let time = push?["receivedAt"]?.string.map { String($0.dropFirst(11).prefix(12)) }
        let answer = push?["status"]?.integer.map { "\($0) \(push?["outcome"]?.string ?? "")" }
        let facts = [
            "push \(candidate["sequence"]?.encodedText ?? "?")", time, answer ?? push?["outcome"]?.string,
            push?["topic"]?.string, (push?["device"]?.string ?? push?["channel"]?.string).map { String($0.prefix(24)) },
        ]
        return "near miss: " + facts.compactMap(\.self).map(PrintableText.text).joined(separator: ", ")
            + " (- expected, + actual)"
    }
}
