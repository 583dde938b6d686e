/// A value whose bytes are the bytes of its members, one after the other.
///
/// The declaration names each member once, and both writing and reading come from it:
///
///     extension Wake: ByteRecord {
///         static let members = ByteMembers(Wake.init) { ($0.sequence, $0.at, $0.fetch) }
///     }
package protocol ByteRecord: ByteCodable {
    associatedtype Members: ByteForm<Self>

    /// The members in the order in which they are written.
    static var members: Members { get }

    /// What is wrong with a value that was read; `nil` if nothing is.
    var damage: String? { get }
}

extension ByteRecord {
    package var damage: String? { nil }
    package func write(to writer: inout ByteWriter) { Self.members.write(self, to: &writer) }

    package init(from reader: inout ByteReader) throws(CodingProblem) { try self.init(membersFrom: &reader) }

    fileprivate init(membersFrom reader: inout ByteReader) throws(CodingProblem) {
        let value = try Self.members.read(from: &reader)
        if let damage = value.damage { throw reader.problem(damage) }
        self = value
    }
}

/// A record that begins with a version, by which it is known which members are missing: see ``Since``.
package protocol VersionedRecord: ByteRecord {
    static var version: UInt8 { get }
}

extension VersionedRecord {
    package func write(to writer: inout ByteWriter) {
        writer.write(Self.version)
        Self.members.write(self, to: &writer)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        _ = try reader.version(newest: Self.version)
        try self.init(membersFrom: &reader)
    }
}

/// How values of a type are written and read.
package protocol ByteForm<Root>: Sendable {
    associatedtype Root
    func write(_ root: Root, to writer: inout ByteWriter)
    func read(from reader: inout ByteReader) throws(CodingProblem) -> Root
}

/// Lists the members of a ``ByteRecord``.
package struct ByteMembers<Root, each Value: ByteCodable>: ByteForm {
    private let make: @Sendable (repeat each Value) -> Root
    private let members: @Sendable (Root) -> (repeat each Value)

    /// - Parameters:
    ///   - make: Makes a value of its members: most often the initializer that takes just these.
    ///   - members: The members, in the order of `make`'s parameters and of exactly their types: where a parameter is
    ///     optional and the member is not, the compiler would make it so, and other bytes would be written.
    package init(
        _ make: @escaping @Sendable (repeat each Value) -> Root,
        _ members: @escaping @Sendable (Root) -> (repeat each Value)
    ) {
        self.make = make
        self.members = members
    }

    package func write(_ root: Root, to writer: inout ByteWriter) { writer.write(repeat each members(root)) }

    package func read(from reader: inout ByteReader) throws(CodingProblem) -> Root {
        try make(repeat (each Value).read(from: &reader))
    }
}

/// Lists the members of a ``ByteRecord`` of which not all values are possible: what makes one throws what is wrong.
///
/// Slower than ``ByteMembers``.
package struct CheckedMembers<Root, Failure: Error, each Value: ByteCodable>: ByteForm {
    private let make: @Sendable (repeat each Value) throws(Failure) -> Root
    private let members: @Sendable (Root) -> (repeat each Value)
    private let problem: @Sendable (Failure) -> String

    /// - Parameters:
    ///   - make: Makes a value of its members, as for ``ByteMembers``.
    ///   - problem: Describes an error; the place in the bytes is added.
    ///   - members: The members, as for ``ByteMembers``.
    package init(
        _ make: @escaping @Sendable (repeat each Value) throws(Failure) -> Root,
        problem: @escaping @Sendable (Failure) -> String,
        _ members: @escaping @Sendable (Root) -> (repeat each Value)
    ) {
        self.make = make
        self.members = members
        self.problem = problem
    }

    package func write(_ root: Root, to writer: inout ByteWriter) { writer.write(repeat each members(root)) }

    package func read(from reader: inout ByteReader) throws(CodingProblem) -> Root {
        let values = (repeat try (each Value).read(from: &reader))
        do throws(Failure) {
            return try make(repeat each values)
        } catch {
            throw reader.problem(problem(error))
        }
    }
}

extension CheckedMembers where Failure == CodingProblem {
    package init(
        _ make: @escaping @Sendable (repeat each Value) throws(CodingProblem) -> Root,
        _ members: @escaping @Sendable (Root) -> (repeat each Value)
    ) { self.init(make, problem: \.description, members) }
}

