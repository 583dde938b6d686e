internal import APNsRules

/// Writes what consists of members as a JSON object.
///
/// A member is a ``CommandValue``, so that nothing else of Swift's coding is needed; an optional one that is `nil` is left
/// out.
struct DocumentEncoder: Encoder {
    /// Shared by an encoder and its containers.
    private final class Document {
        var members: [JSONMember] = []
        var value: JSONValue?
    }

    private let document = Document()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func document(of value: some Encodable) -> JSONValue {
        let encoder = DocumentEncoder()
        do {
            try value.encode(to: encoder)
        } catch {
            preconditionFailure("\(type(of: value)) can't be written: expected members that can: \(error)")
        }
        return encoder.document.value ?? .object(encoder.document.members)
    }

    /// Writes a value in place of members.
    func write(_ value: some CommandValue) { document.value = value.json }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(document: document))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { DocumentEncoder.refuse() }
    func singleValueContainer() -> any SingleValueEncodingContainer { DocumentEncoder.refuse() }

    fileprivate static func refuse() -> Never {
        preconditionFailure("a command has a member without a form in JSON: expected a CommandValue")
    }

    fileprivate static func foreign(_ type: Any.Type) -> InputError {
        InputError(at: "", "\(type) is coded in commands alone: expected their coder")
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let document: Document
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { document.members.append(JSONMember(key.stringValue, .null)) }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
            guard let value = value as? any CommandValue else { DocumentEncoder.refuse() }
            document.members.append(JSONMember(key.stringValue, value.json))
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { DocumentEncoder.refuse() }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { DocumentEncoder.refuse() }
        func superEncoder() -> any Encoder { DocumentEncoder.refuse() }
        func superEncoder(forKey key: Key) -> any Encoder { DocumentEncoder.refuse() }
    }
}

/// Reads what ``DocumentEncoder`` writes.
///
/// An absent member is `null`.
struct DocumentDecoder: Decoder {
    private let value: JSONValue
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// - Throws: ``InputError`` that names the member.
    static func read<Value: Decodable>(_: Value.Type, from value: JSONValue) throws(InputError) -> Value {
        do {
            return try Value(from: DocumentDecoder(value: value))
        } catch let error as InputError {
            throw error
        } catch {
            throw InputError(at: "", "\(Value.self) can't be read: \(error)")
        }
    }

    /// Reads a value that was written in place of members.
    func read<Value: CommandValue>() throws(InputError) -> Value { try Value(value: value, at: "") }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(value: value))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { DocumentEncoder.refuse() }
    func singleValueContainer() -> any SingleValueDecodingContainer { DocumentEncoder.refuse() }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let value: JSONValue
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { value.object?.compactMap { Key(stringValue: $0.name) } ?? [] }

        func contains(_ key: Key) -> Bool { value[key.stringValue] != nil }
        func decodeNil(forKey key: Key) -> Bool { member(key) == .null }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            guard let known = type as? any CommandValue.Type,
                let read = try known.init(value: member(key), at: JSONPointer.below("", key.stringValue)) as? Value
            else { DocumentEncoder.refuse() }
            return read
        }

        private func member(_ key: Key) -> JSONValue { value[key.stringValue] ?? .null }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Nested> { DocumentEncoder.refuse() }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { DocumentEncoder.refuse() }
        func superDecoder() -> any Decoder { DocumentEncoder.refuse() }
        func superDecoder(forKey key: Key) -> any Decoder { DocumentEncoder.refuse() }
    }
}

/// A part of a command that Swift has no coding for.
protocol CommandPart: CommandValue {}

extension CommandPart {
    /// Reads a value that stands in place of members; throws for another decoder than that of commands.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? DocumentDecoder else { throw DocumentEncoder.foreign(Self.self) }
        self = try decoder.read()
    }

    /// Writes the value in place of members; throws for another encoder than that of commands.
    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? DocumentEncoder else { throw DocumentEncoder.foreign(Self.self) }
        encoder.write(self)
    }
}
