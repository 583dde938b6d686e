/// Values shared by many elements: each is stored once, under a number, until every ``retain(_:)`` was followed by a
/// ``release(_:)``; then the number is given to another value.
struct SharedValues<Value: Hashable & Sendable>: Sendable {
    private struct Shared: Sendable {
        // `nil` while the number is free.
        var value: Value?
        var useCount = 0
    }

    private var shared: [Shared] = []
    private var numbers: [Value: Int32] = [:]
    private var free: [Int32] = []

    /// Stores a value, if one is given, under number 0; it stays whether or not an element uses it.
    init(constant: Value? = nil) { if let constant { _ = retain(constant) } }
    var count: Int { numbers.count }

    subscript(number: Int32) -> Value {
        guard let value = shared[Int(number)].value else { preconditionFailure("number \(number) is not in use") }
        return value
    }

    func number(of value: Value) -> Int32? { numbers[value] }

    /// Whether each number is used as often as `uses` says, counting one use for a constant; for tests.
    func isCounted(_ uses: [Int32: Int]) -> Bool {
        shared.indices.allSatisfy { number in
            let useCount = shared[number].useCount
            return useCount == uses[Int32(number)] ?? 0 && (shared[number].value == nil) == (useCount == 0)
        }
    }

    /// Returns the number of a value for one more element.
    mutating func retain(_ value: Value) -> Int32 {
        if let number = numbers[value] { return retain(number: number) }
        let number = free.popLast() ?? Int32(shared.count)
        if Int(number) == shared.count { shared.append(Shared()) }
        shared[Int(number)].value = value
        numbers[value] = number
        return retain(number: number)
    }

    /// Returns a number in use for one more element.
    mutating func retain(number: Int32) -> Int32 {
        shared[Int(number)].useCount += 1
        return number
    }

    /// Ends an element's use of a number; returns whether that was the last use and the value is gone.
    @discardableResult
    mutating func release(_ number: Int32) -> Bool {
        shared[Int(number)].useCount -= 1
        guard shared[Int(number)].useCount == 0, let value = shared[Int(number)].value.take() else { return false }
        numbers[value] = nil
        free.append(number)
        return true
    }
}

// The numbers are kept, as the numbers of later values depend on them; the uses are counted while the elements are
// read.
extension SharedValues: ByteCodable, ByteRecord where Value: ByteCodable {
    static var members: some ByteForm<SharedValues> {
        CheckedMembers(SharedValues.init(values:free:)) { ($0.shared.map(\.value), $0.free) }
    }

    /// Makes values that nothing uses yet.
    private init(values: [Value?], free: [Int32]) throws(CodingProblem) {
        let unused = values.indices.filter { values[$0] == nil }
        guard free.map({ Int($0) }).sorted() == unused else { throw CodingProblem("other numbers are free") }
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            guard numbers.updateValue(Int32(index), forKey: value) == nil else {
                throw CodingProblem("a shared value has two numbers")
            }
        }
        self.shared = values.map { Shared(value: $0) }
        self.free = free
    }

    /// Returns what was read if it has a constant, which stays whether or not an element uses it.
    func checked(constant: Value) throws(CodingProblem) -> SharedValues {
        guard shared.first?.value == constant else { throw CodingProblem("value 0 is another one") }
        var values = self
        values.shared[0].useCount = 1
        return values
    }

    /// Reads the number of a value for one more element.
    mutating func retain(from reader: inout ByteReader) throws(CodingProblem) -> Int32 {
        let number: Int32 = try reader.whole()
        guard shared.indices.contains(Int(number)), shared[Int(number)].value != nil else {
            throw reader.problem("there is no shared value \(number)")
        }
        return retain(number: number)
    }

    var all: [(number: Int32, value: Value)] {
        shared.indices.compactMap { number in shared[number].value.map { (Int32(number), $0) } }
    }

    /// Whether each value is used.
    var areAllUsed: Bool { shared.allSatisfy { ($0.value == nil) == ($0.useCount == 0) } }
}
