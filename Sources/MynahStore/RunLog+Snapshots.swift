package import APNsRules

/// A snapshot of which pieces are being written.
struct UnfinishedSnapshot {
    let position: UInt64
    let time: Instant
    let rules: UInt32
    var pieceCount = 0
    var byteCount = 0
    /// The pieces that are to be written together.
    var gathered: [SnapshotPiece] = []
    var gatheredBytes = 0
}

// Writing, reading and removing snapshots: when one is due, and what is trimmed then, its caller decides (`KeptRun`).
extension RunLog {
    /// The most pieces of snapshots that one ``trim(before:)`` removes.
    private static let trimmedPiecesMax = 4
    private static let trimmedBatchesMax = 64
    /// The bytes of free pages that stay in the file for later writes, besides a quarter of the file.
    private static let freeBytesKept = 8 << 20
    /// What one ``trim(before:)`` gives back to the disk.
    private static let vacuumBytesMax = 1 << 20

    // MARK: Writing

    /// Begins a snapshot of the state after a batch, in place of one that wasn't completed; returns whether there is
    /// anything to write: `false` if the log has a complete one of that position.
    ///
    /// Batches can be appended between its pieces.
    ///
    /// - Parameters:
    ///   - position: Of a batch that is in the log.
    ///   - time: Of that batch.
    ///   - rules: The version of the rules that made the state.
    package func beginSnapshot(at position: UInt64, time: Instant, rules: UInt32) throws(LogProblem) -> Bool {
        let database = try writer()
        precondition(position <= lastPosition, "a snapshot of a batch that is not in the log")
        unfinished = nil
        try dropUnfinishedSnapshots(database)
        guard try database.number("SELECT 1 FROM snapshots WHERE position = ?", .number(position)) == nil else {
            return false
        }
        unfinished = UnfinishedSnapshot(position: position, time: time, rules: rules)
        return true
    }

    /// Adds the next piece of the snapshot that has begun, of about 1 MB at most; small ones are committed together.
    package func add(_ piece: SnapshotPiece) throws(LogProblem) {
        let database = try writer()
        guard var snapshot = unfinished else { preconditionFailure("a piece without a snapshot") }
        try checkSize(piece.bytes.count, "a piece of a snapshot")
        snapshot.gathered.append(piece)
        snapshot.gatheredBytes += piece.bytes.count
        if snapshot.gatheredBytes >= commitBytesMax {
            try database.transaction { () throws(LogProblem) in try writeGathered(of: &snapshot, to: database) }
        }
        unfinished = snapshot
    }

    private func writeGathered(
        of snapshot: inout UnfinishedSnapshot, to database: SQLiteDatabase
    ) throws(LogProblem) {
        for piece in snapshot.gathered {
            let crc = RunLog.checksum(of: piece, snapshot.pieceCount, snapshot.position)
            try database.run(
                "INSERT INTO snapshot (position, piece, section, crc, bytes) VALUES (?, ?, ?, ?, ?)",
                .number(snapshot.position), .number(Int64(snapshot.pieceCount)), .text(piece.section), .number(crc),
                bytes: piece.bytes)
            snapshot.pieceCount += 1
            snapshot.byteCount += piece.bytes.count
        }
        snapshot.gathered = []
        snapshot.gatheredBytes = 0
    }

    /// Makes the snapshot valid whose pieces have been added.
    package func completeSnapshot() throws(LogProblem) {
        let database = try writer()
        guard var snapshot = unfinished else { preconditionFailure("the end of a snapshot that hasn't begun") }
        // A power cut must not leave the snapshot without the batches before it.
        try files?.synchronise()
        try database.transaction { () throws(LogProblem) in
            try writeGathered(of: &snapshot, to: database)
            try writeEntry(of: snapshot, to: database)
        }
        try makeDurable(database)
        unfinished = nil
    }

    /// Makes sure that a power cut leaves what has been committed, before files are removed that would lead to it.
    func makeDurable(_ database: SQLiteDatabase) throws(LogProblem) {
        // With `full`, each commit is durable by itself.
        if sync == .normal { try database.run("PRAGMA wal_checkpoint(PASSIVE)") }
    }

