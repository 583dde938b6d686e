/// Why bytes are not what was expected: they were damaged, or written by another version.
package struct CodingProblem: Error, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// Reads what ``ByteWriter`` wrote; every count is checked against the bytes that are left, so that damaged ones cost no
/// memory.
package struct ByteReader {
    private var source: ArraySlice<UInt8>
    private var place: Int
    /// What is shared, of what was read so far; `nil` where nothing is.
    var shared: SharedInReader?
    /// The version that was read last; without one, what is read is as today.
    private(set) var version = UInt8.max
    /// How deep the JSON value that is read next is nested.
    var depth = 0

    package init(_ bytes: ArraySlice<UInt8>, sharing shared: SharedInReader? = nil) {
        source = bytes
        place = bytes.startIndex
        self.shared = shared
    }
    package init(_ bytes: [UInt8], sharing shared: SharedInReader? = nil) { self.init(bytes[...], sharing: shared) }

    /// Goes on with the next piece of what was written, with the same version and shared values.
    package mutating func proceed(to piece: ByteReader) {
        source = piece.source
        place = piece.place
    }

    package var remainingCount: Int { source.endIndex - place }
    package var isAtEnd: Bool { place == source.endIndex }

    /// Reads a value in its own form.
    package mutating func read<Value: ByteCodable>(_: Value.Type = Value.self) throws(CodingProblem) -> Value {
        try Value(from: &self)
    }

    /// Reads a value behind which there is nothing.
    package mutating func last<Value: ByteCodable>(_: Value.Type = Value.self) throws(CodingProblem) -> Value {
        let value = try Value(from: &self)
        try end()
        return value
    }

    package mutating func byte() throws(CodingProblem) -> UInt8 {
        guard place < source.endIndex else { throw problem("the bytes end too soon") }
        defer { place += 1 }
        return source[place]
    }

    package mutating func varint() throws(CodingProblem) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: UInt64.bitWidth, by: 7) {
            let byte = try byte()
            let part = UInt64(byte & 0x7f)
            guard (part << shift) >> shift == part else { break }
            value |= part << shift
            if byte < 0x80 { return value }
        }
        throw problem("a number has more than 64 bits")
    }

    /// Reads a number of any type by its varint.
    package mutating func whole<Number: FixedWidthInteger>() throws(CodingProblem) -> Number {
        let value = try varint()
        guard let number = Number(exactly: value) else { throw problem("\(value) is no \(Number.self)") }
        return number
    }

    /// Reads what ``ByteWriter/write(signed:)`` wrote.
    package mutating func signed<Number: FixedWidthInteger>() throws(CodingProblem) -> Number {
        let coded = try varint()
        let value = Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
        guard let number = Number(exactly: value) else { throw problem("\(value) is no \(Number.self)") }
        return number
    }

    package mutating func fixed<Number: FixedWidthInteger & UnsignedInteger>(
        _: Number.Type = Number.self
    ) throws(CodingProblem) -> Number {
        var value: Number = 0
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) { value |= Number(try byte()) << shift }
        return value
    }

    /// The number of things that follow, each of at least one byte.
    package mutating func count() throws(CodingProblem) -> Int {
        let count = try varint()
        guard count <= UInt64(remainingCount) else {
            throw problem("\(count) things are announced in \(remainingCount) bytes")
        }
        return Int(count)
    }

    /// Reads bytes that begin with their number.
    package mutating func bytes() throws(CodingProblem) -> ArraySlice<UInt8> { try raw(try count()) }

    /// Reads `count` bytes.
    package mutating func raw(_ count: Int) throws(CodingProblem) -> ArraySlice<UInt8> {
        guard count <= remainingCount else { throw problem("the bytes end too soon") }
        defer { place += count }
        return source[place..<place + count]
    }

    /// Reads the version of what follows, from 1; throws if it is above the newest that is known.
    ///
    /// `Architecture#Versions-of-what-is-kept` says what has a version, and when it is raised.
    package mutating func version(newest: UInt8 = 1) throws(CodingProblem) -> UInt8 {
        version = try byte()
        guard (1...newest).contains(version) else {
            throw problem(version == 0 ? "0 is no version" : "version \(version) was written by a newer Mynah")
        }
        return version
    }

    /// Throws unless everything has been read.
    package func end() throws(CodingProblem) {
        guard isAtEnd else { throw problem("\(remainingCount) bytes are left over") }
    }

    /// Adds the present place to the problem that `check` throws.
    package func located<Value>(_ check: () throws(CodingProblem) -> Value) throws(CodingProblem) -> Value {
        do throws(CodingProblem) {
            return try check()
        } catch {
            throw problem(error.description)
        }
    }

    /// A problem at the present place.
    package func problem(_ what: String) -> CodingProblem {
        CodingProblem("\(what), at byte \(place - source.startIndex) of \(source.count)")
    }
}
