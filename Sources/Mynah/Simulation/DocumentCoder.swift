internal import APNsRules
internal import MynahCore

/// Writes what consists of members as a JSON object.
///
/// A member is a ``KeptValue``, so that nothing else of Swift's coding is needed; an optional one that is `nil` is left
/// out.
struct DocumentEncoder: Encoder {
    /// The document that an encoder and its containers write.
    private final class Document {
        var members: [JSONMember] = []
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
        return .object(encoder.document.members)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(document: document))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { DocumentEncoder.refuse() }
    func singleValueContainer() -> any SingleValueEncodingContainer { DocumentEncoder.refuse() }

    fileprivate static func refuse() -> Never {
        preconditionFailure("a command has a member without a form in JSON: expected a KeptValue")
    }

    fileprivate static func foreign(_ type: Any.Type) -> InputError {
        InputError(at: "", "\(type) is coded as a member of a command alone: expected the coder of commands")
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let document: Document
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { document.members.append(JSONMember(key.stringValue, .null)) }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
            guard let value = value as? any KeptValue else { DocumentEncoder.refuse() }
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
    static func read<Value: Decodable>(
        _: Value.Type, from value: JSONValue, at place: String = ""
    ) throws(InputError) -> Value {
        do {
            return try Value(from: DocumentDecoder(value: value))
        } catch let error as InputError {
            throw error.within(place)
        } catch {
            throw InputError(at: place, "\(Value.self) can't be read: \(error)")
        }
    }

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
            guard let known = type as? any KeptValue.Type,
                let read = try known.init(kept: member(key), at: JSONPointer.below("", key.stringValue)) as? Value
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

/// A part of a command that Swift has no coding for: the coder of commands takes it as the ``KeptValue`` that it is.
protocol CommandPart: KeptValue, Codable {}

extension CommandPart {
    /// Throws: only the coder of commands reads it.
    public init(from decoder: any Decoder) throws { throw DocumentEncoder.foreign(Self.self) }
    /// Throws: only the coder of commands writes it.
    public func encode(to encoder: any Encoder) throws { throw DocumentEncoder.foreign(Self.self) }
}
