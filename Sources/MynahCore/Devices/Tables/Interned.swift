/// Values that many elements share, each kept once and named by a number for as long as an element uses it.
///
/// Uses are counted: every ``retain(_:)`` is followed by a ``release(_:)`` when its element goes. The number of a value
/// that nothing uses any more is given to another one.
struct Interned<Value: Hashable & Sendable>: Sendable {
    private struct Shared: Sendable {
        // `nil` while the number is free.
        var value: Value?
        var useCount = 0
    }

    private var shared: [Shared] = []
    private var numbers: [Value: Int32] = [:]
    private var free: [Int32] = []
    // Numbers below are never released.
    private let constantCount: Int32

    /// No values.
    init() { constantCount = 0 }

    /// One value, number 0, which stays whether or not an element uses it.
    init(constant value: Value) {
        constantCount = 1
        _ = retain(value)
    }

    /// How many values there are.
    var count: Int { numbers.count }

    /// The value of a number in use.
    subscript(number: Int32) -> Value {
        guard let value = shared[Int(number)].value else { preconditionFailure("number \(number) is not in use") }
        return value
    }

    /// The number of a value, or `nil` if no element uses it.
    func number(of value: Value) -> Int32? { numbers[value] }

    /// The numbers whose uses are not counted as `uses` has them, for the invariants.
    func miscounted(_ uses: [Int32: Int]) -> [Int32] {
        shared.indices.map { Int32($0) }.filter { number in
            let (value, useCount) = (shared[Int(number)].value, shared[Int(number)].useCount)
            return useCount != (uses[number] ?? 0) + (number < constantCount ? 1 : 0)
                || (value == nil) != (useCount == 0)
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

    /// Ends an element's use of a number; returns whether it was the last one, and the value is forgotten.
    @discardableResult
    mutating func release(_ number: Int32) -> Bool {
        shared[Int(number)].useCount -= 1
        guard shared[Int(number)].useCount == 0, number >= constantCount,
            let value = shared[Int(number)].value.take()
        else { return false }
        numbers[value] = nil
        free.append(number)
        return true
    }
}
