internal import APNsRules

/// Every push, accepted or refused, in the order of sequence numbers, as many as the bounds allow.
///
/// A value for one lock. Whoever takes a sequence number appends an entry with it soon after, or calls
/// ``skip(_:)``; entries of other threads may come first, so readers see only numbers up to ``watermark``,
/// below which nothing can appear any more. Methods that change what readers see return the waiters that
/// are due, to be resumed when the lock is released.
package struct Journal: Sendable {
    /// The longest time between a push and one that repeats its token and body (`Documents`, `repeats`).
    package static let repeatWindow: Duration = .seconds(30)

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
    /// Grows with every removal; evicting is none.
    package private(set) var removalCount: UInt64 = 0

    var ring: EntryRing
    var index = NotificationIDIndex()
    // Filled when the journal is read, so that an append pays nothing for it.
    private var repeats = RepeatIndex()
    // The `repeats` of the entries up to this number is known.
    private var repeatsKnownThrough: UInt64 = 0
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
            let cost = entry.cost
            entry.attempt = attempt(of: entry)
            ring.insert(consume entry, cost: cost)
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
        counters.removed += UInt64(removed)
        dropRemovedFront()
        // An older entry with the same id was hidden by the one that went.
        if hidOlder { rebuildIndex() }
        noteRemoval()
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
        index = NotificationIDIndex()
        dropRemovedFront()
        counters = JournalCounters()
        noteRemoval()
        return (removed, changed())
    }

    private mutating func noteRemoval() {
        removalCount += 1
        changes.noteRemoval()
        // What went may be what another push was said to repeat.
        repeats = RepeatIndex()
        repeatsKnownThrough = 0
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
        guard let tag = ring.peek(sequence, { NotificationIDIndex.tag(of: $0.notificationID) }) else { return }
        index.remove(tag, UInt32(truncatingIfNeeded: sequence))
    }

    private mutating func dropRemovedFront() {
        while !ring.sequences.isEmpty, ring.state(ring.first) == .removed { ring.removeFirst() }
    }

    // MARK: - Attempts

    /// Counts the attempt that an entry is, and makes the index point to the newest entry of its id.
    private mutating func attempt(of entry: borrowing Entry) -> Int32 {
        let tag = NotificationIDIndex.tag(of: entry.notificationID)
        let low = UInt32(truncatingIfNeeded: entry.sequence)
        var found: (sequence: UInt64, attempt: Int32)?
        let position = index.find(tag) { candidate in
            found =
                ring.peek(fullSequence(candidate)) {
                    $0.notificationID == entry.notificationID ? ($0.sequence, $0.attempt) : nil
                } ?? nil
            return found != nil
        }
        guard let position, let found else {
            index.insert(tag, low)
            return 1
        }
        if found.sequence < entry.sequence { index.point(position, to: low) }
        guard entry.hasOwnID else { return 1 }
        guard found.sequence > entry.sequence else { return found.attempt + 1 }
        // The later attempt arrived first.
        ring.update(found.sequence) { $0.attempt += 1 }
        return found.attempt
    }

    /// The sequence number in the ring whose low bits these are.
    func fullSequence(_ low: UInt32) -> UInt64 {
        ring.first + UInt64(low &- UInt32(truncatingIfNeeded: ring.first))
    }

    private mutating func rebuildIndex() {
        index = NotificationIDIndex()
        var next = ring.first
        while let sequence = ring.nextRetained(from: next) {
            if let entry = ring.entry(sequence) { _ = attempt(of: entry) }
            next = sequence + 1
        }
    }

    // MARK: - Repeats

    /// Sets ``Entry/repeats`` of at most `countMax` entries up to ``watermark``, the oldest for which it is not known
    /// yet; whether it is known of all then.
    ///
    /// To be called before entries are read. Each entry costs a hash of its body once, until a removal begins it anew.
    package mutating func findRepeats(countMax: Int) -> Bool {
        if repeats.count > 2 * counters.size + countMax { repeats.forget(before: ring.first) }
        for _ in 0..<countMax {
            guard let sequence = ring.nextRetained(from: repeatsKnownThrough + 1), sequence <= watermark else {
                repeatsKnownThrough = watermark
                return true
            }
            findRepeat(sequence)
            repeatsKnownThrough = sequence
        }
        return false
    }

    /// How many bodies are remembered to find repeats.
    var repeatKeyCount: Int { repeats.count }

    private mutating func findRepeat(_ sequence: UInt64) {
        guard let (key, known) = ring.peek(sequence, { (RepeatIndex.key(of: $0), $0.repeats) }) else { return }
        var found = key.flatMap { repeats.note($0, sequence) }
        if let earlier = found.flatMap({ ring.entry($0) }), let entry = ring.entry(sequence) {
            let time = entry.receivedAt.since(earlier.receivedAt)
            let isRepeat = abs(time.wholeMilliseconds) <= Journal.repeatWindow.wholeMilliseconds
            if !isRepeat || !Entry.haveEqualContent(earlier, entry) { found = nil }
        } else {
            found = nil
        }
        if found != known { ring.update(sequence) { $0.repeats = found } }
    }
}

extension Entry {
    /// Whether two entries have the same token and the same body, byte for byte.
    fileprivate static func haveEqualContent(_ left: borrowing Entry, _ right: borrowing Entry) -> Bool {
        guard left.token == right.token, left.bodyByteCount == right.bodyByteCount else { return false }
        return left.body.elementsEqual(right.body)
    }
}
