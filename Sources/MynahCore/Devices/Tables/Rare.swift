/// Room for a value that few have: one word where there is none, and a place of its own where there is.
///
/// An optional would take its value's full size from everybody. An array of at most one element is copied when it is
/// shared and changed in place when it is not, so this stays a value without a class of ours.
struct Rare<Value: Sendable>: Sendable {
    private var storage: [Value] = []

    /// No value.
    init() {}

    /// A value, or none.
    init(_ value: Value?) {
        if let value { storage = [value] }
    }

    /// Whether there is none.
    var isAbsent: Bool { storage.isEmpty }

    /// The value, or `nil`.
    var value: Value? { storage.first }

    /// The value, made from `initial` when somebody changes it that was not there.
    subscript(orMaking initial: @autoclosure () -> Value) -> Value {
        get { storage.first ?? initial() }
        _modify {
            if storage.isEmpty {
                storage.reserveCapacity(1)
                storage.append(initial())
            }
            yield &storage[0]
        }
    }

    /// Forgets the value.
    mutating func remove() { storage = [] }
}

extension Rare: Equatable where Value: Equatable {}
