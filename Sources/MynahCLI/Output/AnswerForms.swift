import APNsRules
import MynahClient
import MynahCore

// The forms in which a command prints what a server answered: text or JSON, and lists in columns.
extension Terminal {
    /// Writes an answer as JSON if asked; otherwise its text, if it has one.
    static func out(_ json: JSONValue, asJSON: Bool, text: (JSONValue) -> String? = { _ in nil }) throws(ClientError) {
        if let lines = asJSON ? json.encodedText : text(json) { try out(lines) }
    }

    /// Writes the objects of a list in columns, or as one line of JSON each if asked.
    static func out(_ items: [JSONValue], asJSON: Bool, in columns: ListColumns) throws(ClientError) {
        if asJSON {
            for item in items { try out(item.encodedText) }
        } else if let lines = columns.text(items, isTerminal: hasOutput) {
            try out(lines)
        }
    }
}

/// A column of a list: its heading, and how to read its cell from an object.
struct ListColumn {
    let heading: String
    let cell: (JSONValue) -> String

    init(_ heading: String, cell: @escaping (JSONValue) -> String) {
        self.heading = heading
        self.cell = cell
    }
}

/// The columns in which a command prints the objects of a list.
struct ListColumns {
    private let columns: [ListColumn]
    init(_ columns: [ListColumn]) { self.columns = columns }

    /// For a terminal a table with headings; otherwise lines of cells with tabs between them, as `cut` reads them, or
    /// `nil` without any.
    func text(_ items: [JSONValue], isTerminal: Bool) -> String? {
        let rows = items.map { item in columns.map { PrintableText.text($0.cell(item)) } }
        if isTerminal { return TextTable.text(columns.map(\.heading), rows) }
        return rows.isEmpty ? nil : rows.map { $0.joined(separator: "\t") }.joined(separator: "\n")
    }
}
