import MynahCore

/// Rows with columns of fixed widths, for people.
enum TableRow {
    /// A row; a cell that is wider than its column moves the following ones.
    static func text(_ cells: [(text: String, width: Int)]) -> String {
        var row = cells.map { padded(PrintableText.text($0.text), $0.width) }.joined(separator: " ")[...]
        while row.last == " " { row.removeLast() }
        return String(row)
    }

    /// The text, filled with spaces to a width.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
