/// Values that many share, each kept once and named by a number.
///
/// Nothing is ever forgotten: there are as many as somebody told apart, which devices bound.
struct Interned<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var numbers: [Value: Int32] = [:]

    /// No values.
    init() {}

    /// The value of a number.
    subscript(number: Int32) -> Value { values[Int(number)] }

    /// The number of a value, or `nil` when nobody had it yet.
    func number(of value: Value) -> Int32? { numbers[value] }

    /// The number of a value, a new one when nobody had it yet.
    mutating func intern(_ value: Value) -> Int32 {
        if let number = numbers[value] { return number }
        let number = Int32(values.count)
        values.append(value)
        numbers[value] = number
        return number
    }
}
