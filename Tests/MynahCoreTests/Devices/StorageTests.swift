import APNsRules
import Testing

@testable import MynahCore

@Suite("The storage of devices")
struct StorageTests {
    private struct Thing: SlabElement {
        var value: Int
        static var vacant: Thing { Thing(value: -1) }
    }

    @Test("an index agrees with a dictionary after any insertions and removals", arguments: 0..<6)
    func indexAgreesWithADictionary(round: UInt64) throws {
        var random = SeededGenerator(seed: 0x1D_0000 + round)
        var index = HashIndex(capacity: 16, usedQuartersMax: 3)
        var expected: [Int32: UInt32] = [:]
        for step in 0..<3000 {
            let slot = Int32.random(in: 0..<400, using: &random)
            if let tag = expected.removeValue(forKey: slot) {
                index.remove(tag, UInt32(slot))
            } else {
                // Few tags, so that runs are long and wrap around.
                let tag = UInt32.random(in: 1...20, using: &random) &* (round % 2 == 0 ? 1 : 0xFFFF_FFFB)
                index.insert(tag, UInt32(slot))
                expected[slot] = tag
            }
            try #require(index.count == expected.count)
            guard step % 50 == 0 else { continue }
            for slot in Int32(0)..<400 {
                for tag in Set(expected.values) {
                    try #require((index.find(tag) { $0 == UInt32(slot) } != nil) == (expected[slot] == tag))
                }
            }
        }
    }

    @Test("places of removed elements are reused and other elements don't move")
    func placesAreUsedAgain() {
        var slots = Slab<Thing>()
        let places = (0..<1000).map { slots.insert(Thing(value: $0)) }
        #expect(places == Array(0..<1000))
        for place in stride(from: Int32(0), to: 1000, by: 3) { slots.remove(place) }
        #expect(slots.places == (Int32(0)..<1000).filter { $0 % 3 != 0 })
        let again = (0..<334).map { slots.insert(Thing(value: 5000 + $0)) }
        #expect(Set(again) == Set(stride(from: Int32(0), to: 1000, by: 3)))
        #expect(slots.end == 1000)
        for place in Int32(0)..<1000 where place % 3 != 0 { #expect(slots[place].value == Int(place)) }
    }

    @Test("a heap returns the least element first after any removals")
    func heapGivesTheLeastFirst() {
        var random = SeededGenerator(seed: 5)
        var heap = MinHeap<Int>()
        let numbers = (0..<500).map { _ in Int.random(in: 0..<200, using: &random) }
        for number in numbers { heap.insert(number) }
        heap.removeAll { $0 % 7 == 3 }
        var taken: [Int] = []
        while let first = heap.first {
            taken.append(first)
            heap.removeFirst()
        }
        #expect(taken == numbers.filter { $0 % 7 != 3 }.sorted())
    }

    @Test("an inbox keeps the newest in order and counts dropped ones", arguments: [1, 2, 3, 10], [0, 1, 2, 3, 9, 25])
    func inboxKeepsTheNewest(limit: Int, count: Int) {
        var inbox = Inbox()
        for number in 0..<count {
            inbox.append(UInt64(number + 1), at: Instant(milliseconds: Int64(number)), limit: limit)
        }
        let kept = Array((0..<count).suffix(limit))
        #expect(inbox.items.map(\.sequence) == kept.map { UInt64($0 + 1) })
        #expect(inbox.count == kept.count)
        #expect(inbox.dropped == UInt64(count - kept.count))
    }

    @Test("what every device and registration has stays small")
    func whatEveryDeviceHasStaysSmall() {
        // With the two indexes, a named device with one app must fit in 200 bytes (architecture, performance table).
        #expect(MemoryLayout<Device>.stride <= 80)
        #expect(MemoryLayout<Registration>.stride <= 72)
    }
}
