internal import CMalloc
internal import Synchronization

/// Memory that malloc keeps for its next caller after it was freed.
package enum FreedMemory {
    /// Returns free memory to the system, in a task of its own: for each 100 MB malloc's other callers may wait
    /// milliseconds.
    package static func giveBack() { Task.detached(priority: .background) { giveBackNow() } }
    static func giveBackNow() { give_back_free_memory() }
}

/// A value that is used once, on any thread; afterwards the memory that nothing else holds goes back to the system.
final class OneUse<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    func use<Answer>(_ body: (Value) throws -> Answer) rethrows -> Answer {
        // When the value has gone, which is at the end of the inner call.
        defer { FreedMemory.giveBackNow() }
        return try consume(body)
    }

    private func consume<Answer>(_ body: (Value) throws -> Answer) rethrows -> Answer {
        guard let value = value.withLock({ $0.take() }) else { preconditionFailure("a value was used twice") }
        return try body(value)
    }
}
