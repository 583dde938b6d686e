/// The fields of one request, in the order in which they arrived, in one array of bytes.
///
/// A field costs no allocation: known names are one byte, values are copied once. Of `authorization` the block keeps
/// only the place; ``PushRequest/authorization`` has the value, which pushes with the same one share.
package struct HeaderBlock: Sendable, Equatable {
    /// The encoded fields, and whatever else is kept behind them in the same memory.
    ///
    /// Each is a ``FieldName`` byte; for `other`, the name's length and the name; then the value's length and the
    /// value. Lengths are two bytes, little-endian.
    package private(set) var storage: [UInt8] = []

    /// The size that RFC 9113 §6.5.2 counts: names, values, and 32 bytes for each field.
    package private(set) var listSize = 0

    // Where reading ends if something else follows the fields.
    private var readingEnd = Int.max

    package init() {}

    /// A block for reading: the first `count` of these bytes, as the journal keeps them.
    package init(bytes: [UInt8], count: Int) {
        self.storage = bytes
        self.readingEnd = count
    }

    /// How many bytes of ``storage`` are fields.
    package var byteCount: Int { min(storage.count, readingEnd) }
    /// The encoded fields alone.
    package var bytes: [UInt8] { byteCount == storage.count ? storage : Array(storage[..<byteCount]) }

    /// Whether the first `count` of these bytes are fields; others must not be read as a block.
    package static func isWellFormed(_ bytes: [UInt8], count: Int) -> Bool {
        guard (0...bytes.count).contains(count) else { return false }
        var offset = 0
        while offset < count {
            guard let name = FieldName(rawValue: bytes[offset]) else { return false }
            offset += 1
            for _ in 0..<(name == .other ? 2 : 1) {
                guard offset + 2 <= count else { return false }
                offset += 2 + (Int(bytes[offset]) | Int(bytes[offset + 1]) << 8)
            }
        }
        return offset == count
    }

    /// The most bytes that the encoding allows for a name or a value.
    ///
    /// Far more than ``Limits/headerListBytesMax``, which callers enforce first.
    package static let lengthMax = Int(UInt16.max)

    /// Adds a field; `copyValue` appends its `valueCount` bytes.
    ///
    /// A closure, so that bytes owned by C are copied once, without generic code here.
    package mutating func append(
        _ name: FieldName, valueCount: Int, copyValue: (inout [UInt8]) -> Void
    ) {
        begin(name, count: name.textCount + valueCount)
        appendCount(valueCount)
        copyValue(&storage)
    }

    package mutating func append(
        otherNameCount: Int, valueCount: Int, copyName: (inout [UInt8]) -> Void, copyValue: (inout [UInt8]) -> Void
    ) {
        begin(.other, count: otherNameCount + valueCount)
        appendCount(otherNameCount)
        copyName(&storage)
        appendCount(valueCount)
        copyValue(&storage)
    }

    /// Adds the place of an `authorization` field, whose value of `valueCount` bytes is kept elsewhere.
    package mutating func appendAuthorization(valueCount: Int) {
        begin(.authorization, count: FieldName.authorization.textCount + valueCount)
        appendCount(0)
    }

    /// Adds a field by name and value, each cut to ``lengthMax``.
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

    package mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        listSize = 0
    }

    private mutating func begin(_ name: FieldName, count: Int) {
        listSize += count + 32
        storage.append(name.rawValue)
    }

    private mutating func appendCount(_ count: Int) {
        precondition(count <= HeaderBlock.lengthMax, "a field of \(count) bytes reached the header block")
        storage.append(UInt8(truncatingIfNeeded: count))
        storage.append(UInt8(truncatingIfNeeded: count >> 8))
    }

    // MARK: - Reading

    package struct Field {
        package let name: FieldName
        /// The range of the name for `other`; empty for known names.
        package let otherName: Range<Int>
        package let value: Range<Int>
    }

    /// Reads the field at `offset` and moves `offset` to the next one; returns `nil` at the end.
    @inline(__always)
    package func field(at offset: inout Int) -> Field? {
        guard offset < byteCount, let name = FieldName(rawValue: storage[offset]) else { return nil }
        offset += 1
        let otherName = name == .other ? counted(at: &offset) : offset..<offset
        return Field(name: name, otherName: otherName, value: counted(at: &offset))
    }

    private func counted(at offset: inout Int) -> Range<Int> {
        let length = Int(storage[offset]) | Int(storage[offset + 1]) << 8
        let start = offset + 2
        offset = start + length
        return start..<offset
    }

    /// All fields as text, in order; `authorization` is the value of that field, which the block doesn't keep.
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

    package func text(_ range: Range<Int>) -> String { String(decoding: storage[range], as: UTF8.self) }
}

/// The place of each known field's first value in a ``HeaderBlock``, found in one pass.
package struct RequestFields {
    private var places: InlineArray<18, Place>
    /// The first field with ``FieldName/mustNotRepeat`` that was sent twice.
    package private(set) var repeated: FieldName?

    private struct Place {
        var start: Int32 = -1
        var count: Int32 = 0
    }

    package init(_ block: borrowing HeaderBlock) {
        places = InlineArray(repeating: Place())
        var offset = 0
        while let field = block.field(at: &offset) {
            guard field.name != .other else { continue }
            let index = Int(field.name.rawValue)
            if places[index].start < 0 {
                places[index] = Place(start: Int32(field.value.lowerBound), count: Int32(field.value.count))
            } else if field.name.mustNotRepeat, repeated == nil {
                repeated = field.name
            }
        }
    }

    /// The range of the first value of a field, or `nil` if it was not sent.
    @inline(__always)
    package subscript(name: FieldName) -> Range<Int>? {
        let place = places[Int(name.rawValue)]
        guard place.start >= 0 else { return nil }
        return Int(place.start)..<Int(place.start + place.count)
    }
}
