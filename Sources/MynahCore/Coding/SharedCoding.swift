/// Writes values that many others share: each where it is first met, and by its number from then on.
///
/// Values are compared by their bytes, so that what is written doesn't depend on which of them share an object.
package struct SharedWriting<Value> {
    private var numbersByObject: [ObjectIdentifier: Int] = [:]
    private var numbersByBytes: [[UInt8]: Int] = [:]
    // So that no other object gets the address of one that was met.
    private var met: [Value] = []
    package init() {}

    /// Writes the value that `own` contains; returns its number.
    @discardableResult
    mutating func write(_ own: ByteWriter, to writer: inout ByteWriter) -> Int {
        if let number = numbersByBytes[own.bytes] {
            writer.write(varint: UInt64(number))
            return number
        }
        let number = numbersByBytes.count + 1
        numbersByBytes[own.bytes] = number
        writer.write(varint: 0)
        writer.write(raw: own.bytes)
        return number
    }
}

extension SharedWriting where Value: ByteCodable {
    mutating func write(_ value: Value, to writer: inout ByteWriter) {
        var own = ByteWriter()
        own.write(value)
        write(own, to: &writer)
    }
}

extension SharedWriting where Value: ByteCodable & AnyObject {
    package mutating func write(_ value: Value, to writer: inout ByteWriter) {
        if let number = numbersByObject[ObjectIdentifier(value)] { return writer.write(varint: UInt64(number)) }
        var own = ByteWriter()
        own.write(value)
        met.append(value)
        numbersByObject[ObjectIdentifier(value)] = write(own, to: &writer)
    }
}

/// Reads what ``SharedWriting`` wrote.
package struct SharedReading<Value> {
    private var values: [Value] = []
    package init() {}

    /// Reads a value, one that is first met with `body`.
    mutating func read(
        from reader: inout ByteReader, _ body: (inout ByteReader) throws(CodingProblem) -> Value
    ) throws(CodingProblem) -> Value {
        let number = try reader.varint()
        guard number > 0 else {
            let value = try body(&reader)
            values.append(value)
            return value
        }
        guard number <= UInt64(values.count) else {
            throw reader.problem("value \(number) of \(values.count) is referred to")
        }
        return values[Int(number) - 1]
    }
}

extension SharedReading where Value: ByteCodable {
    package mutating func read(from reader: inout ByteReader) throws(CodingProblem) -> Value {
        try read(from: &reader) { reader throws(CodingProblem) in try Value(from: &reader) }
    }
}

extension SharedReading: Sendable where Value: Sendable {}
