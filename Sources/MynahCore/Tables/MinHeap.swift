/// A binary heap: ``first`` is a least element.
struct MinHeap<Element: Comparable> {
    private var elements: [Element] = []
    var count: Int { elements.count }
    var first: Element? { elements.first }
    var sorted: [Element] { elements.sorted() }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        elements.swapAt(0, elements.count - 1)
        elements.removeLast()
        sink(0)
    }

    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        elements.removeAll(where: isRemoved)
        for parent in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(parent) }
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < elements.count && elements[child] < elements[least] {
                least = child
            }
            guard least != parent else { return }
            elements.swapAt(parent, least)
            parent = least
        }
    }
}

extension MinHeap: Sendable where Element: Sendable {}
