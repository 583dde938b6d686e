internal import CSQLite
internal import MynahSystem

/// The owner of a connection to SQLite, and of its statements: nothing else calls the library.
///
/// Belongs to one thread, as SQLite's own locks are switched off.
final class SQLiteDatabase {
    private let handle: OpaquePointer
    /// Prepared once, by their text.
    private var statements: [String: OpaquePointer] = [:]
    private var isOpen = true
    let file: String

    /// Opens the database that a URI names; `file` is its path, for problems.
    ///
    /// - Parameter vfs: The name of SQLite's layer to the system, of which tests have their own.
    init(
        _ uri: String, file: String, flags: Int32, bytesMax: Int32, vfs: String? = nil
    ) throws(LogProblem) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(uri, &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, vfs)
        guard let handle else { throw LogProblem(.inputOutput, file: file, "SQLite has no memory") }
        self.handle = handle
        self.file = file
        sqlite3_extended_result_codes(handle, 1)
        try check(code)
        // So that a damaged length can't fill the memory.
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, bytesMax)
    }

    deinit { close() }

    /// Closes the file, from its log to the file itself as the last of its connections; failures are of no consequence
    /// for what was committed.
    func close() {
        guard isOpen else { return }
        isOpen = false
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close(handle)
    }

    /// Leaves the write-ahead log and the file as they are when the connection is closed.
    func keepLogAtClose() { _ = mynah_sqlite3_keep_wal_at_close(handle) }

    /// Runs a statement and hands its rows to `row`.
    ///
    /// - Parameter bytes: The value of the last parameter, which is not copied.
    func run(
        _ sql: String, _ values: SQLiteValue..., bytes: [UInt8]? = nil,
        row: (borrowing SQLiteRow) throws(LogProblem) -> Void = { _ in }
    ) throws(LogProblem) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try check(value.bind(to: statement, Int32(index + 1))) }
        guard let bytes else { return try steps(of: statement, row) }
        // The bytes have to stay where they are until the statement has ended.
        try bytes.span.withUnsafeBytes { (pointer) throws(LogProblem) in
            try check(
                sqlite3_bind_blob64(
                    statement, Int32(values.count + 1), pointer.baseAddress, UInt64(pointer.count), nil))
            try steps(of: statement, row)
        }
    }

    /// Runs a statement once for each of several lists of values.
    func run(_ sql: String, forEach lists: some Sequence<[SQLiteValue]>) throws(LogProblem) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for values in lists {
            for (index, value) in values.enumerated() { try check(value.bind(to: statement, Int32(index + 1))) }
            try steps(of: statement) { _ in }
            sqlite3_reset(statement)
        }
    }

    private func steps(
        of statement: OpaquePointer, _ row: (borrowing SQLiteRow) throws(LogProblem) -> Void
    ) throws(LogProblem) {
        while true {
            let code = sqlite3_step(statement)
            guard code != SQLITE_DONE else { return }
            guard code == SQLITE_ROW else { throw problem(code) }
            try row(SQLiteRow(statement: statement))
        }
    }

    /// The number in the first column of the first row; `nil` without a row, or where it is NULL.
    func number(_ sql: String, _ values: SQLiteValue...) throws(LogProblem) -> Int64? {
        var number: Int64?
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try check(value.bind(to: statement, Int32(index + 1))) }
        try steps(of: statement) { row in number = number ?? row.number(0) }
        return number
    }

    /// Makes several changes in one transaction.
    func transaction(_ body: () throws(LogProblem) -> Void) throws(LogProblem) {
        try run("BEGIN IMMEDIATE")
        do throws(LogProblem) {
            try body()
            try run("COMMIT")
        } catch {
            // SQLite has done so itself after some errors.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// How many rows the last statement has changed.
    var changeCount: Int { Int(sqlite3_changes64(handle)) }

    private func prepared(_ sql: String) throws(LogProblem) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { preconditionFailure("an empty statement") }
        statements[sql] = statement
        return statement
    }

    private func check(_ code: Int32) throws(LogProblem) {
        guard code == SQLITE_OK else { throw problem(code) }
    }

    private func problem(_ code: Int32) -> LogProblem {
        let said = String(cString: sqlite3_errmsg(handle))
        return LogProblem(sqlite: code, system: sqlite3_system_errno(handle), said, file: file) { damage() }
    }

    /// Where the file is damaged, as SQLite finds it: a tree and a page of it, for instance.
    private func damage() -> String? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, "PRAGMA quick_check(1)", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { return nil }
        let found = String(cString: text).split(separator: "\n").last.map(String.init)
        return found == "ok" ? nil : found
    }
}

