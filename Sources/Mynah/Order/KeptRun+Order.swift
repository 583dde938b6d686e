internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import NIOCore
internal import NIOPosix

/// The run's log as the log of an order: a batch is in it when ``append(_:)`` returns, or it fails; then the order waits
/// until the log can be written.
extension KeptRun: OrderLog {
    /// How long to wait before a log that fails is tried again.
    private static let recoveryPause = TimeAmount.milliseconds(250)
    /// How often the run's files are checked to be there, because a user may remove them.
    private static let checkPause = TimeAmount.seconds(1)

    /// What the order has to be told.
    struct Keeping {
        fileprivate var order: Order?
        /// Whether the log fails.
        fileprivate var isAway = false
        fileprivate var snapshotWriter: EventLoopFuture<Void>?
        fileprivate var isEnding = false
        fileprivate var check: RepeatedTask?
    }

    var words: OrderLogWords {
        OrderLogWords(
            refused: "the run can't be kept", away: "pushes and changes are refused until the run can be kept again",
            back: "the run is kept again")
    }

    var warning: String? { nil }
    var lastPosition: UInt64 { log.lastPosition }

    func follow(_ order: Order) -> EventLoopFuture<Void> {
        keeping.order = order
        let run = NIOLoopBound(self, eventLoop: loop)
        keeping.check = loop.scheduleRepeatedTask(initialDelay: KeptRun.checkPause, delay: KeptRun.checkPause) { _ in
            run.value.checkFiles()
        }
        return loop.makeSucceededVoidFuture()
    }

    private func checkFiles() {
        guard !keeping.isAway, !keeping.isEnding else { return }
        do throws(LogProblem) {
            try log.checkThere()
        } catch {
            keeping.isAway = true
            // No batch is on its way: it is in the log, or has failed, when `append` returns.
            recover(after: error, isRefused: true)
        }
    }

    func append(_ batch: OrderApplier.Batch) {
        let logged: LoggedBatch
        do throws(LogProblem) {
            logged = try log.added(batch)
        } catch {
            guard error.code != .tooLarge else {
                keeping.order?.logRefused(because: error)
                return
            }
            keeping.isAway = true
            return recover(after: error, isRefused: false)
        }
        keeping.order?.logHas(logged)
    }

    func setOwner(_ owner: String) throws(LogProblem) { try log.setOwner(owner) }

    func firstNote(_ key: String, _ note: String) throws(LogProblem) -> String {
        if let first = try log.text(ofNote: key) { return first }
        try log.setNote(key, note)
        return note
    }

    // MARK: A log that fails

    /// Makes sure that the log doesn't have the batch that failed, and tries until it can be written.
    private func recover(after problem: LogProblem, isRefused: Bool) {
        keeping.order?.logFails(because: problem)
        var isRefused = isRefused
        do throws(LogProblem) {
            try log.recover()
            if !isRefused { keeping.order?.logRefused(because: problem) }
            isRefused = true
            try log.checkWritable()
        } catch {
            let run = NIOLoopBound(self, eventLoop: loop)
            let isRefused = isRefused
            loop.scheduleTask(in: KeptRun.recoveryPause) {
                if run.value.keeping.isAway { run.value.recover(after: error, isRefused: isRefused) }
            }
            return
        }
        keeping.isAway = false
        keeping.order?.logIsBack()
    }

    // MARK: Snapshots

    /// Begins a snapshot if one is due, whose pieces another thread makes, and removes a part of what isn't kept.
    func recordApplied(_ batch: LoggedBatch) {
        countBytes(ofBatch: batch.bytes.count)
        do throws(LogProblem) {
            try trim()
            // State that is removed while the snapshot is written is held by the snapshot alone.
            guard let snapshot = try beginSnapshotIfDue().map(OneUse.init) else { return }
            let run = NIOLoopBound(self, eventLoop: loop)
            let loop = loop
            keeping.snapshotWriter = NIOSingletons.posixBlockingThreadPool
                .runIfActive(eventLoop: loop) {
                    try snapshot.use {
                        try $0.forEachPiece { piece throws(any Error) in
                            try loop.submit {
                                guard !run.value.keeping.isEnding else { throw CancellationError() }
                                try run.value.add(piece)
                            }.wait()
                        }
                    }
                }
                .flatMapThrowing { try run.value.completeSnapshot() }
                .flatMapErrorThrowing { run.value.reportFailedSnapshot($0) }
        } catch {
            reportFailedSnapshot(error)
        }
    }

    // Without a snapshot nothing is lost: a start reads more of the log.
    private func reportFailedSnapshot(_ error: any Error) {
        abandonSnapshot()
        guard !keeping.isEnding else { return }
        logger.warning("no snapshot of the run was written, so that a start takes longer: \(error)")
    }

    // MARK: End

    /// Writes a snapshot, and closes the log.
    func end() -> EventLoopFuture<Void> {
        keeping.isEnding = true
        keeping.isAway = false
        keeping.check?.cancel()
        let run = NIOLoopBound(self, eventLoop: loop)
        return (keeping.snapshotWriter ?? loop.makeSucceededVoidFuture()).flatMapThrowing { try run.value.close() }
    }
}

extension RunLog {
    /// Adds a batch, and returns it as the log has it.
    func added(_ batch: OrderApplier.Batch) throws(LogProblem) -> LoggedBatch {
        let position = try append(batch.bytes, time: batch.time, rules: OrderApplier.rulesVersion)
        return LoggedBatch(
            position: position, time: batch.time, rules: OrderApplier.rulesVersion, bytes: batch.bytes)
    }
}
