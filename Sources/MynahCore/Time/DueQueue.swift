package import APNsRules

/// What is to happen at which moment of a clock, the earliest first; what falls due together keeps the order in
/// which it was added (`architecture.md`, *Time is asked, not announced*).
///
/// Adding and taking cost the logarithm of the count. Removing marks an item, which leaves when its turn comes or when
/// the marked ones are more than half.
package struct DueQueue<Element> {
    /// Names an item of one queue until it is taken or removed.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Item {
        let due: Instant
        let number: UInt64

        static func < (one: Item, other: Item) -> Bool {
            one.due == other.due ? one.number < other.number : one.due < other.due
        }
    }

    // A binary heap whose first item is never a removed one.
    private var heap: [Item] = []
    private var elements: [UInt64: Element] = [:]
    private var lastNumber: UInt64 = 0

    /// An empty queue.
    package init() {}

    /// How many items wait.
    package var count: Int { elements.count }

    /// When the next item is due; `nil` when there is none.
    package var earliest: Instant? { heap.first?.due }

    /// Adds an element that is due at a moment, which may be past.
    package mutating func push(_ element: Element, at due: Instant) -> Ticket {
        lastNumber += 1
        elements[lastNumber] = element
        heap.append(Item(due: due, number: lastNumber))
        siftUp(heap.count - 1)
        return Ticket(number: lastNumber)
    }

    /// Takes out the first element that is due; `nil` when none is.
    package mutating func popDue(at now: Instant) -> Element? {
        guard let first = heap.first, first.due <= now else { return nil }
        let element = elements.removeValue(forKey: first.number)
        removeFirst()
        dropRemoved()
        return element
    }

    /// Removes an item; `nil` when it was taken or removed before.
    @discardableResult
    package mutating func remove(_ ticket: Ticket) -> Element? {
        guard let element = elements.removeValue(forKey: ticket.number) else { return nil }
        dropRemoved()
        return element
    }

    private mutating func dropRemoved() {
        while let first = heap.first, elements[first.number] == nil { removeFirst() }
        guard heap.count > 2 * elements.count else { return }
        heap = heap.filter { elements[$0.number] != nil }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index] < heap[parent] else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}

extension DueQueue: Sendable where Element: Sendable {}
