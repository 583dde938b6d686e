/// A task that waits for the journal to change; the owner of the journal's lock keeps its continuation.
package enum Waiter {
    package struct ID: Hashable, Sendable { fileprivate let number: UInt64 }

    package enum Condition: Sendable, Equatable {
        /// Every push up to and including this number is in the journal.
        case watermark(atLeast: UInt64)
        /// Something that readers see has changed since this ``Journal/revision``.
        case change(since: UInt64)

        fileprivate func isMet(watermark: UInt64, revision: UInt64) -> Bool {
            switch self {
            case .watermark(let sequence): watermark >= sequence
            case .change(let known): revision > known
            }
        }
    }
}

/// The waiters of a journal, in the order in which they were added.
struct Waiters: Sendable {
    private var waiters: [(id: Waiter.ID, condition: Waiter.Condition)] = []
    private var lastNumber: UInt64 = 0
    var isEmpty: Bool { waiters.isEmpty }

    /// Adds a waiter; `nil` if its condition is met already.
    mutating func add(_ condition: Waiter.Condition, watermark: UInt64, revision: UInt64) -> Waiter.ID? {
        guard !condition.isMet(watermark: watermark, revision: revision) else { return nil }
        lastNumber += 1
        let id = Waiter.ID(number: lastNumber)
        waiters.append((id, condition))
        return id
    }

    /// Removes a waiter; returns `false` if it is no longer there.
    mutating func remove(_ id: Waiter.ID) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Removes the waiters whose condition is met.
    mutating func takeDue(watermark: UInt64, revision: UInt64) -> [Waiter.ID] {
        let due = waiters.filter { $0.condition.isMet(watermark: watermark, revision: revision) }.map(\.id)
        if !due.isEmpty { waiters.removeAll { $0.condition.isMet(watermark: watermark, revision: revision) } }
        return due
    }

    /// Waiters that should have been taken; for tests.
    func brokenInvariants(watermark: UInt64) -> [String] {
        waiters.filter { $0.condition.isMet(watermark: watermark, revision: 0) }
            .map { "a waiter for \($0.condition) was forgotten" }
    }
}
