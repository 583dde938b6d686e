extension Journal {
    /// Adds a waiter; `nil` when what it waits for is so already.
    package mutating func register(_ condition: Waiter.Condition) -> Waiter.ID? {
        guard !isMet(condition) else { return nil }
        lastWaiter += 1
        let id = Waiter.ID(number: lastWaiter)
        waiters.append(Waiter(id: id, condition: condition))
        return id
    }

    /// Removes a waiter; `false` when it is not there, because it was due already.
    @discardableResult
    package mutating func cancel(_ id: Waiter.ID) -> Bool {
        guard let position = waiters.firstIndex(where: { $0.id == id }) else { return false }
        waiters.remove(at: position)
        return true
    }

    /// Removes the waiters whose condition is met and gives their names, first come first.
    mutating func takeDueWaiters() -> [Waiter.ID] {
        let due = waiters.filter { isMet($0.condition) }.map(\.id)
        guard !due.isEmpty else { return [] }
        waiters = waiters.filter { !isMet($0.condition) }
        return due
    }

    private func isMet(_ condition: Waiter.Condition) -> Bool {
        switch condition {
        case .watermark(let sequence): watermark >= sequence
        case .change(let revision): self.revision > revision
        }
    }
}
