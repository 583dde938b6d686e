package import APNsRules
internal import CSQLite
internal import MynahCore
internal import MynahSystem

/// The log of a run in one SQLite file: batches of commands in their order, snapshots of the state that they lead to,
/// and notes.
///
/// Belongs to the one thread that writes; every call returns when it is done. While the log is open, the file
/// `run.mynah-wal` is beside it; ``close()`` leaves one file. A process that is killed leaves both, and the next
/// opening goes on with everything that had been committed.
package final class SQLiteLog {
    /// The name of the file in its folder.
    package static let fileName = "run.mynah"
    /// What a batch, a piece of a snapshot or a note may have at most, in bytes.
    package static let bytesMax = 64 << 20
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
    private var folder: DataFolder?
    private var connection: SQLiteDatabase?
    /// The batch of which nobody knows whether it was committed.
    private var doubt: (position: UInt64, crc: Int64, problem: LogProblem)?

    /// Opens the log of a folder for writing, and makes both where they are missing, for this user alone.
    ///
    /// - Parameters:
    ///   - owner: Who has the log, for another process that wants it: the server's URL, for instance.
    ///   - vfs: The name of SQLite's layer to the system, of which tests have their own.
    package init(folder: String, sync: LogSync, owner: String = "", vfs: String? = nil) throws(LogProblem) {
        let folder = try DataFolder(writing: folder)
        try folder.write(owner: owner)
        (self.file, self.sync, self.vfs, self.isReadOnly) = ("\(folder.path)/\(SQLiteLog.fileName)", sync, vfs, false)
        self.folder = consume folder
        let database = try connect()
        try dropUnfinishedSnapshots(database)
        connection = database
    }

    /// Opens a log, or the log of a folder, for reading: nothing is written, and no file made.
    ///
    /// A log that a killed process left beside its `run.mynah-wal` is read with it, where both are.
    package init(reading path: String) throws(LogProblem) {
        let isFolder = DataFolder.isFolder(path)
        self.folder = try DataFolder(reading: isFolder ? path : DataFolder.parent(of: path))
        self.file = isFolder ? "\(path)/\(SQLiteLog.fileName)" : path
        (self.sync, self.vfs, self.isReadOnly) = (.full, nil, true)
        connection = try connect()
    }

    /// The folder in which a server kept the log and can go on; `nil` for a file that was taken elsewhere.
    package var dataFolder: String? {
        let folder = DataFolder.parent(of: file)
        let isThere = file.hasSuffix("/\(SQLiteLog.fileName)") && DataFolder.isLockThere(in: folder)
        return isThere ? folder : nil
    }

    /// Replaces what another process that wants the log is told of this one.
    package func setOwner(_ owner: String) throws(LogProblem) { try folder?.write(owner: owner) }

    /// Closes the log: everything is in one file, and another process can open it.
    ///
    /// It is closed after a problem, too, and then may have its `run.mynah-wal` beside it.
    package func close() throws(LogProblem) {
        defer { abandon() }
        guard let connection, !isReadOnly, doubt == nil else { return }
        try setNote(SQLiteLog.stopNote, String(lastPosition))
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Closes the log as it is, possibly with its `run.mynah-wal` beside it.
    package func abandon() {
        connection?.close()
        connection = nil
        if !isReadOnly { folder?.release() }
        folder = nil
    }

    /// Removes a folder that no process has open, with the files of its run, where they are there.
    ///
    /// - Throws: `LogProblem` for a folder that has something else in it, or can't be removed.
    package static func remove(folder: String) throws(LogProblem) {
        for name in [fileName, "\(fileName)-wal", DataFolder.lockName, ReplayMark.name] {
            guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
                throw LogProblem(system: errno, file: folder)
            }
        }
        guard rmdir(folder) == 0 || errno == ENOENT else { throw LogProblem(system: errno, file: folder) }
    }

    // MARK: Batches

    /// Commits a batch, and returns its position.
    ///
    /// After a problem the batch may be in the log or not, and every call throws that problem until ``recover()`` has
    /// found out. Only after ``LogProblem/Code/tooLarge`` it certainly isn't, and the log can be used at once.
    package func append(_ batch: [UInt8], time: Instant, rules: UInt32) throws(LogProblem) -> UInt64 {
        let database = try writer()
        try checkSize(batch.count, "a batch")
        let position = lastPosition + 1
        let crc = SQLiteLog.checksum(ofBatch: position, time.milliseconds, Int64(rules), batch)
        do throws(LogProblem) {
            try database.run(
                "INSERT INTO log (position, time, rules, crc, batch) VALUES (?, ?, ?, ?, ?)",
                .number(position), .number(time.milliseconds), .number(Int64(rules)), .number(crc), bytes: batch)
        } catch {
            doubt = (position, crc, error)
            throw error
        }
        lastPosition = position
        return position
    }

    /// Opens the file again after a failed ``append(_:time:rules:)``, and says whether its batch is in the log.
    ///
    /// If it is there, returns after everything has been moved from the write-ahead log to the file and synchronised,
    /// since what a failed call has written may be visible without being on the disk. Throws while the file can't be
    /// opened or, if the batch is there, written; it may then be called again.
    package func recover() throws(LogProblem) -> Bool {
        guard let doubt else { return false }
        connection?.close()
        connection = nil
        self.doubt = nil
        do throws(LogProblem) {
            connection = try connect()
            let crc = try database().number("SELECT crc FROM log WHERE position = ?", .number(doubt.position))
            guard crc == doubt.crc else { return false }
            try database().run("PRAGMA wal_checkpoint(TRUNCATE)")
            return true
        } catch {
            self.doubt = (doubt.position, doubt.crc, error)
            throw error
        }
    }

    /// Writes something without meaning, to find out whether the log can be written.
    package func checkWritable() throws(LogProblem) { try setNote("last probe", String(lastPosition)) }

    /// The batch after a position; `nil` after the newest.
    ///
    /// Batches can be appended between two calls. Throws ``LogProblem/Code/trimmed`` if it has been trimmed, and
    /// ``LogProblem/Code/damaged`` if it is not what was written.
    package func batch(after position: UInt64) throws(LogProblem) -> LoggedBatch? {
        let database = try database()
        guard position < lastPosition else { return nil }
        let next = position + 1
        guard next >= firstPosition else {
            throw LogProblem(
                .trimmed, file: file, "its batches before \(firstPosition) have been trimmed: \(next) was asked for")
        }
        var found: LoggedBatch?
        try database.run("SELECT time, rules, crc, batch FROM log WHERE position = ?", .number(next)) {
            (row) throws(LogProblem) in
            let (time, rules, bytes) = (row.number(0) ?? 0, row.number(1) ?? 0, row.bytes(3))
            guard row.number(2) == SQLiteLog.checksum(ofBatch: next, time, rules, bytes),
                let rules = UInt32(exactly: rules)
            else {
                throw damaged("batch \(next) is not what was written")
            }
            found = LoggedBatch(position: next, time: Instant(milliseconds: time), rules: rules, bytes: bytes)
        }
        guard let found else { throw damaged("batch \(next) of \(lastPosition) is missing") }
        return found
    }

    /// The mark for a start that applies the batches; `nil` if the log was opened for reading.
    package func replayMark() throws(LogProblem) -> ReplayMark? {
        isReadOnly ? nil : try ReplayMark(folder: DataFolder.parent(of: file))
    }

    // MARK: Notes

    /// What was noted under a key.
    package func note(_ key: String) throws(LogProblem) -> String? { try note(key, in: database()) }

    func note(_ key: String, in database: SQLiteDatabase) throws(LogProblem) -> String? {
        var value: String?
        try database.run("SELECT crc, value FROM note WHERE key = ?", .text(key)) { (row) throws(LogProblem) in
            let text = row.text(1)
            guard row.number(0) == SQLiteLog.checksum(ofNote: key, text) else {
                throw damaged("the note '\(key)' is not what was written")
            }
            value = text
        }
        return value
    }

    /// Notes a text under a key, in place of an earlier one; `nil` removes it.
    package func setNote(_ key: String, _ value: String?) throws(LogProblem) {
        try setNote(key, value, in: writer())
    }

    func setNote(_ key: String, _ value: String?, in database: SQLiteDatabase) throws(LogProblem) {
        guard let value else { return try database.run("DELETE FROM note WHERE key = ?", .text(key)) }
        try checkSize(value.utf8.count, "a note")
        try database.run(
            "INSERT OR REPLACE INTO note (key, crc, value) VALUES (?, ?, ?)", .text(key),
            .number(SQLiteLog.checksum(ofNote: key, value)), .text(value))
    }

    /// What the log takes on the disk, with its write-ahead log, in bytes.
    package var fileBytes: Int {
        [file, "\(file)-wal"].reduce(0) { $0 + (SQLiteLog.size(of: $1) ?? 0) }
    }

    // MARK: For the parts of the log

    func database() throws(LogProblem) -> SQLiteDatabase {
        if let doubt { throw doubt.problem }
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
        guard count <= SQLiteLog.bytesMax else {
            throw LogProblem(
                .tooLarge, file: file, "\(what) has \(count) bytes: at most \(SQLiteLog.bytesMax) were expected")
        }
    }

    private static func checksum(ofBatch position: UInt64, _ time: Int64, _ rules: Int64, _ bytes: [UInt8]) -> Int64 {
        var checksum = RowChecksum()
        checksum.add(position)
        checksum.add(time)
        checksum.add(rules)
        checksum.add(bytes)
        return checksum.value
    }

    private static func checksum(ofNote key: String, _ value: String) -> Int64 {
        var checksum = RowChecksum()
        checksum.add(key)
        checksum.add(value)
        return checksum.value
    }
}
