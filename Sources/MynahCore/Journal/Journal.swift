package import APNsRules

/// Every push, accepted or refused, in the order of sequence numbers, as many as the bounds allow.
///
/// One lock protects it. A sequence number that was taken is soon followed by ``append(_:)`` or ``skip(_:)``; entries of
/// other threads may come first, so readers see only numbers up to ``watermark``, below which nothing more can appear.
/// Methods that change what readers see return the waiters that are due, to be resumed when the lock is released.
package struct Journal: Sendable {
    package let bounds: JournalBounds
    package private(set) var counters = JournalCounters()
    /// The highest number up to which every push has arrived, was skipped, or is evicted.
    package private(set) var watermark: UInt64
    // The highest number that has arrived or was skipped.
    private var lastArrived: UInt64
    // The highest number that had come before the last reset: answers to those pushes aren't counted.
    private var resetThrough: UInt64 = 0
    package private(set) var changes = RecentChanges()
    /// A count of changes that readers can see.
    package private(set) var revision: UInt64 = 0
    /// Grows with every removal; an eviction is not one.
    package private(set) var removalCount: UInt64 = 0

    private var ring: EntryRing
    private var attempts = Attempts()
    private var repeats = Repeats()
    private var waiters = Waiters()
    // Changes of pushes that have a number but have not arrived yet.
    private var changesToCome: [UInt64: [EntryChange]] = [:]

    /// Makes an empty journal whose first sequence number is the one after `lastSequence`.
    package init(bounds: JournalBounds = JournalBounds(), lastSequence: UInt64 = 0) {
        self.bounds = bounds
        watermark = lastSequence
        lastArrived = lastSequence
        ring = EntryRing(first: lastSequence + 1)
    }

    // MARK: - Arrival

    /// Takes a push in, sets its ``Entry/attempt``, and evicts the oldest where the bounds ask for it; the number must
    /// be above 0 and new, and the first eviction since the start or a reset is returned because it is logged.
    package mutating func append(_ entry: consuming Entry) -> (due: [Waiter.ID], isFirstEviction: Bool) {
        let sequence = entry.sequence
        counters.received += 1
        counters.countAnswer(entry.status)
        if !changesToCome.isEmpty, let changes = changesToCome.removeValue(forKey: sequence) {
            for change in changes { entry.apply(change) }
        }
        let evictedBefore = counters.evicted
        if makePlace(for: sequence) {
            let cost = entry.cost
            entry.attempt = attempts.recordAttempt(entry, in: &ring)
            ring.insert(consume entry, cost: cost)
            counters.size += 1
            counters.bytes += cost
            evictBeyondBounds()
        } else {
            counters.evicted += 1
            counters.evictedThrough = max(counters.evictedThrough, sequence)
        }
        return (arrived(sequence), isFirstEviction: evictedBefore == 0 && counters.evicted > 0)
    }

    /// Gives up a number that will not be used for a push.
    package mutating func skip(_ sequence: UInt64) -> [Waiter.ID] {
        if makePlace(for: sequence) {
            precondition(ring.state(sequence) == .vacant, "number \(sequence) has arrived before")
            ring.clear(sequence)
            dropRemovedFront()
        }
        return arrived(sequence)
    }

    /// Gives up all numbers up to `last` that have not arrived, because they will not be used any more.
    package mutating func skipMissing(through last: UInt64) {
        for sequence in watermark + 1..<max(watermark, last) + 1
        where !ring.sequences.contains(sequence) || ring.state(sequence) == .vacant {
            _ = skip(sequence)
        }
    }

    // Makes the ring reach to `sequence`; `false` when entries are not kept at all, or this one comes after younger
    // ones were evicted.
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

    /// The waiters for a change, to be woken so that they see that the server has ended.
    package mutating func waitersAtEnd() -> [Waiter.ID] { changed() }

    private mutating func changed() -> [Waiter.ID] {
        revision += 1
        return waiters.isEmpty ? [] : waiters.takeDue(watermark: watermark, revision: revision)
    }

    // MARK: - Change and removal

    /// Changes an entry, except for what entries are found by (sequence, id, token and bytes); `nil` if it is no longer
    /// retained (see ``countLateAnswer(_:to:)``).
    package mutating func update(_ sequence: UInt64, _ change: (inout Entry) -> Void) -> [Waiter.ID]? {
        guard ring.sequences.contains(sequence), ring.state(sequence) == .retained else { return nil }
        counters.bytes -= ring.cost(sequence)
        ring.update(sequence) { entry in
            let before = entry.status
            change(&entry)
            counters.countAnswer(entry.status, insteadOf: before)
        }
        counters.bytes += ring.cost(sequence)
        changes.record(sequence)
        evictBeyondBounds()
        return changed()
    }

    /// Counts the answer to a push that is no longer retained, unless the count began after it.
    package mutating func countLateAnswer(_ status: Int, to sequence: UInt64) {
        if sequence > resetThrough { counters.countAnswer(Int16(status)) }
    }

    /// Removes the retained ones of these entries; not an eviction, so a cursor below them stays valid.
    package mutating func remove(_ sequences: some Sequence<UInt64>) -> (removed: Int, due: [Waiter.ID]) {
        var removed = 0
        var hidOlder = false
        for sequence in sequences {
            guard let attempt = ring.peek(sequence, { $0.attempt }) else { continue }
            forget(sequence)
            ring.clear(sequence)
            hidOlder = hidOlder || attempt > 1
            removed += 1
        }
        guard removed > 0 else { return (0, []) }
        counters.removed += UInt64(removed)
        dropRemovedFront()
        // The removed entry hid an older one with the same id.
        if hidOlder { attempts.rebuild(from: &ring) }
        recordRemoval()
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
        attempts = Attempts()
        dropRemovedFront()
        counters = JournalCounters()
        resetThrough = lastArrived
        recordRemoval()
        return (removed, changed())
    }

    private mutating func recordRemoval() {
        removalCount += 1
        changes.recordRemoval()
        // Repeats are found anew, as a removed push may be the one that another repeats.
        repeats = Repeats()
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
        attempts.forget(sequence, in: ring)
    }

    private mutating func dropRemovedFront() {
        while !ring.sequences.isEmpty, ring.state(ring.first) == .removed { ring.removeFirst() }
    }

    /// Applies what became of pushes, and calls `report` with each whose timeline has grown; keeps a change for a push
    /// that has not arrived yet, and drops one for a push that is no longer retained.
    package mutating func apply(_ changes: [EntryChange], _ report: (Entry) -> Void = { _ in }) -> [Waiter.ID] {
        var due: [Waiter.ID] = []
        for change in changes {
            var changed: Entry?
            let woken = update(change.sequence) { entry in
                let steps = entry.timeline?.count
                entry.apply(change)
                if entry.timeline?.count != steps { changed = entry }
            }
            if let woken {
                due += woken
                if let changed { report(changed) }
            } else if mayArrive(change.sequence) {
                changesToCome[change.sequence, default: []].append(change)
            }
        }
        return due
    }

    private func mayArrive(_ sequence: UInt64) -> Bool {
        sequence > watermark && (!ring.sequences.contains(sequence) || ring.state(sequence) == .vacant)
    }

    // MARK: - Waiting

    /// Adds a waiter, unless its condition is met already.
    package mutating func register(_ condition: Waiter.Condition) -> Waiter.ID? {
        waiters.add(condition, watermark: watermark, revision: revision)
    }

    /// Removes a waiter; returns `false` if it is not there, because it was due.
    @discardableResult
    package mutating func cancel(_ id: Waiter.ID) -> Bool { waiters.remove(id) }

    // MARK: - Reading

    /// The entry with a number; `nil` if it has not arrived or is not retained.
    package func entry(_ sequence: UInt64) -> Entry? { ring.entry(sequence).map(read) }
    /// The push that another one repeats, if that is known yet.
    package func repeats(_ sequence: UInt64) -> UInt64? { retained(ring.peek(sequence) { $0.repeats } ?? nil) }

    // Whether it was evicted before or after the repeat was found makes no difference, nor does a restart.
    private func retained(_ repeats: UInt64?) -> UInt64? { repeats.flatMap { $0 < ring.first ? nil : $0 } }

    private func read(_ entry: Entry) -> Entry {
        guard entry.repeats != nil, retained(entry.repeats) == nil else { return entry }
        var entry = entry
        entry.repeats = nil
        return entry
    }

    /// Sets ``Entry/repeats`` of at most `countMax` entries up to ``watermark``, the oldest unknown ones first; called
    /// before entries are read, until it returns `true`, because all are known.
    package mutating func findRepeats(countMax: Int) -> Bool {
        repeats.find(in: &ring, through: watermark, countMax: countMax, retained: counters.size)
    }

    var repeatKeyCount: Int { repeats.count }
    /// The newest retained entry with an `apns-id`, the sender's or a generated one.
    package func newestEntry(_ id: NotificationID) -> Entry? { attempts.newest(id, in: ring).map(read) }

    /// What was found among the entries that were looked at.
    package struct Piece: Sendable {
        /// Copies of the entries that may pass the filter; they share the payloads.
        package fileprivate(set) var entries: [Entry] = []
        /// The entries that pass the filter for certain and were only counted.
        package fileprivate(set) var countedOnly = 0
        /// How many entries were looked at.
        package fileprivate(set) var count = 0
        /// The number of the last entry that was looked at.
        package fileprivate(set) var last: UInt64?
    }

    /// Looks at up to `limit` entries after a number and up to ``watermark``, oldest first; returns the entries that
    /// may pass a filter, but only counts an entry that passes for certain and of which no copy is wanted.
    ///
    /// Long reads go in pieces, each with the last number of the piece before, so that the lock is never held for long.
    package func entries(
        after sequence: UInt64, limit: Int, mayPass conditions: EntryPrefilter = EntryPrefilter(),
        copiesWanted: (UInt64) -> Bool = { _ in true }
    ) -> Piece {
        guard sequence < watermark else { return Piece() }
        return entries(limit, conditions, copiesWanted) { last in
            ring.nextRetained(from: (last ?? sequence) + 1).flatMap { $0 <= watermark ? $0 : nil }
        }
    }

    /// Looks at entries before a number, newest first, and otherwise as ``entries(after:limit:mayPass:copiesWanted:)``
    /// does.
    package func entries(
        before sequence: UInt64, limit: Int, mayPass conditions: EntryPrefilter = EntryPrefilter(),
        copiesWanted: (UInt64) -> Bool = { _ in true }
    ) -> Piece {
        entries(limit, conditions, copiesWanted) { last in
            ring.lastRetained(before: last ?? min(sequence, watermark &+ 1))
        }
    }

    private func entries(
        _ limit: Int, _ conditions: EntryPrefilter, _ copiesWanted: (UInt64) -> Bool, next: (UInt64?) -> UInt64?
    ) -> Piece {
        var piece = Piece()
        while piece.count < limit, let found = next(piece.last) {
            switch ring.peek(found, { EntryFacts($0) }).map({ conditions.verdict(on: $0) }) {
            case .rejected, nil: break
            case .accepted where !copiesWanted(found): piece.countedOnly += 1
            case .accepted, .undecided:
                if let entry = entry(found) { piece.entries.append(entry) }
            }
            piece.count += 1
            piece.last = found
        }
        return piece
    }

    /// Whether no retained entry has a lower number.
    package func isOldest(_ sequence: UInt64) -> Bool { ring.lastRetained(before: sequence) == nil }

    /// How many entries there are after a number and up to another.
    package func entryCount(after sequence: UInt64, through last: UInt64) -> Int {
        guard sequence < last else { return 0 }
        return ring.retainedCount(from: sequence + 1) - (last == .max ? 0 : ring.retainedCount(from: last + 1))
    }

    /// The broken invariants, a sentence each; for tests.
    package func brokenInvariants() -> [String] {
        var broken = attempts.brokenInvariants(ring) + waiters.brokenInvariants(watermark: watermark)
        func expect(_ holds: Bool, _ problem: @autoclosure () -> String) { if !holds { broken.append(problem()) } }
        var size = 0
        var bytes = 0
        for sequence in ring.sequences {
            let state = ring.state(sequence)
            let entry = ring.entry(sequence)
            expect(sequence > watermark || state != .vacant, "\(sequence) is awaited, below the watermark")
            expect((state == .retained) == (entry != nil), "the state of \(sequence) is wrong")
            guard let entry else { continue }
            size += 1
            bytes += entry.cost
            expect(entry.sequence == sequence, "entry \(entry.sequence) lies at \(sequence)")
            let newest = newestEntry(entry.notificationID)?.sequence ?? 0
            expect(newest >= sequence, "\(sequence), or a newer entry, is not found by its id")
        }
        expect(size == counters.size, "\(size) entries, counted \(counters.size)")
        expect(bytes == counters.bytes, "\(bytes) bytes, counted \(counters.bytes)")
        expect(
            UInt64(size) + counters.evicted + counters.removed == counters.received,
            "retained, evicted and removed do not make up \(counters.received) received")
        expect(counters.accepted + counters.refused <= counters.received, "more answers than pushes")
        expect(size <= bounds.entriesMax && bytes <= bounds.bytesMax, "the bounds are exceeded")
        expect(UInt64(ring.sequences.count) <= bounds.spanMax, "the ring spans too much")
        expect(ring.sequences.first.map { ring.state($0) } != .removed, "the ring begins with a removed entry")
        expect(watermark + 1 >= ring.first, "the watermark lies before the ring")
        expect(
            !ring.sequences.contains(watermark + 1) || ring.state(watermark + 1) == .vacant,
            "the watermark stops before \(watermark + 1), which has arrived")
        return broken
    }
}

