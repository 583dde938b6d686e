internal import APNsRules
internal import MynahCore
internal import MynahYAML

/// A YAML or JSON file as a JSON value with line numbers.
///
/// JSON is YAML, so one reader is enough. Plain scalars are numbers, booleans or null if JSON has them; all others are
/// text.
struct LocatedDocument: Sendable {
    /// The file as the user named it.
    let path: String
    /// The content; an empty file is an object without members.
    let value: JSONValue
    // Line numbers, counted from 1, by JSON pointer.
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

    /// Makes a document with a part of a file as its only member.
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

    /// Reads a file that the user named.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``.
    init(file path: String, from origin: String? = nil) throws(CommandFailure) {
        try self.init(try NamedFile.text(path, from: origin), path: path)
    }

    /// A failure at the line of a JSON pointer.
    func failure(at pointer: String, _ problem: String) -> CommandFailure {
        YAMLText.failure(path, line(of: pointer), problem)
    }

    /// A failure at the line of an error's field.
    func failure(_ error: InputError) -> CommandFailure { failure(at: error.field, error.description) }

    /// The line of the value at a JSON pointer, or of the nearest value that contains it.
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
                throw YAMLText.failure(path, key.line, "unexpected key: expected a name")
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
                // A word without quotes.
            }
            return .string(text)
        }
    }
}

/// YAML whose faults are failures of a command.
enum YAMLText {
    /// The root of a text, or `nil` if the text has no value.
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
