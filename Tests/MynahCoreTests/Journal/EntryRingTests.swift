import APNsRules
import Testing

@testable import MynahCore

@Suite("The ring of entries")
struct EntryRingTests {
    private func insert(_ sequence: UInt64, _ ring: inout EntryRing) {
        let entry = Entry.made(sequence)
        ring.insert(entry, cost: entry.cost)
    }

    @Test("the numbers of events cost almost nothing, and don't evict an old push")
    func packs() {
        var ring = EntryRing(first: 1)
        for sequence in UInt64(1)...100_000 {
            ring.extend(to: sequence)
            if sequence == 1 || sequence % 5000 == 0 { insert(sequence, &ring) } else { ring.clear(sequence) }
        }
        #expect(ring.slotCount < 300)
        #expect(ring.entry(1)?.sequence == 1)
        #expect(ring.nextRetained(from: 2) == 5000)
        #expect(ring.lastRetained(before: 5000) == 1)
        #expect(ring.entry(4999) == nil)
        #expect(ring.state(4999) == .removed)
    }

    @Test("a chunk is packed, and packed again, after removals")
    func packsLater() {
        var ring = EntryRing(first: 1)
        for sequence in UInt64(1)...2560 {
            ring.extend(to: sequence)
            insert(sequence, &ring)
        }
        #expect(ring.slotCount == 2560)
        for sequence in UInt64(1)...2560 where sequence % 8 != 0 { ring.clear(sequence) }
        #expect(ring.slotCount <= 640)
        ring.update(16) { $0.attempt = 7 }
        #expect(ring.entry(16)?.attempt == 7)
        #expect(ring.nextRetained(from: 1) == 8)
        while !ring.sequences.isEmpty { ring.removeFirst() }
        #expect(ring.slotCount == 0)
    }

    @Test("a ring agrees with a dictionary", arguments: UInt64(1)...40)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ring = EntryRing(first: 1)
        var states: [UInt64: EntryRing.State] = [:]
        let removing = Int.random(in: 1...9, using: &random)
        for _ in 0..<3000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let sequence = ring.end + UInt64.random(in: 0...2, using: &random)
                for vacant in ring.end...sequence { states[vacant] = .vacant }
                ring.extend(to: sequence)
            case 6:
                guard !ring.sequences.isEmpty, Int.random(in: 0..<10, using: &random) < removing else { break }
                states[ring.first] = nil
                ring.removeFirst()
            default: break
            }
            // Settles some number near the end, or removes one anywhere.
            guard !ring.sequences.isEmpty else { continue }
            let low = max(ring.first, ring.end > 600 ? ring.end - 600 : ring.first)
            let near = UInt64.random(in: low..<ring.end, using: &random)
            if states[near] == .vacant {
                if Int.random(in: 0..<10, using: &random) < removing {
                    ring.clear(near)
                    states[near] = .removed
                } else {
                    insert(near, &ring)
                    states[near] = .retained
                }
            }
            let any = UInt64.random(in: ring.sequences, using: &random)
            if states[any] != .vacant {
                ring.clear(any)
                states[any] = .removed
            }
        }
        // The rest settles, so that most chunks are packed.
        for sequence in ring.sequences where states[sequence] == .vacant {
            ring.clear(sequence)
            states[sequence] = .removed
        }
        let retained = states.filter { $0.value == .retained }.keys.sorted()
        for sequence in ring.sequences {
            #expect(ring.state(sequence) == states[sequence])
            #expect(ring.entry(sequence)?.sequence == (states[sequence] == .retained ? sequence : nil))
            #expect(ring.nextRetained(from: sequence) == retained.first { $0 >= sequence })
            #expect(ring.lastRetained(before: sequence) == retained.last { $0 < sequence })
            #expect(ring.retainedCount(from: sequence) == retained.count { $0 >= sequence })
        }
    }
}