/// A value of a statement's parameter.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case number(Int64)
    case text(String)
    case bytes([UInt8])

    /// A position or count: SQLite's numbers have a sign.
    static func number(_ value: UInt64) -> SQLiteValue { .number(Int64(clamping: value)) }
    /// A checksum.
    static func number(_ value: UInt32) -> SQLiteValue { .number(Int64(value)) }

    fileprivate func bind(to statement: OpaquePointer, _ index: Int32) -> Int32 {
        // SQLITE_TRANSIENT, a macro that Swift doesn't import: SQLite copies the value.
        let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .number(let number): return sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                // A text without an address would be NULL.
                guard let start = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_text64(statement, index, "", 0, copy, UInt8(SQLITE_UTF8))
                }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text64(statement, index, $0, UInt64(bytes.count), copy, UInt8(SQLITE_UTF8))
                }
            }
        case .bytes(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
            return sqlite3_bind_blob64(statement, index, bytes, UInt64(bytes.count), copy)
        }
    }
}

/// The present row of a statement that runs.
///
/// SQLite converts a column of another type than the expected one; checksums find that.
struct SQLiteRow: ~Copyable {
    fileprivate let statement: OpaquePointer

    func number(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func bytes(_ column: Int32) -> [UInt8] {
        // The pointer first: asking for it may convert the value, and so change the count.
        guard let pointer = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: pointer, count: Int(sqlite3_column_bytes(statement, column))))
    }
}

extension LogProblem {
    /// The problem behind an error of SQLite.
    ///
    /// - Parameters:
    ///   - system: The system's own error, which SQLite keeps of reads, writes and openings.
    ///   - said: SQLite's words.
    ///   - damage: Looks where the file is damaged.
    init(sqlite code: Int32, system: Int32, _ said: String, file: String, damage: () -> String? = { nil }) {
        let failed = "SQLite says: \(said) (\(code))" + (system == 0 ? "" : ", \(String(cString: strerror(system)))")
        switch (code & 0xff, system) {
        case (SQLITE_FULL, _), (SQLITE_IOERR, ENOSPC), (SQLITE_IOERR, EDQUOT):
            self.init(.full, file: file, "no space is left for it", remedy: LogProblem.fullRemedy)
        case (SQLITE_CANTOPEN, ENOENT): self.init(.missing, file: file, "it does not exist")
        case (SQLITE_CANTOPEN, EACCES), (SQLITE_CANTOPEN, EPERM), (SQLITE_PERM, _), (SQLITE_AUTH, _):
            self.init(.noPermission, file: file, "no permission to open it", remedy: LogProblem.permissionRemedy)
        case (SQLITE_READONLY, _), (SQLITE_CANTOPEN, EROFS):
            self.init(
                .readOnly, file: file, "it cannot be written: it or its folder is read-only",
                remedy: "Name another folder, or open it with mynah open")
        case (SQLITE_BUSY, _), (SQLITE_LOCKED, _):
            self.init(.inUse, file: file, "another program has it open", remedy: "Close it there first")
        case (SQLITE_NOTADB, _):
            self.init(.foreign, file: file, "it is not a SQLite database", remedy: LogProblem.foreignRemedy)
        case (SQLITE_CORRUPT, _):
            self.init(
                .damaged, file: file, "it is damaged: \(damage() ?? failed)", remedy: LogProblem.damagedRemedy)
        case (SQLITE_TOOBIG, _), (SQLITE_ERROR, _), (SQLITE_MISMATCH, _), (SQLITE_SCHEMA, _):
            self.init(.damaged, file: file, "it is damaged: \(failed)", remedy: LogProblem.damagedRemedy)
        default: self.init(.inputOutput, file: file, failed)
        }
    }

    static let fullRemedy = "Make room on the disk or in the quota"
    static let permissionRemedy = "Let the user that runs mynah read and write it, or name another folder"
    static let foreignRemedy = "Name another folder, or move the file away"
    static let damagedRemedy = "Take a copy of it from before, or start with another folder"
}
