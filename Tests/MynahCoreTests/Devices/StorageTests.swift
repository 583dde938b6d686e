import APNsRules
import Testing

@testable import MynahCore

@Suite("Where devices are kept")
struct StorageTests {
    private struct Thing: Slotted {
        var value: Int
        var nextSlot: Int32 = -1
        static func vacant(next: Int32) -> Thing { Thing(value: -1, nextSlot: next) }
    }

    @Test("an index agrees with a dictionary whatever is put in and taken out", arguments: 0..<6)
    func indexAgreesWithADictionary(round: UInt64) throws {
        var random = SeededGenerator(seed: 0x1D_0000 + round)
        var index = SlotIndex()
        var expected: [Int32: UInt32] = [:]
        for step in 0..<3000 {
            let slot = Int32.random(in: 0..<400, using: &random)
            if let tag = expected.removeValue(forKey: slot) {
                index.remove(tag, slot)
            } else {
                // Few tags, so that runs are long and wrap around.
                let tag = UInt32.random(in: 0..<20, using: &random) &* (round % 2 == 0 ? 1 : 0xFFFF_FFFB)
                index.insert(tag, slot)
                expected[slot] = tag
            }
            try #require(index.count == expected.count)
            guard step % 50 == 0 else { continue }
            for slot in Int32(0)..<400 {
                for tag in Set(expected.values) {
                    try #require((index.find(tag) { $0 == slot } != nil) == (expected[slot] == tag))
                }
            }
        }
    }

    @Test("places of removed elements are used again and others stay where they are")
    func placesAreUsedAgain() {
        var slots = Slots<Thing>()
        let places = (0..<1000).map { slots.insert(Thing(value: $0)) }
        #expect(places == Array(0..<1000))
        for place in stride(from: Int32(0), to: 1000, by: 3) { slots.remove(place) }
        let again = (0..<334).map { slots.insert(Thing(value: 5000 + $0)) }
        #expect(Set(again) == Set(stride(from: Int32(0), to: 1000, by: 3)))
        #expect(slots.end == 1000)
        for place in Int32(0)..<1000 where place % 3 != 0 { #expect(slots[place].value == Int(place)) }
    }

    @Test("a heap gives the earliest first")
    func heapGivesTheEarliestFirst() {
        var random = SeededGenerator(seed: 5)
        var heap = DueHeap()
        var times: [Int64] = []
        for device in Int32(0)..<500 {
            let time = Int64.random(in: 0..<200, using: &random)
            times.append(time)
            heap.insert(DueHeap.Item(at: Instant(milliseconds: time), device: device))
        }
        heap.rebuild((0..<500).map { DueHeap.Item(at: Instant(milliseconds: times[$0]), device: Int32($0)) })
        var taken: [Int64] = []
        while let first = heap.first {
            taken.append(first.at.milliseconds)
            heap.removeFirst()
        }
        #expect(taken == times.sorted())
    }

    @Test("an inbox keeps the newest in order and counts the others", arguments: [1, 2, 3, 10], [0, 1, 2, 3, 9, 25])
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
