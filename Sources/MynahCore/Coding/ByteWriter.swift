/// Writes values as bytes, the form of everything that a data folder keeps; ``ByteReader`` reads them.
///
/// Whole numbers are varints (LEB128: seven bits a byte, the lowest first), so that small ones take one byte; texts and
/// arrays begin with their count. Nothing says what a value is: what reads it knows the order.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// What is shared, of what was written so far.
    var shared = SharedInWriter()
    package init() {}

    package var count: Int { bytes.count }

    /// Writes a value in its own form.
    package mutating func write(_ value: borrowing some ByteCodable) { value.write(to: &self) }

    /// Writes values one after the other.
    package mutating func write<each Value: ByteCodable>(_ value: repeat each Value) { repeat write(each value) }

    package mutating func write(varint value: UInt64) {
        var rest = value
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes a number that is often negative, small ones in few bytes (zigzag).
    package mutating func write(signed value: Int64) {
        write(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    package mutating func write(byte: UInt8) { bytes.append(byte) }

    /// Writes a number in as many bytes as its type has, the lowest first.
    package mutating func write(fixed value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Writes the number of bytes and the bytes.
    package mutating func write(bytes some: some Collection<UInt8>) {
        write(varint: UInt64(some.count))
        bytes.append(contentsOf: some)
    }

    /// Writes bytes whose number the reader knows.
    package mutating func write(raw some: [UInt8]) { bytes.append(contentsOf: some) }

    /// Removes what was written from a place on.
    mutating func removeAll(from place: Int) { bytes.removeSubrange(place...) }

    package mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
    package mutating func removeAll(keepingCapacity: Bool = true) { bytes.removeAll(keepingCapacity: keepingCapacity) }
}

/// A value that a data folder keeps.
package protocol ByteCodable {
    func write(to writer: inout ByteWriter)
    /// Reads what ``write(to:)`` wrote; throws if the bytes are no such value.
    init(from reader: inout ByteReader) throws(CodingProblem)

    // Members of a type are coded by these, for which generic code would look up the type anew at each value.
    static func read(from reader: inout ByteReader) throws(CodingProblem) -> Self
    static func readOptional(from reader: inout ByteReader) throws(CodingProblem) -> Self?
    static func readArray(from reader: inout ByteReader) throws(CodingProblem) -> [Self]
    static func writeArray(_ elements: [Self], to writer: inout ByteWriter)
}

extension ByteCodable {
    /// The bytes of the value.
    package var coded: [UInt8] {
        var writer = ByteWriter()
        writer.write(self)
        return writer.bytes
    }

    /// Reads a value that has all of the bytes.
    package init(coded bytes: [UInt8]) throws(CodingProblem) {
        var reader = ByteReader(bytes)
        self = try reader.last()
    }

    package static func read(from reader: inout ByteReader) throws(CodingProblem) -> Self { try Self(from: &reader) }

    package static func readOptional(from reader: inout ByteReader) throws(CodingProblem) -> Self? {
        try Bool(from: &reader) ? try Self(from: &reader) : nil
    }

    package static func readArray(from reader: inout ByteReader) throws(CodingProblem) -> [Self] {
        let count = try reader.count()
        var elements: [Self] = []
        // An element may take far more memory than bytes, and the count may be damaged.
        elements.reserveCapacity(min(count, 256))
        for _ in 0..<count { elements.append(try Self(from: &reader)) }
        return elements
    }

    package static func writeArray(_ elements: [Self], to writer: inout ByteWriter) {
        writer.write(varint: UInt64(elements.count))
        for element in elements { writer.write(element) }
    }
}

extension UInt8: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(fixed: self) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { self = try reader.byte() }

    package static func readArray(from reader: inout ByteReader) throws(CodingProblem) -> [UInt8] {
        Array(try reader.bytes())
    }

    package static func writeArray(_ elements: [UInt8], to writer: inout ByteWriter) { writer.write(bytes: elements) }
}

extension UInt64: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(varint: self) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { self = try reader.varint() }
}

extension UInt32: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(varint: UInt64(self)) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { self = try reader.whole() }
}

extension Int: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(signed: Int64(self)) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { self = try reader.signed() }
}

extension Int64: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(signed: self) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { self = try reader.signed() }
}

extension Int32: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(signed: Int64(self)) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { self = try reader.signed() }
}

extension Bool: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(fixed: UInt8(self ? 1 : 0)) }
    package init(from reader: inout ByteReader) throws(CodingProblem) {
        switch try reader.byte() {
        case 0: self = false
        case 1: self = true
        case let other: throw reader.problem("\(other) is not 0 or 1")
        }
    }
}

extension Double: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(fixed: bitPattern) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { self.init(bitPattern: try reader.fixed()) }
}

extension String: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(bytes: utf8) }
    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let bytes = try reader.bytes()
        guard let text = try? UTF8Span(validating: bytes.span) else { throw reader.problem("a text is not UTF-8") }
        self.init(copying: text)
    }
}

extension Optional: ByteCodable where Wrapped: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(self != nil)
        if let self { writer.write(self) }
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) { self = try Wrapped.readOptional(from: &reader) }

    package static func read(from reader: inout ByteReader) throws(CodingProblem) -> Wrapped? {
        try Wrapped.readOptional(from: &reader)
    }
}

extension Array: ByteCodable where Element: ByteCodable {
    package func write(to writer: inout ByteWriter) { Element.writeArray(self, to: &writer) }

    package init(from reader: inout ByteReader) throws(CodingProblem) { self = try Element.readArray(from: &reader) }

    package static func read(from reader: inout ByteReader) throws(CodingProblem) -> [Element] {
        try Element.readArray(from: &reader)
    }
}

/// Case names are written out, since the order of cases may change; what is written often has numbers of its own.
extension RawRepresentable where RawValue == String {
    package func write(to writer: inout ByteWriter) { writer.write(rawValue) }
    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let text = try String(from: &reader)
        guard let value = Self(rawValue: text) else { throw reader.problem("\(text) is no \(Self.self)") }
        self = value
    }
}
