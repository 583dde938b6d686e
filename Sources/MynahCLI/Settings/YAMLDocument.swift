internal import APNsRules
internal import Yams

/// A YAML or JSON file whose objects are those of the control API: a scenario, fixtures.
///
/// Read as YAML 1.2's core schema has it, so that JSON is YAML and `yes` is a word: plain `null`, `~` and nothing are
/// null, `true` and `false` truth values, JSON's numbers numbers, and all else text.
struct YAMLDocument {
    private let root: Node

    /// Reads a file's text.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file and line.
    init(_ text: String, path: String) throws(CommandFailure) {
        guard let root = try SettingsFile.compose(text, path: path) else {
            throw CommandFailure(.configuration, "\(path): there is nothing in the file")
        }
        self.root = root
    }

    /// The document as JSON.
    var json: JSONValue { YAMLDocument.json(root) }

    /// The line of a place, or, where there is none, of the nearest around it; for errors that name a JSON pointer.
    func line(of pointer: String) -> Int {
        var node = root
        for step in pointer.split(separator: "/") {
            let name = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
            if let sequence = node.sequence, let index = Int(name), sequence.indices.contains(index) {
                node = sequence[index]
            } else if let (key, value) = node.mapping?.first(where: { $0.key.scalar?.string == name }) {
                // A value that is missing or folded has its place where its key is.
                node = value.mark == nil ? key : value
            } else {
                break
            }
        }
        return node.mark?.line ?? 1
    }

    private static func json(_ node: Node) -> JSONValue {
        if let sequence = node.sequence { return .array(sequence.map { json($0) }) }
        if let mapping = node.mapping {
            return .object(mapping.map { JSONMember($0.key.scalar?.string ?? "", json($0.value)) })
        }
        guard let scalar = node.scalar else { return .null }
        guard scalar.style == .plain else { return .string(scalar.string) }
        switch scalar.string {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        case let text:
            guard let value = try? JSONValue(parsing: text), case .number = value else { return .string(text) }
            return value
        }
    }
}
