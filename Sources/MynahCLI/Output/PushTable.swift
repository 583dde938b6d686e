import APNsRules

/// Pushes as rows of a table, for people.
struct PushTable {
    /// Whether to print refusals in red.
    let hasColours: Bool

    private static let columns = [
        ("#", 6), ("TIME", 12), ("ANSWER", 24), ("FAULT", 8), ("TYPE", 12), ("TOKEN", 8), ("TOPIC", 24), ("PAYLOAD", 0),
    ]

    var heading: String { PushTable.line(PushTable.columns.map(\.0)) }

    /// A push, from its JSON.
    func row(_ push: JSONValue) -> String {
        let status = push["status"]?.integer.map(String.init) ?? "-"
        let reason = push["reason"]?.string ?? push["outcome"]?.string ?? ""
        let line = PushTable.line(push, at: push["receivedAt"], "\(status) \(reason)")
        return hasColours && status != "200" ? "\u{1B}[31m\(line)\u{1B}[0m" : line
    }

    /// The last step in a push's timeline and its time.
    func laterRow(_ push: JSONValue) -> String {
        let step = push["timeline"]?.array?.last
        return PushTable.line(push, at: step?["at"], "  → \((step?["event"] ?? push["outcome"])?.string ?? "")")
    }

    private static func line(_ push: JSONValue, at time: JSONValue?, _ answer: String) -> String {
        line([
            push["sequence"]?.encodedText ?? "", time?.string.map { String($0.dropFirst(11).prefix(12)) } ?? "",
            answer, push["fault"]?.string ?? "-", push["pushType"]?.string ?? "-",
            push["token"]?.string.map { String($0.prefix(8)) } ?? "", push["topic"]?.string ?? "-",
            summary(push["payload"]) + repetition(push),
        ])
    }

    private static func repetition(_ push: JSONValue) -> String {
        if let attempt = push["attempt"]?.integer, attempt > 1 { return " (attempt \(attempt))" }
        return push["repeats"]?.integer.map { " (same text again: push \($0))" } ?? ""
    }

    private static func line(_ cells: [String]) -> String {
        TableRow.text(zip(cells, columns).map { ($0, $1.1) })
    }

    // The alert's text, or else the beginning of the payload.
    private static func summary(_ payload: JSONValue?) -> String {
        guard let payload, payload != .null else { return "" }
        let alert = payload["aps"]?["alert"]
        if let text = alert?.string { return text }
        let parts = [alert?["title"]?.string, alert?["body"]?.string].compactMap(\.self)
        return parts.isEmpty ? String(payload.encodedText.prefix(80)) : parts.joined(separator: ": ")
    }
}
