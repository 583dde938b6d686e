/// A value that can be made without arguments.
protocol DefaultInitializable { init() }

/// An optional value stored out of line: one word when it is absent, where an optional would take its value's full
/// size; an array of at most one element is copied on write, so this is a value without a class.
struct Boxed<Value: Sendable>: Sendable {
    private var storage: [Value] = []

    init(_ value: Value? = nil) { if let value { storage = [value] } }
    var isAbsent: Bool { storage.isEmpty }
    var value: Value? { storage.first }
    mutating func remove() { storage = [] }
}

extension Boxed where Value: DefaultInitializable {
    /// The value, or a default one; writing to it stores it.
    var orDefault: Value {
        get { storage.first ?? Value() }
        _modify {
            if storage.isEmpty {
                storage.reserveCapacity(1)
                storage.append(Value())
            }
            yield &storage[0]
        }
    }
}

extension Boxed: Equatable where Value: Equatable {}

extension Boxed: ByteCodable where Value: ByteCodable {
    func write(to writer: inout ByteWriter) { writer.write(value) }
    init(from reader: inout ByteReader) throws(CodingProblem) { self.init(try reader.read()) }
}
