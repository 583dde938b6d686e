internal import APNsRules
internal import MynahCore
internal import MynahYAML

/// A YAML or JSON file as a JSON value that still knows its lines.
///
/// JSON is YAML, so one reader does for both. Plain scalars are numbers, booleans and null where JSON would have
/// them so; all else is text.
struct LocatedDocument: Sendable {
    /// The file, as it was named.
    let path: String
    /// What it holds; an empty file is an object without members.
    let value: JSONValue
    // Lines, counted from 1, by JSON pointer.
    private let lines: [String: Int]

    /// Parses a file's text.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file and line.
    init(_ text: String, path: String) throws(CommandFailure) {
        guard let root = try YAMLText.compose(text, path: path) else {
            self.init(path: path, value: .object([]), lines: [:])
            return
        }
        try self.init(root, at: "", path: path)
    }

    /// A part of a file, as a member of a document of its own.
    init(member name: String, _ node: YAMLNode, path: String) throws(CommandFailure) {
        var lines: [String: Int] = [:]
        let value = try LocatedDocument.value(node, "/" + name, path, &lines)
        self.init(path: path, value: .object([JSONMember(name, value)]), lines: lines)
    }

    private init(_ node: YAMLNode, at pointer: String, path: String) throws(CommandFailure) {
        var lines: [String: Int] = [:]
        let value = try LocatedDocument.value(node, pointer, path, &lines)
        self.init(path: path, value: value, lines: lines)
    }

    private init(path: String, value: JSONValue, lines: [String: Int]) {
        self.path = path
        self.value = value
        self.lines = lines
    }

    /// The line of what a JSON pointer names, or of the nearest thing around it that is there.
    func line(of pointer: String) -> Int {
        var pointer = pointer
        while true {
            if let line = lines[pointer] { return line }
            guard let slash = pointer.lastIndex(of: "/") else { return 1 }
            pointer = String(pointer[..<slash])
        }
    }

    private static func value(
        _ node: YAMLNode, _ pointer: String, _ path: String, _ lines: inout [String: Int]
    ) throws(CommandFailure) -> JSONValue {
        lines[pointer] = node.line
        if let text = node.text { return value(text, isPlain: node.isPlain) }
        if let sequence = node.sequence {
            var elements: [JSONValue] = []
            for (index, element) in sequence.enumerated() {
                elements.append(try value(element, "\(pointer)/\(index)", path, &lines))
            }
            return .array(elements)
        }
        var members: [JSONMember] = []
        for (key, element) in node.mapping ?? [] {
            guard let name = key.text else {
                throw YAMLText.failure(path, key.line, "a name was expected")
            }
            let place = pointer + JSONPointer(steps: [name]).description
            members.append(JSONMember(name, try value(element, place, path, &lines)))
        }
        return .object(members)
    }

    private static func value(_ text: String, isPlain: Bool) -> JSONValue {
        guard isPlain else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            do throws(JSONError) {
                let value = try JSONValue(parsing: text)
                if case .number = value { return value }
            } catch {
                // No number, then, but a word without quotes.
            }
            return .string(text)
        }
    }
}

/// Reads YAML, and says what is wrong with it.
enum YAMLText {
    /// The root of a text; `nil` when there is nothing in it.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file and line.
    static func compose(_ text: String, path: String) throws(CommandFailure) -> YAMLNode? {
        do throws(YAMLFault) {
            return try YAMLReader.read(text)
        } catch {
            throw failure(path, error.line, error.problem)
        }
    }

    /// A failure at a line of a file.
    static func failure(_ path: String, _ line: Int, _ problem: String) -> CommandFailure {
        CommandFailure(.configuration, "\(path):\(line): \(problem)")
    }
}
