/// The fields of one request, in the order in which they arrived, in one array of bytes.
///
/// A field costs no allocation: known names are one byte, values are copied once. Of `authorization` the block keeps
/// only the place; ``PushRequest/authorization`` has the value, which pushes with the same one share. Of other values
/// that are secrets it keeps the beginning, see ``Secrets``.
package struct HeaderBlock: Sendable {
    /// The encoded fields, followed by free room or by what else is kept in the same memory.
    ///
    /// Each is a ``FieldName`` byte; for `other`, the name's length and the name; then the value's length and the
    /// value. Lengths are two bytes, little-endian.
    package var storage: [UInt8] = []
    /// How many bytes of ``storage`` are fields.
    package private(set) var byteCount = 0
    /// The size that RFC 9113 §6.5.2 counts: names, values, and 32 bytes for each field.
    package private(set) var listSize = 0

    package init() {}

    /// A block for reading: the first `count` of these bytes, as the journal keeps them.
    package init(bytes: [UInt8], count: Int) {
        storage = bytes
        byteCount = min(bytes.count, count)
    }

    /// The encoded fields alone.
    package var bytes: [UInt8] { Array(storage[..<byteCount]) }

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

    /// Adds a field, and returns the place in ``storage`` where its value is to be put.
    ///
    /// So bytes owned by C are copied once, without a closure or generic code here.
    package mutating func add(_ name: FieldName, valueCount: Int) -> Int {
        let place = makeRoom(textCount: name.textCount + valueCount, byteCount: 3 + valueCount)
        write(name, count: valueCount, at: place)
        return place + 3
    }

    /// Adds a field of another name, and returns the places where its name and its value are to be put.
    package mutating func addOther(nameCount: Int, valueCount: Int) -> (name: Int, value: Int) {
        let count = nameCount + valueCount
        let place = makeRoom(textCount: count, byteCount: 5 + count)
        write(.other, count: nameCount, at: place)
        write(count: valueCount, at: place + 3 + nameCount)
        return (place + 3, place + 5 + nameCount)
    }

    /// Adds the place of an `authorization` field, whose value of `valueCount` bytes is kept elsewhere.
    package mutating func appendAuthorization(valueCount: Int) {
        let place = makeRoom(textCount: FieldName.authorization.textCount + valueCount, byteCount: 3)
        write(.authorization, count: 0, at: place)
    }

    /// Counts bytes of a value that are not kept.
    package mutating func countDropped(_ count: Int) { listSize += count }

    /// Adds a field by name and value, without what is secret in it, each cut to ``lengthMax``.
    package mutating func append(_ name: String, _ value: String) {
        let name = Array(name.lowercased().utf8.prefix(HeaderBlock.lengthMax))
        let sent = Array(value.utf8.prefix(HeaderBlock.lengthMax))
        let known = FieldName(name.span)
        let value = Array(sent.prefix(Secrets.keptCount(of: sent.span, in: name.span, known)))
        countDropped(sent.count - value.count)
        func put(_ text: [UInt8], at place: Int) { storage.replaceSubrange(place..<place + text.count, with: text) }
        if known == .other {
            let places = addOther(nameCount: name.count, valueCount: value.count)
            put(name, at: places.name)
            put(value, at: places.value)
        } else {
            put(value, at: add(known, valueCount: value.count))
        }
    }

    /// Removes all fields, and keeps the memory.
    package mutating func removeAll() {
        byteCount = 0
        listSize = 0
    }

    /// Makes room for a field, and returns its place.
    private mutating func makeRoom(textCount: Int, byteCount count: Int) -> Int {
        listSize += textCount + 32
        let place = byteCount
        byteCount += count
        if byteCount > storage.count {
            storage.append(contentsOf: repeatElement(0, count: max(byteCount, 2 * storage.count) - storage.count))
        }
        return place
    }

    /// Writes a name, if one is given, and a count.
    @inline(__always)
    private mutating func write(_ name: FieldName? = nil, count: Int, at place: Int) {
        precondition(count <= HeaderBlock.lengthMax, "a field of \(count) bytes reached the header block")
        var bytes = storage.mutableSpan
        var place = place
        if let name {
            bytes[place] = name.rawValue
            place += 1
        }
        bytes[place] = UInt8(truncatingIfNeeded: count)
        bytes[place + 1] = UInt8(truncatingIfNeeded: count >> 8)
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
        HeaderBlock.field(in: storage.span.extracting(..<byteCount), at: &offset)
    }

    @inline(__always)
    fileprivate static func field(in bytes: Span<UInt8>, at offset: inout Int) -> Field? {
        guard offset < bytes.count, let name = FieldName(rawValue: bytes[offset]) else { return nil }
        offset += 1
        let otherName = name == .other ? counted(in: bytes, at: &offset) : offset..<offset
        return Field(name: name, otherName: otherName, value: counted(in: bytes, at: &offset))
    }

    @inline(__always)
    private static func counted(in bytes: Span<UInt8>, at offset: inout Int) -> Range<Int> {
        let length = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
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

extension HeaderBlock: Equatable {
    package static func == (one: HeaderBlock, other: HeaderBlock) -> Bool {
        one.listSize == other.listSize && one.storage[..<one.byteCount] == other.storage[..<other.byteCount]
    }
}

/// The place of each known field's first value in a ``HeaderBlock``, found in one pass.
package struct RequestFields {
    private var places: InlineArray<18, Place>
    /// The first field with ``FieldName/mustNotRepeat`` that was sent twice.
    package private(set) var repeated: FieldName?
    /// The lengths of the names of all `other` fields.
    package private(set) var otherNameLengths = NameLengths()

    private struct Place {
        var start: Int32 = -1
        var count: Int32 = 0
    }

    package init(_ block: borrowing HeaderBlock) {
        places = InlineArray(repeating: Place())
        let bytes = block.storage.span.extracting(..<block.byteCount)
        var offset = 0
        while let field = HeaderBlock.field(in: bytes, at: &offset) {
            guard field.name != .other else {
                otherNameLengths.insert(field.otherName.count)
                continue
            }
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

/// Lengths of field names: one bit for each, the last for all that are longer.
package struct NameLengths {
    private var bits: UInt64 = 0

    package init() {}
    package mutating func insert(_ length: Int) { bits |= NameLengths.bit(of: length) }
    package func contains(_ length: Int) -> Bool { bits & NameLengths.bit(of: length) != 0 }
    package func isDisjoint(with other: NameLengths) -> Bool { bits & other.bits == 0 }
    private static func bit(of length: Int) -> UInt64 { 1 << UInt64(min(length, UInt64.bitWidth - 1)) }
}