    private func writeEntry(
        of snapshot: UnfinishedSnapshot, to database: SQLiteDatabase
    ) throws(LogProblem) {
        let written = try database.number(
            "SELECT count(*) FROM snapshot WHERE position = ?", .number(snapshot.position))
        guard written == Int64(snapshot.pieceCount) else {
            throw damaged("\(written ?? 0) of the \(snapshot.pieceCount) pieces of a snapshot are in it")
        }
        let complete = LoggedSnapshot(
            position: snapshot.position, time: snapshot.time, rules: snapshot.rules, pieceCount: snapshot.pieceCount,
            byteCount: snapshot.byteCount)
        try database.run(
            "INSERT INTO snapshots (position, time, rules, crc, pieces, bytes) VALUES (?, ?, ?, ?, ?, ?)",
            .number(complete.position), .number(complete.time.milliseconds), .number(Int64(complete.rules)),
            .number(RunLog.checksum(of: complete)), .number(Int64(complete.pieceCount)),
            .number(Int64(complete.byteCount)))
    }

    /// Removes pieces of snapshots that were not completed, nor are being written.
    func dropUnfinishedSnapshots(_ database: SQLiteDatabase, piecesMax: Int = .max) throws(LogProblem) {
        try database.run(
            """
            DELETE FROM snapshot WHERE rowid IN (SELECT rowid FROM snapshot
            WHERE position <> ? AND position NOT IN (SELECT position FROM snapshots) LIMIT ?)
            """, .number(unfinished.map { Int64($0.position) } ?? -1), .number(Int64(piecesMax)))
    }

    /// Removes a complete snapshot.
    package func removeSnapshot(at position: UInt64) throws(LogProblem) {
        let database = try writer()
        try database.run("DELETE FROM snapshots WHERE position = ?", .number(position))
        try dropUnfinishedSnapshots(database)
    }

    // MARK: Reading

    /// The bytes of the batches after a position up to another one.
    package func byteCount(after start: UInt64, through end: UInt64) throws(LogProblem) -> Int {
        let rows = try database().number(
            "SELECT sum(length(batch)) FROM log WHERE position > ? AND position <= ?", .number(start), .number(end))
        let first = max(start, lastRow ?? 0) + 1
        return Int(rows ?? 0) + (first <= end ? try files?.byteCount(of: first...end) ?? 0 : 0)
    }

    /// The newest complete snapshot of a position or an earlier one; `nil` without any.
    package func newestSnapshot(upTo position: UInt64 = .max) throws(LogProblem) -> LoggedSnapshot? {
        var found: LoggedSnapshot?
        try database().run(
            """
            SELECT position, time, rules, crc, pieces, bytes FROM snapshots WHERE position <= ?
            ORDER BY position DESC LIMIT 1
            """, .number(position)
        ) { (row) throws(LogProblem) in found = try snapshot(in: row) }
        return found
    }

    /// The complete snapshots, the oldest first.
    package func snapshots() throws(LogProblem) -> [LoggedSnapshot] {
        var found: [LoggedSnapshot] = []
        try database().run(
            "SELECT position, time, rules, crc, pieces, bytes FROM snapshots ORDER BY position"
        ) { (row) throws(LogProblem) in found.append(try snapshot(in: row)) }
        return found
    }

    private func snapshot(in row: borrowing SQLiteRow) throws(LogProblem) -> LoggedSnapshot {
        let numbers = [row.number(0), row.number(1), row.number(2), row.number(4), row.number(5)].map { $0 ?? -1 }
        guard let position = UInt64(exactly: numbers[0]), let rules = UInt32(exactly: numbers[2]),
            case let snapshot = LoggedSnapshot(
                position: position, time: Instant(milliseconds: numbers[1]), rules: rules,
                pieceCount: Int(numbers[3]), byteCount: Int(numbers[4])),
            row.number(3) == Int64(RunLog.checksum(of: snapshot))
        else { throw damaged("the entry of snapshot \(numbers[0]) is not what was written") }
        return snapshot
    }

