internal import CSQLite
internal import MynahSystem

// Opens a run: the database, then the files beside it. ``BatchFiles`` reads those, and cuts off a batch that was torn.
extension RunLog {
    /// The version of the tables and files, of which the first had all batches in the database; a later one is refused.
    ///
    /// `Architecture#Versions-of-what-is-kept` has all versions of what a run or a cluster keeps.
    private static let formatVersion: Int64 = 2
    /// `Myna`, by which the file is told from the files of other programs.
    private static let applicationID: Int64 = 0x4d79_6e61
    static let pageBytes = 8 << 10
    /// The size at which the write-ahead log is moved to the file: few bytes, because batches wait for that.
    private static let checkpointBytes = 1 << 20
    /// The bytes that SQLite needs for a row besides the row's value.
    private static let rowBytesMax = 4 << 10

    private static let tables = [
        "log": """
        CREATE TABLE log (position INTEGER PRIMARY KEY, time INTEGER NOT NULL, rules INTEGER NOT NULL, \
        crc INTEGER NOT NULL, batch BLOB NOT NULL) STRICT
        """,
        "note": """
        CREATE TABLE note (key TEXT PRIMARY KEY, crc INTEGER NOT NULL, value TEXT NOT NULL) STRICT
        """,
        "snapshot": """
        CREATE TABLE snapshot (position INTEGER NOT NULL, piece INTEGER NOT NULL, section TEXT NOT NULL, \
        crc INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (position, piece)) STRICT
        """,
        "snapshots": """
        CREATE TABLE snapshots (position INTEGER PRIMARY KEY, time INTEGER NOT NULL, rules INTEGER NOT NULL, \
        crc INTEGER NOT NULL, pieces INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT
        """,
    ]

    /// Opens the database and the files beside it, and sets the first and the last position.
    func connect() throws(LogProblem) -> SQLiteDatabase {
        for path in [file, "\(file)-wal", "\(file)-journal", "\(file)-shm"] { try SystemFile.checkPlain(path) }
        let database = try isReadOnly ? openForReading() : openForWriting()
        try readBounds(of: database)
        return database
    }

    private func openForWriting() throws(LogProblem) -> SQLiteDatabase {
        // SQLite would give the file other permissions, and open for reading what it can't write.
        let made = MynahSystem.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw LogProblem(system: errno, file: file) }
        MynahSystem.close(made)

