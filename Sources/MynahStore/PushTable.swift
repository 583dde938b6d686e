internal import CSQLite
internal import MynahSystem

/// A SQLite file with a row for each push of a journal, for readers with SQL.
package enum PushTable {
    /// How many rows are made at once, and committed together.
    private static let rowsAtOnce = 1024

    /// Writes a file for this user alone, with the table `pushes`; returns how many rows it has.
    ///
    /// - Parameters:
    ///   - columns: All columns but the first, which is the number `sequence`, each with SQLite's name of its type.
    ///   - next: Returns the rows after a number, in the order of their numbers. No more than are asked for; fewer are the
    ///     last ones.
    /// - Throws: `LogProblem`, with ``LogProblem/Code/inUse`` if there is something at the path; then no file is left.
    package static func write(
        to path: String, columns: [(name: String, type: String)],
        from next: (_ sequence: UInt64, _ countMax: Int) -> [(sequence: UInt64, values: [SQLiteValue])]
    ) throws(LogProblem) -> Int {
        let made = MynahSystem.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 || errno != EEXIST else {
            throw LogProblem(.inUse, file: path, "it is there already: the name of a new file was expected")
        }
        guard made >= 0 || errno != ENOENT else {
            throw LogProblem(
                .missing, file: path, "its folder does not exist: expected one in which the file can be made")
        }
        guard made >= 0 else { throw LogProblem(system: errno, file: path) }
        MynahSystem.close(made)
        do throws(LogProblem) {
            return try fill(path, columns, from: next)
        } catch {
            unlink(path)
            throw error
        }
    }

    private static func fill(
        _ path: String, _ columns: [(name: String, type: String)],
        from next: (UInt64, Int) -> [(sequence: UInt64, values: [SQLiteValue])]
    ) throws(LogProblem) -> Int {
        let database = try SQLiteDatabase(
            "file:\(RunLog.escaped(path))", file: path, flags: SQLITE_OPEN_READWRITE, bytesMax: Int32(RunLog.bytesMax))
        defer { database.close() }
        // Without a journal writing is faster, and a file that isn't complete is removed anyway.
        try database.run("PRAGMA journal_mode = OFF")
        try database.run("PRAGMA synchronous = OFF")
        let declared = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        try database.run("CREATE TABLE pushes (sequence INTEGER PRIMARY KEY, \(declared)) STRICT")
        let places = repeatElement("?", count: columns.count + 1).joined(separator: ", ")
        var count = 0
        var last = UInt64(0)
        while true {
            let rows = next(last, rowsAtOnce)
            try database.transaction { () throws(LogProblem) in
                let lists = rows.lazy.map { row -> [SQLiteValue] in [.number(row.sequence)] + row.values }
                try database.run("INSERT INTO pushes VALUES (\(places))", forEach: lists)
            }
            count += rows.count
            guard rows.count == rowsAtOnce, let newest = rows.last?.sequence else { return count }
            last = newest
        }
    }
}