    /// A piece of a complete snapshot, in the order in which they were written, from 0.
    package func piece(_ number: Int, of snapshot: LoggedSnapshot) throws(LogProblem) -> SnapshotPiece {
        var found: SnapshotPiece?
        try database().run(
            "SELECT section, crc, bytes FROM snapshot WHERE position = ? AND piece = ?", .number(snapshot.position),
            .number(Int64(number))
        ) { (row) throws(LogProblem) in
            let piece = SnapshotPiece(section: row.text(0), bytes: row.bytes(2))
            guard row.number(1) == Int64(RunLog.checksum(of: piece, number, snapshot.position)) else {
                throw damaged("piece \(number) of snapshot \(snapshot.position) is not what was written")
            }
            found = piece
        }
        guard let found else { throw damaged("piece \(number) of snapshot \(snapshot.position) is missing") }
        return found
    }

    private static func checksum(of piece: SnapshotPiece, _ number: Int, _ position: UInt64) -> UInt32 {
        var checksum = RowChecksum()
        checksum.add(position)
        checksum.add(number)
        checksum.add(piece.section)
        checksum.add(piece.bytes)
        return checksum.value
    }

    private static func checksum(of snapshot: LoggedSnapshot) -> UInt32 {
        var checksum = RowChecksum()
        checksum.add(snapshot.position)
        checksum.add(snapshot.time.milliseconds)
        checksum.add(snapshot.rules)
        checksum.add(snapshot.pieceCount)
        checksum.add(snapshot.byteCount)
        return checksum.value
    }

    // MARK: Trimming

    /// Removes a part of the batches before a position, and of the snapshots that need them; returns whether there is
    /// more to remove, for another call after the next batches.
    ///
    /// The newest batch and what the newest complete snapshot needs always stay, and so do other batches of the same
    /// file. Room that becomes free is used again; when much of the database is free, it becomes smaller.
    package func trim(before position: UInt64) throws(LogProblem) -> Bool {
        let database = try writer()
        guard let newest = try newestSnapshot() else { return false }
        let end = min(position, newest.position + 1, lastPosition)
        // A snapshot of the batch before the first one that stays is of use.
        try database.run("DELETE FROM snapshots WHERE position + 1 < ?", .number(end))
        try dropUnfinishedSnapshots(database, piecesMax: RunLog.trimmedPiecesMax)
        guard database.changeCount < RunLog.trimmedPiecesMax else { return true }
        try database.run(
            """
            DELETE FROM log WHERE position IN
            (SELECT position FROM log WHERE position < ? ORDER BY position LIMIT \(RunLog.trimmedBatchesMax))
            """, .number(end))
        let trimmedCount = database.changeCount
        firstPosition += UInt64(trimmedCount)
        guard trimmedCount < RunLog.trimmedBatchesMax else { return true }
        if firstPosition > lastRow ?? 0, try files?.removeOldest(before: end) ?? false {
            firstPosition = files?.positions?.lowerBound ?? firstPosition
            return true
        }
        return try vacuum(database)
    }

    /// Makes the file smaller by a part of what is free and not needed soon; returns whether there is more.
    private func vacuum(_ database: SQLiteDatabase) throws(LogProblem) -> Bool {
        let pages = try database.number("PRAGMA page_count") ?? 0
        let free = try database.number("PRAGMA freelist_count") ?? 0
        let kept = max(pages / 4, Int64(RunLog.freeBytesKept / RunLog.pageBytes))
        let count = min(free - kept, Int64(RunLog.vacuumBytesMax / RunLog.pageBytes))
        guard count > 0 else { return false }
        try database.run("PRAGMA incremental_vacuum(\(count))")
        guard free - count <= kept else { return true }
        // Only a checkpoint makes the file smaller.
        try database.run("PRAGMA wal_checkpoint(PASSIVE)")
        return false
    }
}
