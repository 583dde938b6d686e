/// The fields of one request, in the order in which they came, in one flat run of bytes.
///
/// A field costs no allocation: known names are one byte, values are copied once. The value of
/// `authorization` is not here but in ``PushRequest/authorization``, shared by all pushes that send the
/// same one; its place in the order is.
package struct HeaderBlock: Sendable, Equatable {
    /// The encoded fields.
    ///
    /// Each is a ``FieldName`` byte; for `other` a length of two bytes and the name; then a length of two bytes,
    /// little-endian, and the value.
    package private(set) var bytes: [UInt8]

    /// The size that RFC 9113 §6.5.2 counts: names, values, and 32 bytes for each field.
    package private(set) var listSize: Int

    // Where reading ends, when something else lies behind the fields.
    private var readingEnd = Int.max

    /// No fields.
    package init() {
        self.bytes = []
        self.listSize = 0
    }

    /// Fields encoded earlier by a block, the first `count` of these bytes; the journal keeps them so.
    ///
    /// For reading alone.
    package init(bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.listSize = 0
        self.readingEnd = count
    }

    /// The most bytes that a name or a value may have, by the encoding.
    ///
    /// Far above what ``Limits/headerListBytesMax`` leaves to one field; whoever feeds a block enforces it first.
    package static let lengthMax = Int(UInt16.max)

    /// Adds a field whose value of `valueCount` bytes `copyValue` appends to the bytes it is lent.
    ///
    /// A closure, so that bytes still in C's hands are copied once and in one go, and nothing here is generic.
    package mutating func append(
        _ name: FieldName, valueCount: Int, copyValue: (inout [UInt8]) -> Void
    ) {
        begin(name, count: name.textCount + valueCount)
        appendCount(valueCount)
        copyValue(&bytes)
    }

    /// Adds a field whose name no rule knows; name and value as for a known one.
    package mutating func append(
        otherNameCount: Int, valueCount: Int, copyName: (inout [UInt8]) -> Void, copyValue: (inout [UInt8]) -> Void
    ) {
        begin(.other, count: otherNameCount + valueCount)
        appendCount(otherNameCount)
        copyName(&bytes)
        appendCount(valueCount)
        copyValue(&bytes)
    }

    /// Adds the place of an `authorization` field whose value of `valueCount` bytes is kept elsewhere.
    package mutating func appendAuthorization(valueCount: Int) {
        begin(.authorization, count: FieldName.authorization.textCount + valueCount)
        appendCount(0)
    }

    /// Adds a field by name and value; a name or value beyond ``lengthMax`` is cut.
    package mutating func append(_ name: String, _ value: String) {
        let name = Array(name.lowercased().utf8.prefix(HeaderBlock.lengthMax))
        let value = Array(value.utf8.prefix(HeaderBlock.lengthMax))
        let known = FieldName(name.span)
        if known == .other {
            append(otherNameCount: name.count, valueCount: value.count) {
                $0.append(contentsOf: name)
            } copyValue: {
                $0.append(contentsOf: value)
            }
        } else {
            append(known, valueCount: value.count) { $0.append(contentsOf: value) }
        }
    }

    /// Forgets all fields and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        listSize = 0
    }

    private mutating func begin(_ name: FieldName, count: Int) {
        listSize += count + 32
        bytes.append(name.rawValue)
    }

    private mutating func appendCount(_ count: Int) {
        precondition(count <= HeaderBlock.lengthMax, "a field of \(count) bytes reached the header block")
        bytes.append(UInt8(truncatingIfNeeded: count))
        bytes.append(UInt8(truncatingIfNeeded: count >> 8))
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
        guard offset < min(bytes.count, readingEnd), let name = FieldName(rawValue: bytes[offset]) else { return nil }
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
