internal import APNsRules

/// Every push, accepted or refused, in the order of sequence numbers, as many as the bounds allow.
///
/// A value for one lock. Whoever takes a sequence number appends an entry with it soon after, or calls
/// ``skip(_:)``; entries of other threads may come first, so readers see only numbers up to ``watermark``,
/// below which nothing can appear any more. Methods that change what readers see return the waiters that
/// are due, to be resumed when the lock is released.
package struct Journal: Sendable {
    /// Pushes without an `apns-id` of their own count as repeated within this time (`models.md`, `attempt`).
    package static let repeatWindow: Duration = .seconds(30)
    private static let repeatWindowMilliseconds = repeatWindow.wholeMilliseconds

    /// What ``append(_:)`` asks its caller to do once the lock is released.
    package struct Appended: Sendable, Equatable {
        /// Waiters to resume.
        package let due: [Waiter.ID]
        /// Whether an entry was evicted for the first time since the start or a reset, which is logged once.
        package let isFirstEviction: Bool
    }

    /// The bounds.
    package let bounds: JournalBounds
    /// What was counted.
    package internal(set) var counters = JournalCounters()
    /// The highest number below or at which every push has arrived, was skipped, or is evicted.
    package private(set) var watermark: UInt64
    /// The highest number that has arrived or was skipped.
    package private(set) var lastArrived: UInt64
    /// Which entries were changed lately.
    package private(set) var changes = RecentChanges()
    /// Grows with every change that readers can see.
    package private(set) var revision: UInt64 = 0

    var ring: EntryRing
    var index = RepeatIndex()
    // Changes of pushes that have their number and are not here yet.
    var late: [UInt64: [EntryChange]] = [:]
    var waiters: [Waiter] = []
    var lastWaiter: UInt64 = 0

    /// An empty journal whose first sequence number is the one after `lastSequence`.
    package init(bounds: JournalBounds = JournalBounds(), lastSequence: UInt64 = 0) {
        self.bounds = bounds
        self.watermark = lastSequence
        self.lastArrived = lastSequence
        self.ring = EntryRing(first: lastSequence + 1)
    }

    // MARK: - Arrival

    /// Takes a push in, sets its ``Entry/attempt``, and evicts the oldest where the bounds ask for it.
    ///
    /// The number must be above 0 and must not have arrived before.
    package mutating func append(_ entry: consuming Entry) -> Appended {
        let sequence = entry.sequence
        counters.received += 1
        counters.countAnswer(entry.status)
        if !late.isEmpty, let changes = late.removeValue(forKey: sequence) {
            for change in changes { entry.apply(change) }
        }
        let evictedBefore = counters.evicted
        if makePlace(for: sequence) {
            let tags = RepeatIndex.tags(of: entry)
            let cost = entry.cost
            entry.attempt = attempt(of: entry, tags)
            ring.insert(consume entry, tags: tags, cost: cost)
            counters.size += 1
            counters.bytes += cost
            evictBeyondBounds()
        } else {
            counters.evicted += 1
            counters.evictedThrough = max(counters.evictedThrough, sequence)
        }
        return Appended(
            due: arrived(sequence), isFirstEviction: evictedBefore == 0 && counters.evicted > 0)
    }

    /// Gives a number up that was taken and will not be used for a push.
    package mutating func skip(_ sequence: UInt64) -> [Waiter.ID] {
        if makePlace(for: sequence) {
            precondition(ring.state(sequence) == .vacant, "number \(sequence) has arrived before")
            ring.clear(sequence)
            dropRemovedFront()
        }
        return arrived(sequence)
    }

    /// Makes the ring reach to `sequence`; `false` when entries are not kept at all, or this one comes after
    /// younger ones were evicted.
    private mutating func makePlace(for sequence: UInt64) -> Bool {
        guard bounds.entriesMax > 0, sequence >= ring.first else { return false }
        let spanMax = bounds.spanMax
        while sequence - ring.first >= spanMax, !ring.sequences.isEmpty { evictFirst() }
        if sequence - ring.first >= spanMax { ring.jump(to: sequence) }
        ring.extend(to: sequence)
        return true
    }

    private mutating func arrived(_ sequence: UInt64) -> [Waiter.ID] {
        lastArrived = max(lastArrived, sequence)
        if bounds.entriesMax == 0 {
            watermark = lastArrived
        } else {
            watermark = max(watermark, ring.first - 1)
            while watermark + 1 < ring.end, ring.state(watermark + 1) != .vacant { watermark += 1 }
        }
        return changed()
    }

    private mutating func changed() -> [Waiter.ID] {
        revision += 1
        return waiters.isEmpty ? [] : takeDueWaiters()
    }

    // MARK: - Change and removal

    /// Changes an entry: a late answer, a delivery.
    ///
    /// `nil` when it is not retained any more; see ``countLateAnswer(_:)``.
    ///
    /// The change must leave what entries are found by alone: sequence, id, token and bytes.
    package mutating func update(_ sequence: UInt64, _ change: (inout Entry) -> Void) -> [Waiter.ID]? {
        guard ring.sequences.contains(sequence), ring.state(sequence) == .retained else { return nil }
        counters.bytes -= ring.cost(sequence)
        var (before, after): (Int16?, Int16?) = (nil, nil)
        ring.update(sequence) { entry in
            before = entry.status
            change(&entry)
            after = entry.status
        }
        counters.uncountAnswer(before)
        counters.countAnswer(after)
        counters.bytes += ring.cost(sequence)
        changes.note(sequence)
        evictBeyondBounds()
        return changed()
    }

    /// Counts the answer to a push that is not retained any more.
    package mutating func countLateAnswer(_ status: Int) {
        counters.countAnswer(Int16(status))
    }

    /// Removes entries, which is not evicting: a cursor below them stays good.
    ///
    /// Numbers not retained are ignored.
    package mutating func remove(_ sequences: some Sequence<UInt64>) -> (removed: Int, due: [Waiter.ID]) {
        var removed = 0
        var hidOlder = false
        for sequence in sequences where ring.sequences.contains(sequence) {
            guard let entry = ring.entry(sequence) else { continue }
            forget(sequence)
            ring.clear(sequence)
            hidOlder = hidOlder || entry.attempt > 1
            removed += 1
        }
        guard removed > 0 else { return (0, []) }
        changes.noteRemoval()
        counters.removed += UInt64(removed)
        dropRemovedFront()
        // An older entry with the same id was hidden by the one that went.
        if hidOlder { rebuildIndex() }
        return (removed, changed())
    }

    /// Removes everything and counts from zero; sequence numbers go on, and pushes on their way still arrive.
    package mutating func reset() -> (removed: Int, due: [Waiter.ID]) {
        let removed = counters.size
        var next = ring.first
        while let sequence = ring.nextRetained(from: next) {
            ring.clear(sequence)
            next = sequence + 1
        }
        index = RepeatIndex()
        dropRemovedFront()
        counters = JournalCounters()
        changes.noteRemoval()
        return (removed, changed())
    }

    private mutating func evictBeyondBounds() {
        while counters.size > bounds.entriesMax || counters.bytes > bounds.bytesMax { evictFirst() }
    }

    private mutating func evictFirst() {
        let sequence = ring.first
        if ring.state(sequence) == .retained {
            forget(sequence)
            counters.evicted += 1
            counters.evictedThrough = sequence
        }
        ring.removeFirst()
        watermark = max(watermark, sequence)
        dropRemovedFront()
    }

    private mutating func forget(_ sequence: UInt64) {
        counters.size -= 1
        counters.bytes -= ring.cost(sequence)
        let tags = ring.tags(sequence)
        let low = UInt32(truncatingIfNeeded: sequence)
        index.remove(tags.id, low)
        index.remove(tags.content, low)
    }

    private mutating func dropRemovedFront() {
        while !ring.sequences.isEmpty, ring.state(ring.first) == .removed { ring.removeFirst() }
    }

    // MARK: - Attempts

    /// The number of this attempt; makes the index point to the newest of its key.
    private mutating func attempt(of entry: borrowing Entry, _ tags: RepeatIndex.Tags) -> Int32 {
        let byID = note(entry, tags.id) { previous, entry in previous.notificationID == entry.notificationID }
        guard !entry.hasOwnID else {
            guard let byID else { return 1 }
            return byID.hasOwnID ? follow(byID, entry) : 2
        }
        guard tags.content != 0 else { return 1 }
        let byContent = note(entry, tags.content) { previous, entry in
            !previous.hasOwnID && previous.token == entry.token && Entry.haveEqualBodies(previous, entry)
        }
        guard let byContent,
            abs(entry.receivedAt.milliseconds - byContent.receivedAt.milliseconds) <= Journal.repeatWindowMilliseconds
        else { return 1 }
        return follow(byContent, entry)
    }

    /// The number of the attempt after `previous`, or, when that one is younger and overtook this one on its
    /// way, the number it had, and it gets the next.
    private mutating func follow(_ previous: Earlier, _ entry: borrowing Entry) -> Int32 {
        guard previous.sequence > entry.sequence else { return previous.attempt + 1 }
        ring.update(previous.sequence) { $0.attempt += 1 }
        return previous.attempt
    }

    /// What of an earlier attempt its successor's number depends on.
    private struct Earlier {
        let sequence: UInt64
        let receivedAt: Instant
        let attempt: Int32
        let hasOwnID: Bool

        init(_ entry: borrowing Entry) {
            sequence = entry.sequence
            receivedAt = entry.receivedAt
            attempt = entry.attempt
            hasOwnID = entry.hasOwnID
        }
    }

    /// The entry that had the key before, or `nil`; the younger of the two has it from now on.
    private mutating func note(
        _ entry: borrowing Entry, _ tag: UInt32, _ isSame: (borrowing Entry, borrowing Entry) -> Bool
    ) -> Earlier? {
        let low = UInt32(truncatingIfNeeded: entry.sequence)
        var found: Earlier?
        let position = index.find(tag) { candidate in
            found = ring.peek(fullSequence(candidate)) { isSame($0, entry) ? Earlier($0) : nil } ?? nil
            return found != nil
        }
        guard let position, let found else {
            index.insert(tag, low)
            return nil
        }
        if found.sequence < entry.sequence { index.point(position, to: low) }
        return found
    }

    /// The sequence number in the ring whose low bits these are.
    func fullSequence(_ low: UInt32) -> UInt64 {
        ring.first + UInt64(low &- UInt32(truncatingIfNeeded: ring.first))
    }

    private mutating func rebuildIndex() {
        index = RepeatIndex()
        var next = ring.first
        while let sequence = ring.nextRetained(from: next) {
            if let entry = ring.entry(sequence) { _ = attempt(of: entry, ring.tags(sequence)) }
            next = sequence + 1
        }
    }
}

extension Entry {
    /// Whether two entries have the same body, byte for byte.
    fileprivate static func haveEqualBodies(_ left: borrowing Entry, _ right: borrowing Entry) -> Bool {
        let leftStart = Int(left.headerByteCount)
        let rightStart = Int(right.headerByteCount)
        let count = left.bytes.count - leftStart
        guard right.bytes.count - rightStart == count else { return false }
        let leftBytes = left.bytes.span.extracting(leftStart...)
        let rightBytes = right.bytes.span.extracting(rightStart...)
        return equal(leftBytes, rightBytes)
    }

    /// Whether two runs of bytes are the same.
    ///
    /// Looks for a difference once in a while only: a loop without an exit compares a vector at a time, which at 4096
    /// bytes is twenty times as fast, and a provider that repeats itself is asked this on every push.
    private static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        var start = 0
        while start < left.count {
            let end = min(start + 256, left.count)
            var difference: UInt8 = 0
            for offset in start..<end { difference |= left[offset] ^ right[offset] }
            guard difference == 0 else { return false }
            start = end
        }
        return true
    }
}
