internal import APNsRules

/// Decides when the next snapshot of a cluster is due: when the log since the last one has become long by its bytes, by
/// the number of its batches, since a server that joins takes time for each, or by time.
///
/// ``ClusterSnapshots`` asks it after each batch. The snapshots of a run in a data folder have a rule of their own:
/// ``KeptRun/beginSnapshotIfDue()``.
struct ClusterSnapshotPace {
    /// The most batches between two snapshots.
    static let batchCountMax = 50_000
    /// The longest time between two snapshots, by the times of the batches.
    static let ageMax: Duration = .seconds(6 * 3600)

    // The bytes of the batches since the last time that a snapshot was due.
    private var byteCount = 0
    private var batchCount = 0
    private var since: Instant?

    /// Records a batch; returns whether a snapshot is due, from which all counts begin anew.
    ///
    /// - Parameter bytesMax: The most bytes of batches between two snapshots.
    mutating func isDue(afterBatchOf bytes: Int, at time: Instant, bytesMax: Int) -> Bool {
        byteCount += bytes
        batchCount += 1
        let begin = since ?? time
        since = begin
        guard
            byteCount >= bytesMax || batchCount >= ClusterSnapshotPace.batchCountMax
                || time.since(begin) >= ClusterSnapshotPace.ageMax
        else { return false }
        self = ClusterSnapshotPace()
        return true
    }
}
