public import APNsRules

/// A document of the control API whose members have names and types, such as ``ControlClient/Device``.
///
/// Every member that this version knows is checked when a document is read: a wrong one throws
/// ``ClientError/Code/notMynah``, and ``ClientError/field`` is the member's JSON pointer. Further members, which a newer
/// server may have, are in ``json`` alone.
public protocol ControlAnswer: Hashable, Sendable {
    /// The whole document as the server wrote it.
    var json: JSONValue { get }
    /// Reads a document, such as the data of a ``ServerEvent``.
    init(json: JSONValue) throws(ClientError)
}

extension ControlAnswer {
    /// Whether the whole documents are equal.
    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }
    /// Hashes the whole document.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// A word of the control API, such as ``ControlClient/Power``: one of those that this version knows, or another one that a
/// newer server has.
public protocol ControlWord: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == String {
    /// The word as the API has it, known or not.
    init(rawValue: String)
}

extension ControlWord {
    /// The word as the API has it.
    public var description: String { rawValue }
}

// Sources/helpers/swift_package.py makes a type of each document that a call in `Calls` gives.
extension ControlClient {
    func read<Answer: ControlAnswer>(_ document: JSONValue) throws(ClientError) -> Answer {
        do { return try Answer(json: document) } catch {
            throw ClientError(error.code, "\(url) answered wrongly: \(error.message)", field: error.field)
        }
    }

    func readAll<Answer: ControlAnswer>(_ documents: [JSONValue]) throws(ClientError) -> [Answer] {
        var answers: [Answer] = []
        for document in documents { answers.append(try read(document)) }
        return answers
    }
}
