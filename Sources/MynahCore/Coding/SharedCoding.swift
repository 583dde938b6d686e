package import APNsRules

/// A value that many others have, too: it is written where it is first met, and by its number from then on.
///
/// Values are compared by their bytes, so that what is written doesn't depend on which of them share an object.
package struct Shared<Value: SharedValue>: ByteCodable {
    package let value: Value
    package init(_ value: Value) { self.value = value }

    package func write(to writer: inout ByteWriter) {
        if let object = value.instance, let number = writer.shared.numbers[ObjectIdentifier(object)] {
            return writer.write(varint: number)
        }
        let start = writer.count
        writer.write(varint: 0)
        writer.write(value)
        let bytes = Array(writer.bytes[(start + 1)...])
        let (number, isNew) = writer.shared.recordWritten(bytes, of: Value.self, value.instance)
        guard !isNew else { return }
        writer.removeAll(from: start)
        writer.write(varint: number)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let read = Value.read(in: reader.shared)
        let number = try reader.varint()
        guard number > 0 else {
            value = try Value(from: &reader)
            read.values.append(value)
            return
        }
        guard number <= UInt64(read.values.count) else {
            throw reader.problem("value \(number) of \(read.values.count) is referred to")
        }
        value = read.values[Int(number) - 1]
    }
}

/// What may be ``Shared``.
package protocol SharedValue: ByteCodable {
    /// The values of this type that were read so far.
    static func read(in shared: SharedInReader?) -> SharedRead<Self>

    /// The value itself if it is an object, whose bytes need not be compared.
    var instance: (any AnyObject & Sendable)? { get }
}

extension SharedValue {
    package var instance: (any AnyObject & Sendable)? { nil }
}

extension SharedValue where Self: AnyObject & Sendable {
    package var instance: (any AnyObject & Sendable)? { self }
}

// MARK: - What is shared so far

/// The shared values that a writer has written so far.
struct SharedInWriter: Sendable {
    /// The numbers of objects.
    private(set) var numbers: [ObjectIdentifier: UInt64] = [:]
    // So that no other object gets the address of one that was met.
    private var objects: [any AnyObject & Sendable] = []
    // The numbers of the values that were written, by type and bytes.
    private var written: [ObjectIdentifier: [[UInt8]: UInt64]] = [:]

    /// Records a value that was written; returns its number, and whether it is the first with its bytes.
    fileprivate mutating func recordWritten<Value>(
        _ bytes: [UInt8], of type: Value.Type, _ object: (any AnyObject & Sendable)?
    ) -> (number: UInt64, isNew: Bool) {
        let known = written[ObjectIdentifier(type)]?[bytes]
        let number = known ?? UInt64((written[ObjectIdentifier(type)]?.count ?? 0) + 1)
        if known == nil { written[ObjectIdentifier(type), default: [:]][bytes] = number }
        if let object {
            numbers[ObjectIdentifier(object)] = number
            objects.append(object)
        }
        return (number, known == nil)
    }
}

/// The shared values of one type that were read so far, the one with number 1 first.
package final class SharedRead<Value> {
    fileprivate var values: [Value] = []
    init() {}
}

/// The shared values that one reader has read so far; subclasses add types of later folders.
package class SharedInReader {
    fileprivate let documents = SharedRead<JSONValue>()
    fileprivate let credentials = SharedRead<RecordedCredential>()
    package init() {}
}

extension JSONValue: SharedValue {
    package static func read(in shared: SharedInReader?) -> SharedRead<JSONValue> { shared.expected().documents }
}

extension RecordedCredential: SharedValue {
    package static func read(in shared: SharedInReader?) -> SharedRead<RecordedCredential> {
        shared.expected().credentials
    }
}

extension SharedInReader? {
    /// What a reader was begun with whose bytes have shared values.
    func expected<Values: SharedInReader>(_: Values.Type = SharedInReader.self) -> Values {
        guard let values = self as? Values else { preconditionFailure("nothing is shared here") }
        return values
    }
}

// MARK: - Nothing shared

extension ByteWriter {
    /// Writes a value that shares nothing with those around it.
    mutating func writeAlone(_ value: some ByteCodable) {
        let around = shared
        shared = SharedInWriter()
        write(value)
        shared = around
    }
}

extension ByteReader {
    /// Reads what ``ByteWriter/writeAlone(_:)`` wrote.
    mutating func readAlone<Value: ByteCodable>(_: Value.Type) throws(CodingProblem) -> Value {
        let around = shared
        shared = SharedInReader()
        defer { shared = around }
        return try Value(from: &self)
    }
}
