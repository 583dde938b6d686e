extension Journal {
    /// What should be so and is not, a sentence each; for tests.
    package func brokenInvariants() -> [String] {
        var broken: [String] = []
        var size = 0
        var bytes = 0
        for sequence in ring.sequences {
            guard case .entry(let entry, let tags) = ring[sequence] else { continue }
            size += 1
            bytes += entry.cost
            if entry.sequence != sequence { broken.append("entry \(entry.sequence) lies at \(sequence)") }
            if RepeatIndex.tags(of: entry) != tags { broken.append("the tags of \(sequence) have changed") }
            guard let newest = newestEntry(entry.notificationID) else {
                broken.append("\(sequence) is not found by its id")
                continue
            }
            if newest.sequence < sequence {
                broken.append("\(sequence) is newer than \(newest.sequence), found by its id")
            }
        }
        if size != counters.size { broken.append("\(size) entries, counted \(counters.size)") }
        if bytes != counters.bytes { broken.append("\(bytes) bytes, counted \(counters.bytes)") }
        if UInt64(size) + counters.evicted + counters.removed != counters.received {
            broken.append("retained, evicted and removed do not make up \(counters.received) received")
        }
        if counters.accepted + counters.refused > counters.received { broken.append("more answers than pushes") }
        if size > bounds.entriesMax || bytes > bounds.bytesMax { broken.append("the bounds are exceeded") }
        if UInt64(ring.sequences.count) > bounds.spanMax { broken.append("the ring spans too much") }
        if let first = ring.sequences.first, case .removed = ring[first] {
            broken.append("the ring begins with a removed one")
        }
        if watermark + 1 < ring.first { broken.append("the watermark lies before the ring") }
        if ring.sequences.contains(watermark + 1), !ring.isVacant(watermark + 1) {
            broken.append("the watermark stops before \(watermark + 1), which has arrived")
        }
        for sequence in ring.sequences where sequence <= watermark && ring.isVacant(sequence) {
            broken.append("\(sequence) is awaited, below the watermark")
        }
        let keys = index.keys
        if keys.count != index.count { broken.append("\(keys.count) keys, counted \(index.count)") }
        for key in keys {
            guard case .entry(_, let tags)? = slot(key.sequence), tags.id == key.tag || tags.content == key.tag else {
                broken.append("a key points to \(fullSequence(key.sequence)), which does not have it")
                continue
            }
        }
        for waiter in waiters {
            if case .watermark(let sequence) = waiter.condition, sequence <= watermark {
                broken.append("a waiter for \(sequence) was forgotten")
            }
        }
        return broken
    }

    private func slot(_ low: UInt32) -> EntryRing.Slot? {
        let sequence = fullSequence(low)
        return ring.sequences.contains(sequence) ? ring[sequence] : nil
    }
}
