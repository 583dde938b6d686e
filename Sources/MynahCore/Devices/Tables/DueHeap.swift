internal import APNsRules

/// The devices of one scope that have something due; kept only while there are any.
struct ScopeDues: Sendable {
    /// When each is due.
    var heap = DueHeap()
    /// How many devices there are.
    var deviceCount = 0
}

/// Which device has something due next, on one clock.
///
/// A binary heap. A device that changes its mind is pushed again and its older item stays; whoever takes an item asks
/// the device whether that is still its time. ``rebuild(_:)`` bounds how many such items there are.
struct DueHeap: Sendable {
    /// A moment and the place of the device.
    struct Item: Sendable, Equatable {
        let at: Instant
        let device: Int32
    }

    private var items: [Item] = []

    /// Nothing due.
    init() {}

    /// How many items, outdated ones included.
    var count: Int { items.count }

    /// The earliest item.
    var first: Item? { items.first }

    mutating func insert(_ item: Item) {
        items.append(item)
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard items[child].at < items[parent].at else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the earliest item.
    mutating func removeFirst() {
        let last = items.removeLast()
        guard !items.isEmpty else { return }
        items[0] = last
        sink(0)
    }

    /// Replaces all items.
    mutating func rebuild(_ items: [Item]) {
        self.items = items
        for parent in stride(from: items.count / 2 - 1, through: 0, by: -1) { sink(parent) }
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && items[child].at < items[least].at {
                least = child
            }
            guard least != parent else { return }
            items.swapAt(parent, least)
            parent = least
        }
    }
}