        let database = try open("", flags: SQLITE_OPEN_READWRITE, vfs: vfs)
        // No other connection, so no shared memory either.
        try database.run("PRAGMA locking_mode = EXCLUSIVE")
        let isNew = try isEmpty(database)
        if !isNew {
            // Before anything is written to what may be another program's.
            try checkFormat(of: database)
        } else {
            try checkNotBegun()
            try database.run("PRAGMA page_size = \(RunLog.pageBytes)")
            try database.run("PRAGMA auto_vacuum = INCREMENTAL")
        }
        try database.run("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA synchronous = \(sync.rawValue)")
        try setCheckpoint(bytes: RunLog.checkpointBytes, of: database)
        // After a piece of a snapshot, which may be much larger.
        try database.run("PRAGMA journal_size_limit = \(4 * RunLog.checkpointBytes)")
        // Debian's library would fill what has been trimmed with zeros.
        try database.run("PRAGMA secure_delete = OFF")
        try database.run("PRAGMA fullfsync = ON")
        if isNew {
            try database.transaction { () throws(LogProblem) in
                for sql in RunLog.tables.sorted(by: { $0.key < $1.key }).map(\.value) { try database.run(sql) }
                try database.run("PRAGMA application_id = \(RunLog.applicationID)")
                try database.run("PRAGMA user_version = \(RunLog.formatVersion)")
            }
            try makeDurable(database)
        } else {
            try database.run("PRAGMA user_version = \(RunLog.formatVersion)")
        }
        try dropPushes(in: database)
        return database
    }

    /// Removes the rows of pushes that earlier versions kept beside the journal, which would be out of date.
    private func dropPushes(in database: SQLiteDatabase) throws(LogProblem) {
        var found: [(type: String, name: String)] = []
        try database.run("SELECT type, name FROM sqlite_schema WHERE name IN ('push', 'pushes')") { row in
            found.append((row.text(0), row.text(1)))
        }
        guard !found.isEmpty else { return }
        do throws(LogProblem) {
            try database.transaction { () throws(LogProblem) in
                for object in found { try database.run("DROP \(object.type) IF EXISTS \(object.name)") }
                try database.run("DELETE FROM note WHERE key = 'last position of pushes'")
            }
        } catch {
            // A damaged page of the snapshots damages no batch.
            guard error.code == .damaged else { throw error }
        }
    }

    func setCheckpoint(bytes: Int, of database: SQLiteDatabase) throws(LogProblem) {
        try database.run("PRAGMA wal_autocheckpoint = \(bytes / RunLog.pageBytes)")
    }

    private func openForReading() throws(LogProblem) -> SQLiteDatabase {
        guard RunLog.size(of: file) != nil else { throw LogProblem(system: errno, file: file) }
        let log = RunLog.size(of: "\(file)-wal") ?? 0
        let database: SQLiteDatabase
        if log == 0 {
            // Immutable, or SQLite makes a write-ahead log beside it.
            database = try open("?immutable=1", flags: SQLITE_OPEN_READONLY, vfs: vfs)
        } else {
            // SQLite wants to lock the file or to share memory, which it can't in a folder that it may not write. The
            // folder's lock takes the place of the file's.
            database = try open("?mode=ro", flags: SQLITE_OPEN_READONLY, vfs: vfs ?? "unix-none")
            database.keepLogAtClose()
            try database.run("PRAGMA locking_mode = EXCLUSIVE")
        }
        guard try !isEmpty(database) else {
            try checkNotBegun()
            throw LogProblem(notBegun: file)
        }
        try checkFormat(of: database)
        return database
    }

    private func open(_ parameters: String, flags: Int32, vfs: String?) throws(LogProblem) -> SQLiteDatabase {
        let database = try SQLiteDatabase(
            "file:\(RunLog.escaped(file))\(parameters)", file: file, flags: flags,
            bytesMax: Int32(RunLog.bytesMax + RunLog.rowBytesMax), vfs: vfs)
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA cell_size_check = ON")
        return database
    }

    /// Whether no program has written to it: the file is empty, or its first opening was cut off.
    private func isEmpty(_ database: SQLiteDatabase) throws(LogProblem) -> Bool {
        guard try database.number("PRAGMA application_id") == 0 else { return false }
        return try database.number("SELECT count(*) FROM sqlite_schema") == 0
    }

    /// Checks that an empty database is one of a log that has not begun.
    private func checkNotBegun() throws(LogProblem) {
        guard try batchFiles(after: nil, isReadOnly: true).positions == nil else {
            throw LogProblem(
                .damaged, file: file, "it is empty, and there are batches in the files beside it",
                remedy: LogProblem.copyRemedy)
        }
    }

    private func batchFiles(after last: UInt64?, isReadOnly: Bool) throws(LogProblem) -> BatchFiles {
        try BatchFiles(
            of: file, after: last, sync: sync, isReadOnly: isReadOnly, vfs: vfs, fileBytes: batchFileBytes)
    }

    private func checkFormat(of database: SQLiteDatabase) throws(LogProblem) {
        guard try database.number("PRAGMA application_id") == RunLog.applicationID else {
            throw LogProblem(
                .foreign, file: file, "it is another program's SQLite database", remedy: LogProblem.foreignRemedy)
        }
        let version = try database.number("PRAGMA user_version") ?? 0
        guard version <= RunLog.formatVersion else {
            throw LogProblem(
                .newer, file: file,
                "a later version of Mynah wrote it, in format \(version): "
                    + "at most \(RunLog.formatVersion) was expected",
                remedy: "Open it with that version")
        }
        guard version > 0 else { throw damaged("its format has the version \(version)") }
        var tables: [String: String] = [:]
        try database.run("SELECT name, sql FROM sqlite_schema") { row in tables[row.text(0)] = row.text(1) }
        for (name, sql) in RunLog.tables where tables[name] != sql {
            throw damaged("its table '\(name)' is not the one that was made")
        }
    }

    /// Reads the first and the last position; ``BatchFiles`` cuts off what a crash left after the last whole batch.
    private func readBounds(of database: SQLiteDatabase) throws(LogProblem) {
        let first = try database.number("SELECT min(position) FROM log")
        lastRow = try database.number("SELECT max(position) FROM log").map { UInt64(max($0, 0)) }
        guard first ?? 1 > 0 else { throw damaged("it has a batch \(first ?? 0)") }
        let files = try batchFiles(after: lastRow, isReadOnly: isReadOnly)
        self.files = files
        firstPosition = first.map { UInt64($0) } ?? files.positions?.lowerBound ?? 1
        lastPosition = max(lastRow ?? 0, files.positions?.upperBound ?? 0)
        let stop = try text(ofNote: RunLog.stopNote, in: database).flatMap { UInt64($0) } ?? 0
        let snapshot = try database.number("SELECT max(position) FROM snapshots") ?? 0
        guard max(stop, UInt64(max(snapshot, 0))) <= lastPosition else {
            throw LogProblem(
                .damaged, file: file,
                "it ends with batch \(lastPosition), and \(max(stop, UInt64(snapshot))) had been written",
                remedy: LogProblem.copyRemedy)
        }
    }

    /// A path within a URI.
    static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { escaped, byte in
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            default: escaped.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
    }

    /// The bytes of a file; `nil`, with the system's error, if it can't be found.
    static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
