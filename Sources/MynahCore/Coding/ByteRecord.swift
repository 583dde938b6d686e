/// A value whose bytes are those of its members, one after the other.
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
    /// `nil` if it is missing.
    package let value: Value?
    package init(_ value: Value) { self.value = value }
    package func write(to writer: inout ByteWriter) { if let value { writer.write(value) } }
    package init(from reader: inout ByteReader) throws(CodingProblem) {
        value = reader.version < version ? nil : try Value.read(from: &reader)
    }
}

/// An enum whose cases are written as their numbers.
package protocol NumberedCases: ByteCodable, RawRepresentable where RawValue: ByteCodable {
    /// What is wrong with a number that no case has.
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
