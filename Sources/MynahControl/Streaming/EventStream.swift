internal import APNsRules
internal import Mynah
internal import MynahCore
internal import ServiceLifecycle

/// The stream of pushes and other events for one reader.
///
/// It holds only the reader's position: events that a slow reader has not taken yet stay in the journal and in the event
/// log, within their bounds, and the reader receives a gap event for those that were evicted.
struct EventStream {
    /// The most pushes and other events that are read at once: few enough that no push waits long for the lock.
    private static let pieceCountMax = 256
    private static let pieceCountMin = 16

    let server: Server
    let kinds: Set<Event.Kind>
    let filter: Filter
    let limits: StreamLimits
    /// The reader has everything up to this number.
    private(set) var position: UInt64
    private var gaps = GapReporter()
    private var interval: PollingInterval
    // About as many as fit into what is written at once, so that a reader that stalls holds no more than that.
    private var pieceCount = EventStream.pieceCountMin

    /// A stream of the events after `position`, when `issued` is the last sequence number.
    init(
        _ server: Server, kinds: Set<Event.Kind>, filter: Filter, after position: UInt64, limits: StreamLimits,
        readers: EventReaders, issued: UInt64
    ) {
        self.server = server
        self.kinds = kinds
        self.filter = filter
        self.limits = limits
        self.position = position
        self.interval = PollingInterval(readers, issued: issued, now: .now)
    }

    /// Writes events until the server shuts down.
    /// - Throws: `CancellationError` when the reader left or was disconnected; what `write` throws.
    mutating func run(write: ([UInt8]) async throws -> Void) async throws {
        // At once: it confirms the connection, and gives the reader a position to resume from.
        try await write(ServerSentEvent.comment(id: position))
        var nextComment = ContinuousClock.now + limits.heartbeat
        while !Task.isShuttingDownGracefully, !server.isEnded {
            interval.begin(now: .now)
            let revision = server.journal.read { $0.revision }
            let start = position
            let hasMore = try await writePiece(write)
            try Task.checkCancellation()
            if ContinuousClock.now >= nextComment {
                try await write(ServerSentEvent.comment(id: position))
                nextComment = ContinuousClock.now + limits.heartbeat
            }
            let pause = interval.next(
                issued: server.journal.lastIssued, hasFound: position > start, hasMore: hasMore, now: .now)
            if pause > .zero { try await Self.sleep(pause) }
            if hasMore { continue }
            let wakeUp = nextComment
            _ = await cancelWhenGracefulShutdown { [server] in
                await server.journal.wait(.change(since: revision), until: wakeUp)
            }
            try Task.checkCancellation()
        }
        // The events from before the shutdown.
        while try await writePiece(write) { try Task.checkCancellation() }
    }

    /// Writes the next piece; returns whether there may be more to read at once.
    mutating func writePiece(_ write: ([UInt8]) async throws -> Void) async throws -> Bool {
        var count = 0
        while true {
            let next = nextBytes(of: EventStream.pieceCountMax - count)
            if !next.bytes.isEmpty { try await write(next.bytes) }
            count += next.count
            guard next.hasMore, count < EventStream.pieceCountMax else { return next.hasMore }
        }
    }

    /// The bytes to write next, of so many events, at most `countMax`, and whether there may be more to read at once.
    ///
    /// Nothing of what was read is held while they are written.
    private mutating func nextBytes(of countMax: Int) -> (bytes: [UInt8], count: Int, hasMore: Bool) {
        let (piece, evictedThrough) = read(min(pieceCount, countMax))
        var bytes: [UInt8] = []
        if let gap = gaps.unreported(after: position, evictedThrough: evictedThrough) {
            ServerSentEvent.write(Event.Kind.gap.rawValue, id: nil, GapEvent(numbers: gap).json, to: &bytes)
        }
        for (index, item) in piece.items.enumerated() {
            append(item, to: &bytes)
            guard bytes.count >= StreamLimits.batchBytesMax, index + 1 < piece.items.count else { continue }
            position = item.sequence
            pieceCount = max(EventStream.pieceCountMin, index + 1)
            return (bytes, index + 1, true)
        }
        position = max(position, piece.end)
        if piece.isCut { pieceCount = min(2 * pieceCount, EventStream.pieceCountMax) }
        return (bytes, piece.items.count, piece.isCut)
    }

    private func read(_ limit: Int) -> (EventPiece, evictedThrough: UInt64) {
        let found = readPushes(limit)
        // Read after the watermark: by now every event up to it is in the log, or evicted again.
        let (events, evictedEvents) =
            kinds == [.notification]
            ? ([], 0) : server.events.events(after: position, through: found.watermark, limit: limit)
        let piece = EventPiece(
            pushes: found.pushes, limit: found.limit, events: events, limit: limit, watermark: found.watermark)
        return (piece, max(found.evictedThrough, evictedEvents))
    }

    private func readPushes(_ limit: Int) -> CatchUpCache.Piece {
        guard kinds.contains(.notification) else {
            return CatchUpCache.Piece(
                pushes: [], limit: limit, watermark: server.journal.read { $0.watermark }, evictedThrough: 0,
                removalCount: 0, isOldest: false)
        }
        let removalCount = server.journal.read { $0.removalCount }
        return interval.readers.catchUp.piece(after: position, removalCount: removalCount, now: .now) {
            // Later pushes come with the next piece.
            let watermark = server.journal.findRepeats()
            return server.journal.read { [position] journal in
                let pushes = journal.entries(after: position, limit: limit).entries.filter { $0.sequence <= watermark }
                return CatchUpCache.Piece(
                    pushes: pushes, limit: limit, watermark: watermark,
                    evictedThrough: journal.counters.evictedThrough,
                    removalCount: journal.removalCount,
                    isOldest: pushes.first.map { journal.isOldest($0.sequence) } ?? false)
            }
        }
    }

    private func append(_ item: EventPiece.Item, to bytes: inout [UInt8]) {
        switch item {
        case .push(let entry):
            let view = PushView(entry)
            guard filter.matches(view) else { return }
            if interval.readers.count > 1 {
                interval.readers.rendered.append(view, write: EventStream.write, to: &bytes)
            } else {
                EventStream.write(view, to: &bytes)
            }
        case .event(let event):
            guard kinds.contains(event.kind), event.passes(filter) else { return }
            ServerSentEvent.write(event.kind.rawValue, id: event.sequence, event.json, to: &bytes)
        }
    }

    private static func write(_ view: PushView, to bytes: inout [UInt8]) {
        ServerSentEvent.write(Event.Kind.notification.rawValue, id: view.entry.sequence, view.json, to: &bytes)
    }

    private static func sleep(_ duration: Duration) async throws {
        do { try await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) } } catch {
            // Only cancellation ends a sleep early: because the reader left, or because the server shuts down.
            try Task.checkCancellation()
        }
    }
}
