package import APNsRules

/// Elements that are due at moments of a clock, the earliest first; those due together keep the order in which they
/// were added (<doc:Architecture>, *Time*).
package struct DueQueue<Element> {
    /// Identifies an element of one queue until it is taken or removed.
    package struct Ticket: Hashable, Sendable { fileprivate let number: UInt64 }

    private struct Item: Comparable {
        let due: Instant
        let number: UInt64
        static func < (one: Item, other: Item) -> Bool { (one.due, one.number) < (other.due, other.number) }
    }

    // A removed item is never the first; others stay until they are more than half of the heap.
    private var heap = MinHeap<Item>()
    private var elements: [UInt64: Element] = [:]
    private var lastNumber: UInt64 = 0
    package init() {}
    package var count: Int { elements.count }
    /// When the next element is due.
    package var earliest: Instant? { heap.first?.due }

    /// Adds an element that is due at a moment, which may be past.
    package mutating func push(_ element: Element, at due: Instant) -> Ticket {
        lastNumber += 1
        elements[lastNumber] = element
        heap.insert(Item(due: due, number: lastNumber))
        return Ticket(number: lastNumber)
    }

    /// Removes and returns the first element that is due.
    package mutating func popDue(at now: Instant) -> Element? {
        guard let first = heap.first, first.due <= now else { return nil }
        heap.removeFirst()
        let element = elements.removeValue(forKey: first.number)
        dropRemoved()
        return element
    }

    /// Removes and returns an element; `nil` if it was taken or removed before.
    @discardableResult
    package mutating func remove(_ ticket: Ticket) -> Element? {
        guard let element = elements.removeValue(forKey: ticket.number) else { return nil }
        dropRemoved()
        return element
    }

    /// The elements in the order in which they are due.
    package var all: [(due: Instant, element: Element)] {
        heap.sorted.compactMap { item in elements[item.number].map { (item.due, $0) } }
    }

    private mutating func dropRemoved() {
        while let first = heap.first, elements[first.number] == nil { heap.removeFirst() }
        guard heap.count > 2 * elements.count else { return }
        heap.removeAll { elements[$0.number] == nil }
    }
}

extension DueQueue: Sendable where Element: Sendable {}
