package import APNsRules

extension Instant: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(signed: milliseconds) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { self.init(milliseconds: try reader.signed()) }
}

extension Duration: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(components.seconds, components.attoseconds)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let seconds: Int64 = try reader.signed()
        let attoseconds: Int64 = try reader.signed()
        guard attoseconds.magnitude < 1_000_000_000_000_000_000 else {
            throw reader.problem("\(attoseconds) attoseconds are no part of a second")
        }
        self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }
}

extension DeviceToken: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(bytes: bytes) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let bytes = try reader.bytes()
        guard (1...DeviceToken.byteCountMax).contains(bytes.count) else {
            throw reader.problem("a device token has \(bytes.count) bytes: expected 1 to \(DeviceToken.byteCountMax)")
        }
        self.init(bytes: Array(bytes))
    }
}

extension NotificationID: ByteRecord {
    package static let members = ByteMembers({ NotificationID($0.number, uppercaseDigits: $1.number) }) {
        (Fixed($0.value), Fixed($0.uppercaseDigits))
    }
}

extension ChannelID: ByteRecord {
    package static let members = ByteMembers({ ChannelID(high: $0.number, low: $1.number) }) {
        (Fixed($0.high), Fixed($0.low))
    }
}

extension APNsEnvironment: ByteCodable {}
extension PushType: ByteCodable {}

extension Priority: NumberedCases {
    package static func damage(_ number: UInt8) -> String { "\(number) is no priority" }
}

extension MessageStoragePolicy: NumberedCases {
    package static func damage(_ number: Int) -> String { "\(number) is no policy of a channel" }
}

extension Expiration: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .storagePolicy: writer.write(UInt8(0))
        case .once: writer.write(UInt8(1))
        case .until(let end): writer.write(UInt8(2), end)
        }
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        switch try reader.byte() {
        case 0: self = .storagePolicy
        case 1: self = .once
        case 2: self = .until(try reader.read())
        case let other: throw reader.problem("\(other) is no expiration")
        }
    }
}

/// A value is written as the kinds and parts that it consists of, so that it is read as it was: its members in order,
/// its numbers as they are spelled.
extension JSONValue: ByteCodable {
    private enum Kind: UInt8, NumberedCases {
        case null = 0
        case no = 1
        case yes = 2
        case number = 3
        case string = 4
        case array = 5
        case object = 6
        case raw = 7

        static func damage(_ number: UInt8) -> String { "\(number) is no kind of JSON value" }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .null: writer.write(Kind.null)
        case .bool(let value): writer.write(value ? Kind.yes : Kind.no)
        case .number(let number): writer.write(Kind.number, number.text)
        case .string(let text): writer.write(Kind.string, text)
        case .array(let elements): writer.write(Kind.array, elements)
        case .object(let members): writer.write(Kind.object, members)
        case .raw(let bytes): writer.write(Kind.raw, bytes)
        }
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        // Deeper than a document, as the simulation puts documents into others.
        guard reader.depth <= 2 * JSONValue.depthMax else { throw reader.problem("JSON is nested too deeply") }
        reader.depth += 1
        defer { reader.depth -= 1 }
        switch try Kind(from: &reader) {
        case .null: self = .null
        case .no: self = .bool(false)
        case .yes: self = .bool(true)
        case .number:
            let text = try String(from: &reader)
            // A number's text is written into documents as it is.
            guard case .number(let number)? = try? JSONValue(parsing: text), number.text == text else {
                throw reader.problem("\(text) is no number")
            }
            self = .number(number)
        case .string: self = .string(try reader.read())
        case .array: self = .array(try reader.read())
        case .object: self = .object(try reader.read())
        case .raw: self = .raw(try reader.read())
        }
    }
}

/// By hand, as documents have many members.
extension JSONMember: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(name, value) }
    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(try reader.read(), try reader.read())
    }
}

extension ClosedRange: ByteCodable where Bound: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(lowerBound, upperBound) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let lower = try Bound(from: &reader)
        let upper = try Bound(from: &reader)
        guard lower <= upper else { throw reader.problem("the range \(lower) to \(upper) is empty") }
        self = lower...upper
    }
}

/// Sets and dictionaries are written in the order of their elements, as equal ones are to have equal bytes.
extension Set: ByteCodable where Element: ByteCodable & Comparable {
    package func write(to writer: inout ByteWriter) { writer.write(sorted()) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let elements = try [Element](from: &reader)
        self.init(elements)
        guard count == elements.count else { throw reader.problem("an element of a set is there twice") }
    }
}

extension Dictionary: ByteCodable where Key: ByteCodable & Comparable, Value: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(varint: UInt64(count))
        for (key, value) in self.sorted(by: { $0.key < $1.key }) {
            writer.write(key)
            writer.write(value)
        }
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init()
        for _ in 0..<(try reader.count()) {
            let key = try Key(from: &reader)
            let before = updateValue(try Value(from: &reader), forKey: key)
            guard before == nil else { throw reader.problem("a key is there twice") }
        }
    }
}
