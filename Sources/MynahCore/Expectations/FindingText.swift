package import APNsRules

/// What an expectation came to, in words; where it is unmet, the pushes that came close, as a difference.
package struct FindingText: Sendable {
    /// One line, and what it is, for whoever colours it.
    package struct Line: Equatable, Sendable {
        /// What a line is.
        package enum Kind: Sendable {
            /// What it came to.
            case verdict
            /// Anything else.
            case plain
            /// What a field should be.
            case expected
            /// What it is.
            case actual
        }

        /// What it is.
        package let kind: Kind
        /// What it says.
        package let text: String

        /// A line.
        package init(kind: Kind, text: String) {
            self.kind = kind
            self.text = text
        }

        /// The line as it stands below others: differences are indented.
        package var indentedText: String { [.expected, .actual].contains(kind) ? "  " + text : text }
    }

    /// Characters of a value that are shown where people read along; a file gets all of them.
    package static let valueCountMax = 400

    private let answer: JSONValue
    private let wanted: String
    private let name: String?

    /// The words for an answer.
    ///
    /// - Parameters:
    ///   - answer: What `POST /v1/expectations` answers.
    ///   - wanted: What was expected, as ``wanted(steps:least:most:within:settle:)`` says it.
    ///   - name: What the expectation is called, where that is said.
    package init(_ answer: JSONValue, wanted: String, name: String? = nil) {
        self.answer = answer
        self.wanted = wanted
        self.name = name
    }

    /// What is expected: `at least 1 within 5s`.
    ///
    /// - Parameters:
    ///   - steps: The filters of `inOrder`; `nil` for a count.
    ///   - least: The fewest.
    ///   - most: The most, if there is such.
    ///   - within: How long they may take.
    ///   - settle: How long it is to be quiet then, if at all.
    package static func wanted(
        steps: Int?, least: Int64, most: Int64?, within: String, settle: String?
    ) -> String {
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

    /// The first line: what it came to.
    package var verdict: String {
        let name = name.map { PrintableText.text($0) + ": " } ?? ""
        let matched = answer["matched"]?.integer ?? 0
        let pushes = matched == 1 ? "1 push matched" : "\(matched) pushes matched"
        let sequences = sequences(of: matched)
        if isMet { return "met: \(name)\(pushes)\(sequences)" }
        return "unmet: \(name)\(pushes)\(sequences); \(wanted) expected"
    }

    /// All lines; a value is cut to so many characters.
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
                    let text = difference[name]?.encodedText ?? "nothing"
                    return PrintableText.text(PrintableText.shortened(text, to: valueCountMax))
                }
                lines.append(Line(kind: .expected, text: "- \(field) \(shown("expected"))"))
                lines.append(Line(kind: .actual, text: "+ \(field) \(shown("actual"))"))
            }
        }
        let hints = (answer["hints"]?.array ?? []).compactMap(\.string)
        return lines + hints.map { Line(kind: .plain, text: "hint: \(PrintableText.text($0))") }
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
            push?["topic"]?.string, push?["device"]?.string.map { String($0.prefix(24)) },
        ]
        return "near miss: " + facts.compactMap(\.self).map(PrintableText.text).joined(separator: ", ")
            + " (- expected, + actual)"
    }
}
