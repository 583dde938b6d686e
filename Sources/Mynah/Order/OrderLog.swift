internal import APNsRules
internal import MynahCore
internal import MynahStore
internal import NIOCore

/// What keeps an order: a data folder of this server, or an engine that several share.
///
/// Belongs to the order's thread.
protocol OrderLog: AnyObject {
    var applier: OrderApplier { get }
    var words: OrderLogWords { get }
    /// Why the server is not ready although changes can be made; `nil` if it is.
    var warning: String? { get }
    /// The most bytes of a batch, except for a single change that is larger.
    var batchBytesMax: Int { get }
    /// The time by which a batch that is to be written looks whether something is due.
    var now: Instant { get }

    /// The position of the last batch that the log had when it was opened.
    var lastPosition: UInt64 { get }

    /// Begins to tell an order, on its thread, what becomes of batches: by ``Order/logHas(_:)``,
    /// ``Order/logRefused(because:)``, ``Order/logFails(because:)``, ``Order/logIsBack()`` and
    /// ``Order/refuseAll(because:)``. What it returns is complete once the order has what the log had before.
    func follow(_ order: Order) -> EventLoopFuture<Void>
    /// Takes a batch, whose outcome the order is told at once or later; no other batch is appended before that.
    func append(_ batch: OrderApplier.Batch)
    /// Ends the order, or the process, because a batch can't be read.
    func fail(toRead batch: LoggedBatch, _ problem: CodingProblem)
    /// Carries out what a batch that was applied asks for, before its changes are answered; returns whether the order goes
    /// on.
    func carryOut(_ applied: OrderApplier.Applied, of batch: LoggedBatch) -> Bool
    /// Takes the numbers that a batch gave out.
    func add(_ numbers: ClosedRange<UInt64>)
    /// Records that a batch has been applied.
    func recordApplied(_ batch: LoggedBatch)
    /// Says whose the log is, to another process that wants it.
    func setOwner(_ owner: String) throws(LogProblem)
    /// The note of the first start that had one, which this one's becomes if there was none before.
    func firstNote(_ key: String, _ note: String) throws(LogProblem) -> String
    /// Ends the log; no batch is appended any more.
    func end() -> EventLoopFuture<Void>
}

extension OrderLog {
    var batchBytesMax: Int { OrderQueue.batchBytesMax }
    var now: Instant { WallClock.now() }
    func firstNote(_ key: String, _ note: String) -> String { note }
    func carryOut(_ applied: OrderApplier.Applied, of batch: LoggedBatch) -> Bool { true }
    func add(_ numbers: ClosedRange<UInt64>) {}

    func fail(toRead batch: LoggedBatch, _ problem: CodingProblem) {
        preconditionFailure("a batch can't be read that was just written: \(problem)")
    }
}

/// The messages about a log that fails.
struct OrderLogWords: Sendable {
    /// The beginning of a refusal.
    let refused: String
    /// The beginning of a line of the server's log.
    let away: String
    let back: String
    /// Why a batch that the log has is without an effect.
    var ignored = ""
}