// MARK: - Coding

extension Journal {
    /// Version 1 has no web pushes, version 2 not ``resetThrough``.
    private static let codingVersion: UInt8 = 3
    /// The most entries in a piece.
    private static let pieceCount = 256

    /// The first piece, which the entries follow.
    private struct Head: VersionedRecord {
        static var version: UInt8 { Journal.codingVersion }
        let counters: JournalCounters
        let resetThrough: UInt64
        let lastArrived: UInt64
        let ring: EntryRing.Head
        /// What is known of pushes that have not arrived.
        let changesToCome: [EntryChange]

        static let members = ByteMembers({
            Head(
                counters: $0, resetThrough: $1.value ?? 0, lastArrived: $2, ring: $3, changesToCome: $4)
        }) { ($0.counters, Since<3, UInt64>($0.resetThrough), $0.lastArrived, $0.ring, $0.changesToCome) }

        var damage: String? {
            lastArrived < EntryRing.sequenceMax ? nil : "\(lastArrived) is no push's number"
        }
    }

    /// Calls `body` with the journal's bytes, in pieces: what it has counted, then its entries.
    ///
    /// What only readers of this process have (waiters, ``revision``, ``changes``) is not in them, nor is
    /// ``Entry/repeats``, which is found anew.
    package func forEachPiece<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var writer = ByteWriter()
        writer.write(
            Head(
                counters: counters, resetThrough: resetThrough, lastArrived: lastArrived,
                ring: ring.head(watermark: watermark, lastArrived: lastArrived),
                changesToCome: changesToCome.sorted { $0.key < $1.key }.flatMap(\.value)))
        try body(writer.bytes)
        writer.removeAll()
        var last = ring.first - 1
        var count = 0
        while let sequence = ring.nextRetained(from: last + 1) {
            writer.write(varint: sequence - last)
            ring.peek(sequence) { $0.write(to: &writer) }
            last = sequence
            count = count + 1
            guard count % Journal.pieceCount == 0 else { continue }
            try body(writer.bytes)
            writer.removeAll()
        }
        if writer.count > 0 { try body(writer.bytes) }
    }

    /// Reads a journal from its pieces.
    package struct Reading {
        private var journal: Journal
        private var ring: EntryRingReading
        // What the entries of all pieces share is known to one reader.
        private var reader: ByteReader

        /// Reads the first piece; a journal with smaller bounds than the written one keeps the newest entries.
        package init(_ piece: [UInt8], bounds: JournalBounds) throws(CodingProblem) {
            reader = ByteReader(piece, sharing: SharedInJournal())
            let head = try reader.last(Head.self)
            journal = Journal(bounds: bounds, lastSequence: head.lastArrived)
            journal.counters = head.counters
            journal.resetThrough = head.resetThrough
            ring = try reader.located { () throws(CodingProblem) in
                let spanMax = bounds.entriesMax == 0 ? 0 : bounds.spanMax
                return try EntryRingReading(head.ring, lastArrived: head.lastArrived, spanMax: spanMax)
            }
            for change in head.changesToCome {
                journal.changesToCome[change.sequence, default: []].append(change)
            }
        }

        /// Reads the next piece.
        package mutating func add(_ piece: [UInt8]) throws(CodingProblem) {
            reader.proceed(to: ByteReader(piece))
            while !reader.isAtEnd {
                let step = try reader.varint()
                let sequence = try reader.located { () throws(CodingProblem) in try ring.advance(by: step) }
                if let cost = ring.insert(try Entry(sequence, from: &reader)) {
                    journal.counters.size += 1
                    journal.counters.bytes += cost
                } else {
                    journal.counters.evicted &+= 1
                    journal.counters.evictedThrough = max(journal.counters.evictedThrough, sequence)
                }
            }
        }

        /// The journal, once all pieces have been read.
        package consuming func finish() throws(CodingProblem) -> Journal {
            ring.finish()
            let counters = journal.counters
            guard UInt64(counters.size) &+ counters.evicted &+ counters.removed == counters.received else {
                throw CodingProblem("\(counters.size) pushes were read, which is not how many there were")
            }
            journal.adopt(ring.ring)
            return journal
        }
    }

    private mutating func adopt(_ read: EntryRing) {
        ring = read
        dropRemovedFront()
        watermark = ring.first - 1
        while watermark + 1 < ring.end, ring.state(watermark + 1) != .vacant { watermark += 1 }
        attempts.rebuild(from: &ring)
        evictBeyondBounds()
    }
}
