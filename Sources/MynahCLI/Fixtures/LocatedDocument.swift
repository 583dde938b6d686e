import APNsRules
import MynahClient
import MynahCore
import MynahTrust
import MynahYAML

/// A YAML or JSON file as a JSON value with line numbers.
///
/// JSON is YAML, so one reader is enough. Plain scalars are numbers, booleans or null if JSON has them; all others are
/// text.
struct LocatedDocument: Sendable {
    let path: String
    /// The content; an empty file is an object without members.
    let value: JSONValue
    // Line numbers, counted from 1, by JSON pointer.
    private let lines: [String: Int]

    init(_ text: String, path: String) throws(CommandFailure) {
        self.path = path
        var lines: [String: Int] = [:]
        value =
            try YAMLText.compose(text, path: path).map { (root) throws(CommandFailure) in
                try LocatedDocument.value(root, at: "", path: path, lines: &lines)
            } ?? .object([])
        self.lines = lines
    }

    /// Makes a document with a part of a file as its only member.
    init(member name: String, _ node: YAMLNode, path: String) throws(CommandFailure) {
        self.path = path
        var lines: [String: Int] = [:]
        value = .object([JSONMember(name, try LocatedDocument.value(node, at: "/" + name, path: path, lines: &lines))])
        self.lines = lines
    }

    init(file path: String, from origin: String? = nil) throws(CommandFailure) {
        try self.init(try NamedFile.text(path, from: origin), path: path)
    }

    /// Reads the content; an error gets its line.
    func read<Value>(_ body: (JSONValue) throws(InputError) -> Value) throws(CommandFailure) -> Value {
        do throws(InputError) { return try body(value) } catch { throw failure(error) }
    }

    func failure(at pointer: String, _ problem: String) -> CommandFailure {
        YAMLText.failure(path, line: line(of: pointer), problem)
    }

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
        _ node: YAMLNode, at pointer: String, path: String, lines: inout [String: Int]
    ) throws(CommandFailure) -> JSONValue {
        lines[pointer] = node.line
        if let text = node.text { return node.isPlain ? scalar(text) : .string(text) }
        if let sequence = node.sequence {
            var elements: [JSONValue] = []
            for (index, element) in sequence.enumerated() {
                elements.append(try value(element, at: "\(pointer)/\(index)", path: path, lines: &lines))
            }
            return .array(elements)
        }
        var members: [JSONMember] = []
        for (key, element) in node.mapping ?? [] {
            guard let name = key.text else {
                throw YAMLText.failure(path, line: key.line, "unexpected key: expected a name")
            }
            let place = JSONPointer.below(pointer, name)
            members.append(JSONMember(name, try value(element, at: place, path: path, lines: &lines)))
        }
        return .object(members)
    }

    private static func scalar(_ text: String) -> JSONValue {
        switch text {
        case "", "~", "null", "Null", "NULL": .null
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: number(text) ?? .string(text)
        }
    }

    /// A number in one of the forms of YAML's core schema (YAML 1.2.2 §10.3.2), except those that begin with zeros, as IDs
    /// and tokens may, and `1.e5`.
    private static func number(_ text: String) -> JSONValue? {
        for (prefix, radix) in ["0x": 16, "0o": 8] where text.hasPrefix(prefix) {
            let digits = text.dropFirst(prefix.count)
            return digits.allSatisfy(\.isHexDigit) ? Int64(digits, radix: radix).map { .whole($0) } : nil
        }
        // JSON has no plus before a number, and a digit on both sides of a point.
        var number = text.hasPrefix("+") ? String(text.dropFirst()) : text
        if number.hasPrefix(".") { number = "0\(number)" }
        if number.hasPrefix("-.") { number = "-0\(number.dropFirst())" }
        if number.hasSuffix(".") { number += "0" }
        guard text.contains(where: \.isWholeNumber), !text.hasPrefix("+-"), let value = try? JSONValue(parsing: number),
            case .number = value
        else { return nil }
        return value
    }
}

/// Composes YAML, with syntax errors as failures of a command.
enum YAMLText {
    static func compose(_ text: String, path: String) throws(CommandFailure) -> YAMLNode? {
        do throws(YAMLFault) { return try YAMLReader.read(text) } catch {
            throw failure(path, line: error.line, error.problem)
        }
    }

    static func failure(_ path: String, line: Int, _ problem: String) -> CommandFailure {
        CommandFailure(.configuration, "\(path):\(line): \(problem)")
    }
}

enum NamedFile {
    /// The bytes of a file, or of standard input for `-` if that is allowed.
    /// - Parameters:
    ///   - origin: The flag, variable or setting that names the file, for messages.
    static func bytes(
        _ path: String, from origin: String? = nil, orStandardInput: Bool = false
    ) throws(CommandFailure) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(ClientError) {
            bytes = try path == "-" && orStandardInput ? FileAccess.readStandardInput() : FileAccess.read(path)
        } catch {
            throw failure(error.message, from: origin)
        }
        guard let bytes else { throw missing(path, from: origin) }
        return bytes
    }

    /// Throws if there is no such file; doesn't read it, which is possible only once from a pipe.
    static func require(_ path: String, from origin: String) throws(CommandFailure) {
        guard FileAccess.exists(path) else { throw missing(path, from: origin) }
    }

    private static func missing(_ path: String, from origin: String?) -> CommandFailure {
        failure("there is no file \(path)", from: origin)
    }

    private static func failure(_ problem: String, from origin: String?) -> CommandFailure {
        CommandFailure(.configuration, (origin.map { $0 + ": " } ?? "") + problem)
    }

    /// The text of a file in UTF-8, without a byte order mark; `isOfKeys` is as in ``TextFile``.
    static func text(
        _ path: String, from origin: String? = nil, orStandardInput: Bool = false, isOfKeys: Bool = false
    ) throws(CommandFailure) -> String {
        let bytes = try bytes(path, from: origin, orStandardInput: orStandardInput)
        let name = path == "-" ? "standard input" : path
        do throws(ClientError) { return try FileAccess.text(bytes, of: name, isOfKeys: isOfKeys) } catch {
            throw failure(error.message, from: origin)
        }
    }

    /// The certificates of a file of CAs, PEM.
    static func authorities(_ path: String, from origin: String?) throws(CommandFailure) -> String {
        let text = try text(path, from: origin, isOfKeys: true)
        do throws(TrustError) { return try AuthorityText.pem(text) } catch {
            throw failure("\(error.inFile(path))", from: origin)
        }
    }
}
