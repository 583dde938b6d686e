internal import APNsRules
internal import NIOCore

/// The output of a connection that a fault slows down or cuts: how much is sent at a time, and how much before the end.
struct PacedOutput {
    enum Step {
        case send(ByteBuffer, EventLoopPromise<Void>?)
        /// Send nothing before this time.
        case wait(until: NIODeadline)
        /// End the connection: everything that may be sent was sent.
        case end
        case nothing
    }

    /// Pieces per second if a fault gives no chunk size; each needs a timer.
    private static let piecesPerSecond = 50
    /// How much delay a busy loop may make up for at once.
    private static let catchUpMax: TimeAmount = .milliseconds(100)

    private var buffers = CircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)>()
    private var pace: (bytesPerSecond: Int, pieceBytes: Int)?
    private var nextAt = NIODeadline.distantPast
    private(set) var byteCount = 0
    /// Bytes that may be sent before the end; `nil` without a limit.
    private(set) var bytesLeft: Int?

    var isPacing: Bool { pace != nil && !buffers.isEmpty }

    mutating func limit(bytesPerSecond: Int, chunk: Int?, now: NIODeadline) {
        pace = (bytesPerSecond, chunk ?? max(1, bytesPerSecond / PacedOutput.piecesPerSecond))
        nextAt = now
    }

    /// Ends the output after `count` more bytes, or with `nil` after the waiting ones; the lowest limit counts.
    mutating func end(afterBytes count: Int?) { bytesLeft = min(count ?? byteCount, bytesLeft ?? .max) }

    mutating func append(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, now: NIODeadline) {
        // The pace doesn't make up for time without output.
        if buffers.isEmpty { nextAt = max(nextAt, now) }
        buffers.append((bytes, promise))
        byteCount += bytes.readableBytes
    }

    mutating func next(now: NIODeadline) -> Step {
        if bytesLeft == 0 { return .end }
        guard !buffers.isEmpty else { return .nothing }
        let available = buffers[buffers.startIndex].bytes.readableBytes
        var count = min(available, bytesLeft ?? .max)
        if let pace, count > 0 {
            guard now >= nextAt else { return .wait(until: nextAt) }
            count = min(count, pace.pieceBytes)
            let time = TimeAmount.nanoseconds(Int64(count) * 1_000_000_000 / Int64(pace.bytesPerSecond))
            nextAt = max(nextAt, now - PacedOutput.catchUpMax) + time
        }
        byteCount -= count
        bytesLeft = bytesLeft.map { $0 - count }
        guard count < available, let piece = buffers[buffers.startIndex].bytes.readSlice(length: count) else {
            let (bytes, promise) = buffers.removeFirst()
            return .send(bytes, promise)
        }
        return .send(piece, nil)
    }

    /// Drops unsent output; returns the promises of its writes.
    mutating func removeAll() -> [EventLoopPromise<Void>] {
        defer {
            buffers.removeAll()
            byteCount = 0
        }
        return buffers.compactMap(\.promise)
    }
}
