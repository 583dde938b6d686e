internal import APNsRules
internal import MynahStore

/// The log of one server's changes; belongs to the thread that keeps their order.
protocol CommandLog: AnyObject {
    /// Adds a batch, and returns its position once it is kept.
    func append(_ batch: [UInt8], time: Instant, rules: UInt32) throws(LogProblem) -> UInt64
    /// The first batch after a position; `nil` at the end.
    func batch(after position: UInt64) throws(LogProblem) -> LoggedBatch?
    func close() throws(LogProblem)
}

extension CommandLog {
    /// Adds a batch, and returns it as the log has it.
    func added(_ batch: OrderApplier.Batch) throws(LogProblem) -> LoggedBatch {
        let position = try append(batch.bytes, time: batch.time, rules: OrderApplier.rulesVersion)
        return LoggedBatch(
            position: position, time: batch.time, rules: OrderApplier.rulesVersion, bytes: batch.bytes)
    }
}

extension RunLog: CommandLog {}
