extension Journal {
    /// What should be so and is not, a sentence each; for tests.
    package func brokenInvariants() -> [String] {
        var broken: [String] = []
        var size = 0
        var bytes = 0
        for sequence in ring.sequences {
            let isRetained = ring.state(sequence) == .retained
            if isRetained != (ring.entry(sequence) != nil) { broken.append("the state of \(sequence) is wrong") }
            guard let entry = ring.entry(sequence) else { continue }
            size += 1
            bytes += entry.cost
            if entry.sequence != sequence { broken.append("entry \(entry.sequence) lies at \(sequence)") }
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
        if let first = ring.sequences.first, ring.state(first) == .removed {
            broken.append("the ring begins with a removed one")
        }
        if watermark + 1 < ring.first { broken.append("the watermark lies before the ring") }
        if ring.sequences.contains(watermark + 1), ring.state(watermark + 1) != .vacant {
            broken.append("the watermark stops before \(watermark + 1), which has arrived")
        }
        for sequence in ring.sequences where sequence <= watermark && ring.state(sequence) == .vacant {
            broken.append("\(sequence) is awaited, below the watermark")
        }
        let keys = index.keys
        if keys.count != index.count { broken.append("\(keys.count) keys, counted \(index.count)") }
        for key in keys {
            let sequence = fullSequence(key.sequence)
            guard let entry = ring.entry(sequence) else {
                broken.append("a key points to \(sequence), which is not there")
                continue
            }
            if NotificationIDIndex.tag(of: entry.notificationID) != key.tag {
                broken.append("a key points to \(sequence), which does not have it")
            }
        }
        for waiter in waiters {
            if case .watermark(let sequence) = waiter.condition, sequence <= watermark {
                broken.append("a waiter for \(sequence) was forgotten")
            }
        }
        return broken
    }
}
