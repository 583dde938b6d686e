import APNsRules
import MynahCore

enum TextTable {
    /// A row of columns with fixed widths; a cell that is wider than its column moves the following ones.
    static func row(_ cells: [(text: String, width: Int)]) -> String {
        trimmed(cells.map { padded(PrintableText.text($0.text), $0.width) }.joined(separator: " "))
    }

    /// A table with columns as wide as their cells.
    static func text(_ heading: [String], _ rows: [[String]]) -> String {
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { trimmed(zip($0, widths).map(padded).joined(separator: "  ")) }.joined(separator: "\n")
    }

    static func rows(_ rows: [(name: String, value: String?)], width: Int = 15) -> String {
        rows.compactMap { name, value in value.map { padded(name, width) + $0 } }.joined(separator: "\n")
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Indented lines of words, none longer than `width` unless a word is.
    static func wrapped(_ words: [some StringProtocol], indent: Int, width: Int) -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(repeating: " ", count: indent) + word)
            }
        }
        return lines
    }

    private static func trimmed(_ row: String) -> String { String(row.reversed().drop { $0 == " " }.reversed()) }
}

extension JSONValue {
    func text(_ name: String) -> String { self[name]?.string ?? "" }
    func cell(_ name: String) -> String { self[name]?.string ?? "-" }
    func count(_ name: String) -> String { self[name]?.integer.map { String($0) } ?? "-" }
    func elements(_ name: String) -> [JSONValue] { self[name]?.array ?? [] }
}

struct PushTable {
    let hasColours: Bool

    private static let columns = [
        ("#", 6), ("TIME", 12), ("ANSWER", 24), ("FAULT", 8), ("TYPE", 12), ("TO", 12), ("TOPIC", 24), ("PAYLOAD", 0),
    ]

    var heading: String { PushTable.line(PushTable.columns.map(\.0)) }

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
            receiver(push),
            push["topic"]?.string ?? "-",
            summary(push["payload"]) + repetition(push),
        ])
    }

    /// The device; without one the beginning of the token or channel.
    private static func receiver(_ push: JSONValue) -> String {
        let address = push["token"]?.string ?? push["channel"]?.string ?? ""
        let beginning = String(address.prefix(8))
        guard let device = push["device"]?.string, !device.hasPrefix(beginning) || beginning.isEmpty else {
            return beginning
        }
        return device
    }

    private static func repetition(_ push: JSONValue) -> String {
        if let attempt = push["attempt"]?.integer, attempt > 1 { return " (attempt \(attempt))" }
        return push["repeats"]?.integer.map { " (same text again: push \($0))" } ?? ""
    }

    private static func line(_ cells: [String]) -> String { TextTable.row(zip(cells, columns).map { ($0, $1.1) }) }

    // The alert's text, or else the beginning of the payload.
    private static func summary(_ payload: JSONValue?) -> String {
        guard let payload, payload != .null else { return "" }
        let alert = payload["aps"]?["alert"]
        if let text = alert?.string { return text }
        let parts = [alert?["title"]?.string, alert?["body"]?.string].compactMap(\.self)
        return parts.isEmpty ? String(payload.encodedText.prefix(80)) : parts.joined(separator: ": ")
    }
}