/// Lists the properties of a ``ByteRecord`` that begins with defaults; for a type whose `init()` is written out, which
/// leaves it without the compiler's own initializer, or that has properties which are not kept.
///
/// Slower than ``ByteMembers``.
package struct ByteProperties<Root: Sendable, each Value: ByteCodable>: ByteForm {
    private let make: @Sendable () -> Root
    private let paths: (repeat any WritableKeyPath<Root, each Value> & Sendable)

    package init(
        of make: @escaping @Sendable () -> Root, _ paths: repeat any WritableKeyPath<Root, each Value> & Sendable
    ) {
        self.make = make
        self.paths = (repeat each paths)
    }

    package func write(_ root: Root, to writer: inout ByteWriter) {
        repeat writer.write(root[keyPath: each paths])
    }

    package func read(from reader: inout ByteReader) throws(CodingProblem) -> Root {
        var root = make()
        try read(from: &reader, into: &root)
        return root
    }

    /// Reads the properties of a value that has others, too.
    package func read(from reader: inout ByteReader, into root: inout Root) throws(CodingProblem) {
        for path in repeat each paths { try read(path, from: &reader, into: &root) }
    }

    private func read<One: ByteCodable>(
        _ path: WritableKeyPath<Root, One>, from reader: inout ByteReader, into root: inout Root
    ) throws(CodingProblem) {
        root[keyPath: path] = try One.read(from: &reader)
    }
}

/// Values that follow each other, where no type has them as its members.
package struct Row<each Value: ByteCodable>: ByteCodable {
    package let values: (repeat each Value)
    package init(_ value: repeat each Value) { values = (repeat each value) }
    package func write(to writer: inout ByteWriter) { writer.write(repeat each values) }
    package init(from reader: inout ByteReader) throws(CodingProblem) {
        values = (repeat try (each Value).read(from: &reader))
    }
}

/// A dictionary in which `nil` may be a key, whose value comes first.
package struct OptionallyKeyed<Value: ByteCodable>: ByteCodable {
    package let values: [String?: Value]
    package init(_ values: [String?: Value]) { self.values = values }

    package func write(to writer: inout ByteWriter) {
        writer.write(values[nil])
        let named = values.compactMap { key, value in key.map { ($0, value) } }
        writer.write([String: Value](uniqueKeysWithValues: named))
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        var values: [String?: Value] = [:]
        values[nil] = try Value?(from: &reader)
        for (key, value) in try [String: Value](from: &reader) { values[key] = value }
        self.values = values
    }
}

/// A number that takes as many bytes as its type has.
package struct Fixed<Number: FixedWidthInteger & UnsignedInteger>: ByteCodable {
    package let number: Number
    package init(_ number: Number) { self.number = number }
    package func write(to writer: inout ByteWriter) { writer.write(fixed: number) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { number = try reader.fixed() }
}

/// A number that is never below 0, as a varint whatever its type.
package struct Varint<Number: FixedWidthInteger>: ByteCodable {
    package let number: Number
    package init(_ number: Number) { self.number = number }
    package func write(to writer: inout ByteWriter) { writer.write(varint: UInt64(number)) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { number = try reader.whole() }
}

/// A member that is missing in earlier versions of its part.
package struct Since<let version: Int, Value: ByteCodable>: ByteCodable {
    /// The optional value; `nil` if it is missing.
    package let value: Value?
    package init(_ value: Value) { self.value = value }
    package func write(to writer: inout ByteWriter) { if let value { writer.write(value) } }
    package init(from reader: inout ByteReader) throws(CodingProblem) {
        value = reader.version < version ? nil : try Value.read(from: &reader)
    }
}

/// An enum whose cases are written as their numbers.
package protocol NumberedCases: ByteCodable, RawRepresentable where RawValue: ByteCodable {
    /// The problem of a number that stands for no case.
    static func damage(_ number: RawValue) -> String
}

extension NumberedCases {
    package func write(to writer: inout ByteWriter) { writer.write(rawValue) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let number = try RawValue(from: &reader)
        guard let value = Self(rawValue: number) else { throw reader.problem(Self.damage(number)) }
        self = value
    }
}
