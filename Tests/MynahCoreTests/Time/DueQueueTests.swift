import APNsRules
import MynahCore
import Testing

struct DueQueueTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

    @Test("elements are due by time, then in the order of their addition")
    func order() {
        var queue = DueQueue<String>()
        for (name, due) in [("c", 30), ("a", 10), ("d", 30), ("b", 20)] as [(String, Int64)] {
            _ = queue.push(name, at: at(due))
        }
        #expect(queue.earliest == at(10))
        #expect(queue.popDue(at: at(9)) == nil)
        var taken: [String] = []
        while let name = queue.popDue(at: at(30)) { taken.append(name) }
        #expect(taken == ["a", "b", "c", "d"])
        #expect(queue.earliest == nil)
        #expect(queue.count == 0)
    }

    @Test("a removed element is never due, and is removed once")
    func removal() {
        var queue = DueQueue<String>()
        let first = queue.push("a", at: at(1))
        let second = queue.push("b", at: at(2))
        #expect(queue.remove(first) == "a")
        #expect(queue.remove(first) == nil)
        #expect(queue.earliest == at(2))
        #expect(queue.popDue(at: at(5)) == "b")
        #expect(queue.remove(second) == nil)
        #expect(queue.popDue(at: at(5)) == nil)
    }

    @Test("an element with a past time is due at once")
    func past() {
        var queue = DueQueue<Int>()
        _ = queue.push(1, at: at(-100))
        #expect(queue.popDue(at: at(0)) == 1)
    }

    @Test("random operations do what a sorted list does", arguments: 1...20)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = DueQueue<Int>()
        var model: [(due: Int64, number: Int, ticket: DueQueue<Int>.Ticket)] = []
        for number in 0..<400 {
            switch random.next() % 4 {
            case 0, 1:
                let due = Int64(random.next() % 50)
                model.append((due, number, queue.push(number, at: at(due))))
            case 2 where !model.isEmpty:
                let item = model.remove(at: Int(random.next() % UInt64(model.count)))
                #expect(queue.remove(item.ticket) == item.number)
            default:
                let now = Int64(random.next() % 50)
                let first = model.min { ($0.due, $0.number) < ($1.due, $1.number) }
                let expected = first.flatMap { $0.due <= now ? $0.number : nil }
                #expect(queue.popDue(at: at(now)) == expected)
                model.removeAll { $0.number == expected }
            }
            #expect(queue.count == model.count)
            #expect(queue.earliest == model.map(\.due).min().map { at($0) })
        }
    }
}
