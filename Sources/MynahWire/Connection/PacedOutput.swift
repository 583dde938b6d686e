internal import APNsRules
internal import NIOCore

/// What is still to be sent on a connection whose transport a fault governs: how much at a time, and how much before
/// the connection's end.
///
/// Is told the time and does nothing itself.
struct PacedOutput {
    /// What is to be done next.
    enum Step {
        /// This is sent.
        case send(ByteBuffer, EventLoopPromise<Void>?)
        /// Nothing may be sent before this moment.
        case wait(until: NIODeadline)
        /// All that may be sent has been.
        case end
        /// There is nothing to send.
        case nothing
    }

    private struct Pace {
        let bytesPerSecond: Int
        let pieceBytes: Int
    }

    /// How many pieces a second a limit without a size of its own is divided into: a timer each.
    private static let piecesPerSecond = 50
    /// How far behind its pace a busy loop may catch up at once.
    private static let catchUpMax: TimeAmount = .milliseconds(100)

    private var buffers = CircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)>()
    private var pace: Pace?
    private var nextAt = NIODeadline.distantPast
    /// Bytes that wait.
    private(set) var byteCount = 0
    /// Bytes that may be sent before the end; `nil` when there is none in sight.
    private(set) var bytesLeft: Int?

    /// Whether something is held back so that it leaves slowly.
    var isPacing: Bool { pace != nil && !buffers.isEmpty }

    /// Limits what is sent from now on.
    mutating func limit(bytesPerSecond: Int, chunk: Int?, now: NIODeadline) {
        pace = Pace(
            bytesPerSecond: bytesPerSecond, pieceBytes: chunk ?? max(1, bytesPerSecond / PacedOutput.piecesPerSecond))
        nextAt = now
    }

    /// Has the end come when so many further bytes have been sent, or, with `nil`, all that waits now.
    ///
    /// Of two ends the earlier one counts.
    mutating func end(afterBytes count: Int?) {
        bytesLeft = min(count ?? byteCount, bytesLeft ?? .max)
    }

    /// Adds what is to be sent.
    mutating func append(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, now: NIODeadline) {
        // Time in which there was nothing to send is not made up for.
        if buffers.isEmpty { nextAt = max(nextAt, now) }
        buffers.append((bytes, promise))
        byteCount += bytes.readableBytes
    }

    /// What is to be done now.
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

    /// Forgets what waits; answers the promises of those who wait for it.
    mutating func removeAll() -> [EventLoopPromise<Void>] {
        defer {
            buffers.removeAll()
            byteCount = 0
        }
        return buffers.compactMap(\.promise)
    }
}
