/// The fields of one request, in the order in which they came, in one flat run of bytes.
///
/// A field costs no allocation: known names are one byte, values are copied once. The value of
/// `authorization` is not here but in ``PushRequest/authorization``, shared by all pushes that send the
/// same one; its place in the order is.
package struct HeaderBlock: Sendable, Equatable {
    /// The encoded fields. Each is a ``FieldName`` byte; for `other` a length of two bytes and the name;
    /// then a length of two bytes, little-endian, and the value.
    @usableFromInline package private(set) var bytes: [UInt8]

    /// The size that RFC 9113 §6.5.2 counts: names, values, and 32 bytes for each field.
    @usableFromInline package private(set) var listSize: Int

    /// No fields.
    package init() {
        self.bytes = []
        self.listSize = 0
    }

    /// Fields encoded earlier by a block; the journal keeps them so.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
        self.listSize = 0
    }

    /// The most bytes that a name or a value may have, by the encoding.
    ///
    /// Far above ``Limits/headerListBytesMax``, which whoever feeds a block enforces first.
    package static let lengthMax = Int(UInt16.max)

    /// Adds a field. A name or value longer than ``lengthMax`` is cut.
    ///
    /// Generic, so that bytes still in C's hands are copied once and in one go.
    @inlinable
    package mutating func append(_ name: FieldName, value: some Collection<UInt8>) {
        listSize += name.textCount + value.count + 32
        bytes.append(name.rawValue)
        appendCounted(value)
    }

    /// Adds a field whose name no rule knows.
    @inlinable
    package mutating func append(otherName name: some Collection<UInt8>, value: some Collection<UInt8>) {
        listSize += name.count + value.count + 32
        bytes.append(FieldName.other.rawValue)
        appendCounted(name)
        appendCounted(value)
    }

    /// Adds the place of an `authorization` field whose value of `valueCount` bytes is kept elsewhere.
    package mutating func appendAuthorization(valueCount: Int) {
        append(.authorization, value: EmptyCollection())
        listSize += valueCount
    }

    /// Adds a field by name and value; for tests and clients.
    package mutating func append(_ name: String, _ value: String) {
        let nameBytes = Array(name.lowercased().utf8)
        let valueBytes = Array(value.utf8)
        let known = FieldName(nameBytes.span)
        if known == .other {
            append(otherName: nameBytes, value: valueBytes)
        } else {
            append(known, value: valueBytes)
        }
    }

    /// Forgets all fields and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        listSize = 0
    }

    @inlinable
    mutating func appendCounted(_ text: some Collection<UInt8>) {
        let length = min(text.count, HeaderBlock.lengthMax)
        bytes.append(UInt8(truncatingIfNeeded: length))
        bytes.append(UInt8(truncatingIfNeeded: length >> 8))
        bytes.append(contentsOf: text.prefix(length))
    }
}

// MARK: - Reading

extension HeaderBlock {
    /// One field's place in the block.
    package struct Field {
        /// The name, or `other`.
        package let name: FieldName
        /// Where the name's bytes are, for `other`; empty for known names.
        package let otherName: Range<Int>
        /// Where the value's bytes are.
        package let value: Range<Int>
    }

    /// The field that begins at `offset`, which moves on to the next; `nil` at the end.
    @inline(__always)
    package func field(at offset: inout Int) -> Field? {
        guard offset < bytes.count, let name = FieldName(rawValue: bytes[offset]) else { return nil }
        offset += 1
        let otherName = name == .other ? counted(at: &offset) : offset..<offset
        return Field(name: name, otherName: otherName, value: counted(at: &offset))
    }

    private func counted(at offset: inout Int) -> Range<Int> {
        let length = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
        let start = offset + 2
        offset = start + length
        return start..<offset
    }

    /// All fields as text, in order; `authorization` stands in for the value that is kept elsewhere.
    package func fields(authorization: String?) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var offset = 0
        while let field = field(at: &offset) {
            let name = field.name == .other ? text(field.otherName) : field.name.text
            let value = field.name == .authorization ? authorization ?? "" : text(field.value)
            fields.append((name, value))
        }
        return fields
    }

    /// The first value of a field, or `nil`.
    package func firstValue(of name: FieldName) -> String? {
        var offset = 0
        while let field = field(at: &offset) {
            if field.name == name { return text(field.value) }
        }
        return nil
    }

    /// The bytes of a range as text.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
