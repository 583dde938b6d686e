internal import APNsRules
internal import Mynah
internal import MynahCore
internal import ServiceLifecycle

/// Everything that happens, as it happens, for one reader.
///
/// Holds the number up to which the reader has everything, and nothing else: what a slow reader has not taken stays in
/// the journal and in the history of events, within their bounds, and what went there to make room is told as a gap.
struct EventStream {
    /// Pushes and other events that are taken at once: few enough that no push waits long for the lock.
    private static let pieceCount = 256

    let server: Server
    let query: EventQuery
    let limits: StreamLimits
    /// Everything up to this number is with the reader.
    private(set) var position: UInt64
    private var notice = GapNotice()
    private var pace: ReadingPace

    /// A stream of what comes behind a number, when the numbers have come to `issued`.
    init(
        _ server: Server, _ query: EventQuery, behind position: UInt64, _ limits: StreamLimits,
        _ readers: EventReaders, issued: UInt64
    ) {
        self.server = server
        self.query = query
        self.limits = limits
        self.position = position
        self.pace = ReadingPace(readers, issued: issued, now: .now)
    }

    /// Writes what comes until the server shuts down.
    ///
    /// - Throws: `CancellationError` when the reader has gone or was cut off; what `write` throws.
    mutating func run(write: ([UInt8]) async throws -> Void) async throws {
        // At once, so that a reader knows that it is heard, and what to give back when it is cut off at once.
        try await write(ServerSentEvent.comment(id: position))
        var nextComment = ContinuousClock.now + limits.heartbeat
        while !Task.isShuttingDownGracefully {
            pace.begin(now: .now)
            let revision = server.journal.read { $0.revision }
            let start = position
            let hasMore = try await writePiece(write)
            try Task.checkCancellation()
            if ContinuousClock.now >= nextComment {
                try await write(ServerSentEvent.comment(id: position))
                nextComment = ContinuousClock.now + limits.heartbeat
            }
            let rest = pace.rest(
                issued: server.journal.lastIssued, hasFound: position > start, hasMore: hasMore, now: .now)
            if rest > .zero { try await Self.pause(rest) }
            if hasMore { continue }
            let wakeUp = nextComment
            _ = await cancelWhenGracefulShutdown { [server] in
                await server.journal.wait(.change(since: revision), until: wakeUp)
            }
            try Task.checkCancellation()
        }
        // What was there when the end was announced.
        while try await writePiece(write) { try Task.checkCancellation() }
    }

    /// Writes what there is next; whether there may be more at once.
    mutating func writePiece(_ write: ([UInt8]) async throws -> Void) async throws -> Bool {
        let (piece, evictedThrough) = read()
        var bytes: [UInt8] = []
        if let gap = notice.gap(behind: position, evictedThrough: evictedThrough) {
            ServerSentEvent.write(
                Event.Kind.gap.rawValue, id: nil,
                ["from": .number(JSONNumber(gap.lowerBound)), "to": .number(JSONNumber(gap.upperBound))], to: &bytes)
        }
        for item in piece.items {
            append(item, to: &bytes)
            if bytes.count >= StreamLimits.batchBytesMax {
                try await write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        if !bytes.isEmpty { try await write(bytes) }
        position = max(position, piece.end)
        return piece.isCut
    }

    private func read() -> (EventPiece, evictedThrough: UInt64) {
        let limit = EventStream.pieceCount
        let found = readPushes(limit)
        // After the watermark was read: every event up to it is there by now, or has gone again.
        let (events, evictedEvents) =
            query.kinds == [.notification]
            ? ([], 0) : server.events.events(after: position, through: found.watermark, limit: limit)
        return (
            EventPiece(pushes: found.pushes, events: events, limit: limit, watermark: found.watermark),
            max(found.evictedThrough, evictedEvents)
        )
    }

    private func readPushes(_ limit: Int) -> OldestPushes.Piece {
        guard query.kinds.contains(.notification) else {
            return OldestPushes.Piece(
                pushes: [], watermark: server.journal.read { $0.watermark }, evictedThrough: 0, removalCount: 0,
                isOldest: false)
        }
        let removalCount = server.journal.read { $0.removalCount }
        return pace.readers.oldest.piece(behind: position, removalCount: removalCount, now: .now) {
            // What has arrived since this was found comes with the next piece.
            let watermark = server.journal.findRepeats()
            return server.journal.read { [position] journal in
                let pushes = journal.entries(after: position, limit: limit).filter { $0.sequence <= watermark }
                return OldestPushes.Piece(
                    pushes: pushes, watermark: watermark, evictedThrough: journal.counters.evictedThrough,
                    removalCount: journal.removalCount,
                    isOldest: pushes.first.map { journal.isOldest($0.sequence) } ?? false)
            }
        }
    }

    private func append(_ item: EventPiece.Item, to bytes: inout [UInt8]) {
        switch item {
        case .push(let entry):
            let view = PushView(entry)
            guard query.filter.matches(view) else { return }
            if pace.readers.count > 1 {
                pace.readers.pushes.event(of: view, write: EventStream.write, to: &bytes)
            } else {
                EventStream.write(view, to: &bytes)
            }
        case .event(let event):
            guard query.kinds.contains(event.kind), event.passes(query.filter) else { return }
            ServerSentEvent.write(event.kind.rawValue, id: event.sequence, event.json, to: &bytes)
        }
    }

    private static func write(_ view: PushView, to bytes: inout [UInt8]) {
        ServerSentEvent.write(Event.Kind.notification.rawValue, id: view.entry.sequence, view.json, to: &bytes)
    }

    private static func pause(_ rest: Duration) async throws {
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: rest) }
        } catch {
            // Only cancellation ends a sleep early: the reader's, which counts, or the server's shutdown.
            try Task.checkCancellation()
        }
    }
}
