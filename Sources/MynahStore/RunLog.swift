package import APNsRules
internal import CSQLite
internal import MynahCore
internal import MynahSystem

/// The log of a run: batches of commands in their order, snapshots of the state that they lead to, and notes.
///
/// The newest batches are in ``BatchFiles``, everything else is in a SQLite database beside them. Belongs to the one thread
/// that writes; every call returns when it is done. ``close()`` leaves the database alone, with all batches in it. A
/// process that is killed leaves all files, and the next opening goes on with everything that had been appended.
package final class RunLog {
    /// The name of the file in its folder.
    package static let fileName = "run.mynah"
    /// What a batch, a piece of a snapshot or a note may have at most, in bytes.
    package static let bytesMax = 64 << 20
    /// How many bytes of pieces or batches one commit writes, or a single larger one: each commit waits for the disk.
    private static let commitBytesWhileOpen = 1 << 20
    private static let commitBytesAtClose = 16 << 20
    /// The note of the last position at the last stop: a file that ends before it has lost something.
    static let stopNote = "last position at stop"

    /// The path of the file.
    package let file: String
    package let isReadOnly: Bool
    /// The position of the oldest batch; 1 before the first one, too.
    package internal(set) var firstPosition: UInt64 = 1
    /// The position of the newest batch, and so the highest that was ever given out; 0 without any.
    package internal(set) var lastPosition: UInt64 = 0
    /// The snapshot that is being written.
    var unfinished: UnfinishedSnapshot?

    let sync: LogSync
    let vfs: String?
    let batchFileBytes: Int
    /// The position of the newest batch in the database; `nil` without any.
    var lastRow: UInt64?
    /// The newer batches.
    var files: BatchFiles?
    private(set) var commitBytesMax = RunLog.commitBytesWhileOpen
    private var folder: DataFolder?
    private var connection: SQLiteDatabase?
    // `nil` for a file of a test, which the system doesn't know.
    private var identity: SystemFile.Identity?
    /// Why the last batch could not be appended.
    private var failure: LogProblem?

    /// Opens the log of a folder for writing, and makes both where they are missing, for this user alone.
    ///
    /// - Parameters:
    ///   - owner: Who has the log, for another process that wants it: the server's URL, for instance.
    ///   - vfs: The name of SQLite's layer to the system, of which tests have their own.
    ///   - batchFileBytes: From how many bytes on a file of batches is followed by another one; `nil` for the usual size.
    package init(
        folder: String, sync: LogSync, owner: String = "", vfs: String? = nil, batchFileBytes: Int? = nil
    ) throws(LogProblem) {
        let folder = try DataFolder(writing: folder)
        try folder.write(owner: owner)
        self.file = "\(folder.path)/\(RunLog.fileName)"
        self.sync = sync
        self.vfs = vfs
        self.isReadOnly = false
        self.batchFileBytes = batchFileBytes ?? BatchFiles.fileBytes
        self.folder = consume folder
        let database = try connect()
        try dropUnfinishedSnapshots(database)
        connection = database
        identity = SystemFile.Identity(of: file)
    }

    /// Opens a log, or the log of a folder, for reading: nothing is written, and no file made.
    ///
    /// A log that a killed process left is read with the files beside it, as far as they are there.
    package init(reading path: String) throws(LogProblem) {
        let isFolder = DataFolder.isFolder(path)
        self.folder = try DataFolder(reading: isFolder ? path : DataFolder.parent(of: path))
        self.file = isFolder ? "\(path)/\(RunLog.fileName)" : path
        sync = .full
        vfs = nil
        batchFileBytes = BatchFiles.fileBytes
        isReadOnly = true
        connection = try connect()
    }

    /// Replaces the description of this process that another one gets which wants the log.
    package func setOwner(_ owner: String) throws(LogProblem) { try folder?.write(owner: owner) }

    /// Has later commits be few and large, since no batch waits for them any more.
    package func prepareToClose() throws(LogProblem) {
        commitBytesMax = RunLog.commitBytesAtClose
        try setCheckpoint(bytes: RunLog.commitBytesAtClose, of: writer())
    }

    /// Closes the log: everything is in one file, and another process can open it.
    ///
    /// It is closed after a problem, too, and then may have files beside it.
    package func close() throws(LogProblem) {
        defer { abandon() }
        guard let connection, !isReadOnly, failure == nil else { return }
        try prepareToClose()
        while try moveBatches(through: lastPosition) {}
        try setNote(RunLog.stopNote, String(lastPosition))
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
        try files?.removeAll()
    }

    /// Closes the log as it is, possibly with files beside it.
    package func abandon() {
        connection?.close()
        connection = nil
        files = nil
        if !isReadOnly { folder?.release() }
        folder = nil
    }

    /// Removes a folder that no process has open, with the files of its run, where they are there.
    ///
    /// - Throws: `LogProblem` for a folder that has something else in it, or can't be removed.
    package static func remove(folder: String) throws(LogProblem) {
        let names = [fileName, "\(fileName)-wal", DataFolder.lockName, ReplayMark.name]
        for name in names + BatchFiles.paths(of: fileName) {
            guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
                throw LogProblem(system: errno, file: folder)
            }
        }
        guard rmdir(folder) == 0 || errno == ENOENT else { throw LogProblem(system: errno, file: folder) }
    }

    // MARK: Batches

    /// Appends a batch, and returns its position.
    ///
    /// After a problem every call throws it until ``recover()`` has succeeded. Only after
    /// ``LogProblem/Code/tooLarge`` the log can be used at once.
    package func append(_ batch: [UInt8], time: Instant, rules: UInt32) throws(LogProblem) -> UInt64 {
        _ = try writer()
        try checkSize(batch.count, "a batch")
        let position = lastPosition + 1
        do throws(LogProblem) {
            try files?.append(LoggedBatch(position: position, time: time, rules: rules, bytes: batch))
        } catch {
            failure = error
            throw error
        }
        lastPosition = position
        return position
    }

    /// Makes sure, after a failed ``append(_:time:rules:)``, that its batch is not in the log.
    ///
    /// Needs no room on the disk. May be called again while it throws.
    package func recover() throws(LogProblem) {
        do throws(LogProblem) {
            try files?.cutOff()
            failure = nil
        } catch {
            failure = error
            throw error
        }
    }

    /// Finds out whether the batch that could not be appended would fit now.
    package func checkWritable() throws(LogProblem) {
        _ = try writer()
        try checkThere()
        try files?.checkWritable()
    }

    /// Checks that the files are where they were opened: what is written to removed files is lost.
    package func checkThere() throws(LogProblem) {
        let missing = identity == SystemFile.Identity(of: file) ? files?.missingPath : file
        guard let missing else { return }
        throw LogProblem(
            .missing, file: missing, "it was removed or moved while the server had it open",
            remedy: "Put it back, or start the server again")
    }

    /// What follows the last whole batch in the newest file, as it was found when the log was opened: a process that
    /// ended while it wrote has left it, or whoever cut the file.
    package var rest: String? {
        files?.rest.map { "\($0.path): its last \($0.byteCount) bytes are no whole batch of changes, and are left out" }
    }

    /// The batch after a position; `nil` after the newest.
    ///
    /// Batches can be appended between two calls. Throws ``LogProblem/Code/trimmed`` if it has been trimmed, and
    /// ``LogProblem/Code/damaged`` if it is not what was written.
    package func batch(after position: UInt64) throws(LogProblem) -> LoggedBatch? {
        let database = try database()
        guard position < lastPosition else { return nil }
        let next = position + 1
        guard next >= firstPosition else { throw try absence(of: next, in: database) }
        guard next <= lastRow ?? 0 else { return try files?.batch(at: next) }
        var found: LoggedBatch?
        try database.run("SELECT time, rules, crc, batch FROM log WHERE position = ?", .number(next)) {
            (row) throws(LogProblem) in
            guard let rules = UInt32(exactly: row.number(1) ?? -1),
                case let batch = LoggedBatch(
                    position: next, time: Instant(milliseconds: row.number(0) ?? 0), rules: rules, bytes: row.bytes(3)),
                row.number(2) == Int64(batch.checksum)
            else { throw damaged("batch \(next) is not what was written") }
            found = batch
        }
        guard let found else { throw damaged("batch \(next) of \(lastPosition) is missing") }
        return found
    }

    /// Why a batch before the first one is not there.
    private func absence(of position: UInt64, in database: SQLiteDatabase) throws(LogProblem) -> LogProblem {
        // What is trimmed is removed after the snapshots that need it.
        guard let oldest = try database.number("SELECT min(position) FROM snapshots").flatMap({ UInt64(exactly: $0) }),
            oldest < position, oldest + 1 < firstPosition
        else {
            return LogProblem(
                .trimmed, file: file, "its batches before \(firstPosition) have been trimmed: \(position) was asked for"
            )
        }
        return LogProblem(
            .missing, file: file,
            "its batches \(oldest + 1) to \(firstPosition - 1) are in a file beside it that is missing",
            remedy: LogProblem.copyRemedy)
    }

    /// Moves a part of the batches up to a position from their files to the database, where they stay until they are
    /// trimmed; returns whether there are more.
    package func moveBatches(through end: UInt64) throws(LogProblem) -> Bool {
        guard let positions = files?.positions else { return false }
        let database = try writer()
        var next = max(positions.lowerBound, (lastRow ?? 0) + 1)
        let last = min(end, positions.upperBound)
        guard next <= last else { return try removeMovedFiles(database) }
        try database.transaction { () throws(LogProblem) in
            var byteCount = 0
            while next <= last, byteCount < commitBytesMax, let batch = try files?.batch(at: next) {
                try database.run(
                    "INSERT INTO log (position, time, rules, crc, batch) VALUES (?, ?, ?, ?, ?)",
                    .number(batch.position), .number(batch.time.milliseconds), .number(batch.rules),
                    .number(batch.checksum), bytes: batch.bytes)
                byteCount += batch.bytes.count
                next += 1
            }
        }
        lastRow = next - 1
        return true
    }

    private func removeMovedFiles(_ database: SQLiteDatabase) throws(LogProblem) -> Bool {
        try makeDurable(database)
        while try files?.removeOldest(before: (lastRow ?? 0) + 1) ?? false {}
        return false
    }

    /// The mark for a start that applies the batches; `nil` if the log was opened for reading.
    package func replayMark() throws(LogProblem) -> ReplayMark? {
        isReadOnly ? nil : try ReplayMark(folder: DataFolder.parent(of: file))
    }

    // MARK: Notes

    /// The text of the note with a key.
    package func text(ofNote key: String) throws(LogProblem) -> String? { try text(ofNote: key, in: database()) }

    func text(ofNote key: String, in database: SQLiteDatabase) throws(LogProblem) -> String? {
        var value: String?
        try database.run("SELECT crc, value FROM note WHERE key = ?", .text(key)) { (row) throws(LogProblem) in
            let text = row.text(1)
            guard row.number(0) == Int64(RunLog.checksum(ofNote: key, text)) else {
                throw damaged("the note '\(key)' is not what was written")
            }
            value = text
        }
        return value
    }

    /// Writes the note with a key, in place of an earlier one; `nil` removes it.
    package func setNote(_ key: String, _ value: String?) throws(LogProblem) {
        try setNote(key, value, in: writer())
    }

    func setNote(_ key: String, _ value: String?, in database: SQLiteDatabase) throws(LogProblem) {
        guard let value else { return try database.run("DELETE FROM note WHERE key = ?", .text(key)) }
        try checkSize(value.utf8.count, "a note")
        try database.run(
            "INSERT OR REPLACE INTO note (key, crc, value) VALUES (?, ?, ?)", .text(key),
            .number(RunLog.checksum(ofNote: key, value)), .text(value))
    }

    /// What the log takes on the disk, in bytes.
    package var fileBytes: Int {
        [file, "\(file)-wal"].reduce(files?.byteCount ?? 0) { $0 + (RunLog.size(of: $1) ?? 0) }
    }

    // MARK: For the parts of the log

    func database() throws(LogProblem) -> SQLiteDatabase {
        if let failure { throw failure }
        guard let connection else { throw LogProblem(.closed, file: file, "the log has been closed") }
        return connection
    }

    func writer() throws(LogProblem) -> SQLiteDatabase {
        guard !isReadOnly else { throw LogProblem(.readOnly, file: file, "it was opened for reading") }
        return try database()
    }

    func damaged(_ what: String) -> LogProblem {
        LogProblem(.damaged, file: file, what, remedy: LogProblem.damagedRemedy)
    }

    func checkSize(_ count: Int, _ what: String) throws(LogProblem) {
        guard count <= RunLog.bytesMax else {
            throw LogProblem(
                .tooLarge, file: file, "\(what) has \(count) bytes: at most \(RunLog.bytesMax) were expected")
        }
    }

    private static func checksum(ofNote key: String, _ value: String) -> UInt32 {
        var checksum = RowChecksum()
        checksum.add(key)
        checksum.add(value)
        return checksum.value
    }
}
