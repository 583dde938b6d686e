import MynahCore

/// A row of a table whose columns are as wide in every row, for people.
enum TableRow {
    /// The cells below those of other rows; a text that is wider than its column moves those behind it.
    static func text(_ cells: [(text: String, width: Int)]) -> String {
        var row = cells.map { padded(PrintableText.text($0.text), $0.width) }.joined(separator: " ")[...]
        while row.last == " " { row.removeLast() }
        return String(row)
    }

    /// The text with spaces behind it.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
