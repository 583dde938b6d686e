/// How far an update of the view `pushes` is.
package struct PushUpdate {
    /// The position whose journal the view shows at the end, or some rows of it a later one's.
    fileprivate let position: UInt64
    /// The number after which it goes on; `nil` at the end.
    fileprivate var rest: UInt64? = 0
    /// Whether the table has been made anew, because it was damaged.
    fileprivate var isNew = false

    /// An update to what a log has.
    package init(of log: RunLog) { position = log.lastPosition }
}

/// The table `push` and the view `pushes`, for readers with SQL: made of a journal, and so of what the log has already.
extension RunLog {
    /// The columns of the view `pushes` in their order, each with SQLite's name of its type.
    package static let pushColumns: [(name: String, type: String)] = [
        ("sequence", "INTEGER"), ("apns_id", "TEXT"), ("attempt", "INTEGER"), ("repeats", "INTEGER"),
        ("unique_id", "TEXT"), ("received_at", "TEXT"), ("environment", "TEXT"), ("connection", "INTEGER"),
        ("stream", "INTEGER"), ("credential", "TEXT"), ("team", "TEXT"), ("key_id", "TEXT"), ("subject", "TEXT"),
        ("token", "TEXT"), ("device", "TEXT"), ("scope", "TEXT"), ("topic", "TEXT"), ("channel", "TEXT"),
        ("devices", "INTEGER"), ("push_type", "TEXT"), ("priority", "INTEGER"), ("expiration", "ANY"),
        ("collapse_id", "TEXT"), ("method", "TEXT"), ("path", "TEXT"), ("headers", "TEXT"), ("payload", "TEXT"),
        ("payload_bytes", "BLOB"), ("payload_size", "INTEGER"), ("warnings", "TEXT"), ("status", "INTEGER"),
        ("reason", "TEXT"), ("timestamp", "INTEGER"), ("fault", "TEXT"), ("outcome", "TEXT"), ("detail", "TEXT"),
        ("delivered_at", "TEXT"), ("shown", "INTEGER"), ("sounded", "INTEGER"), ("timeline", "TEXT"),
    ]

    /// The rows that one step compares, so that it needs little memory.
    private static let comparedRowsMax = 256
    /// The steps that one transaction has: each commit may wait for the disk, and all of it is in the write-ahead log.
    private static let stepsPerTransaction = 8
    /// The note of the position up to which the view is current.
    private static let pushesNote = "last position of pushes"

    /// What the view is made of, in the order in which it is made.
    ///
    /// None of it is part of the format: what another version of Mynah has made otherwise is made anew.
    private static let pushObjects: [(type: String, name: String, sql: String)] = {
        let columns = pushColumns.dropFirst().map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        let names = pushColumns.map(\.name).joined(separator: ", ")
        return [
            (
                "table", "push",
                "CREATE TABLE push (sequence INTEGER PRIMARY KEY, fingerprint INTEGER NOT NULL, \(columns)) STRICT"
            ),
            ("view", "pushes", "CREATE VIEW pushes AS SELECT \(names) FROM push"),
        ]
    }()

    /// Brings the view `pushes` up to date: adds, replaces and removes rows until it has those of a journal.
    ///
    /// Several transactions of bounded size; a call that was cut off is continued by the next one, whatever the journal
    /// is then. A damaged table is made anew. After a problem the log can be used as before.
    ///
    /// - Parameter next: Returns the pushes after a number, in their order, and no more than are asked for; fewer are
    ///   the last ones.
    package func updatePushes<Row: PushRow>(
        from next: (_ sequence: UInt64, _ countMax: Int) -> [Row]
    ) throws(LogProblem) {
        var update = PushUpdate(of: self)
        while try !continuePushes(&update, stepCount: RunLog.stepsPerTransaction, from: next) {}
    }

    /// Does a part of an update of the view `pushes`, one transaction, between batches; returns whether it is complete.
    ///
    /// - Parameters:
    ///   - stepCount: How often some hundred rows are compared.
    ///   - next: As for ``updatePushes(from:)``.
    package func continuePushes<Row: PushRow>(
        _ update: inout PushUpdate, stepCount: Int = 1, from next: (_ sequence: UInt64, _ countMax: Int) -> [Row]
    ) throws(LogProblem) -> Bool {
        let database = try writer()
        do throws(LogProblem) {
            try database.transaction { () throws(LogProblem) in
                for _ in 0..<stepCount {
                    guard let sequence = update.rest else { return }
                    update.rest = try step(database, after: sequence, next(sequence, RunLog.comparedRowsMax))
                }
            }
        } catch {
            guard error.code == .damaged, !update.isNew else { throw error }
            try dropPushTable(in: database)
            try makePushTable(in: database)
            (update.rest, update.isNew) = (0, true)
        }
        guard update.rest == nil else { return false }
        try setNote(RunLog.pushesNote, String(update.position))
        return true
    }

    /// The position whose journal the view `pushes` shows; `nil` if it was never complete.
    ///
    /// After a later position, or an update that was cut off, some rows may be newer.
    package func pushesPosition() throws(LogProblem) -> UInt64? {
        try note(RunLog.pushesNote).flatMap { UInt64($0) }
    }

    /// Compares rows with those in the file after a number; returns the number after which to go on.
    private func step(
        _ database: SQLiteDatabase, after sequence: UInt64, _ rows: [some PushRow]
    ) throws(LogProblem) -> UInt64? {
        let countMax = RunLog.comparedRowsMax
        // From the table itself, not from an index: this finds its damaged pages.
        var (known, lastKnown, knownCount) = ([UInt64: Int64](), UInt64.max, 0)
        try database.run(
            "SELECT sequence, fingerprint FROM push WHERE sequence > ? ORDER BY sequence LIMIT \(countMax)",
            .number(sequence)
        ) { row in
            lastKnown = row.number(0).flatMap { UInt64(exactly: $0) } ?? 0
            known[lastKnown] = row.number(1)
            knownCount += 1
        }
        let end = min(
            rows.count < countMax ? .max : rows[countMax - 1].sequence, knownCount < countMax ? .max : lastKnown)
        guard end > sequence else { throw damaged("the rows of its table 'push' are not in order") }
        var changed: [[SQLiteValue]] = []
        for row in rows.prefix(while: { $0.sequence <= end }) {
            let fingerprint = Int64(row.fingerprint)
            guard known.removeValue(forKey: row.sequence) != fingerprint else { continue }
            changed.append([.number(row.sequence), .number(fingerprint)] + row.values)
        }
        let removed = known.keys.filter { $0 <= end }.sorted()
        try database.run("DELETE FROM push WHERE sequence = ?", forEach: removed.lazy.map { [.number($0)] })
        try database.run(RunLog.insertion, forEach: changed)
        return end == .max ? nil : end
    }

    private static let insertion: String = {
        let places = repeatElement("?", count: pushColumns.count + 1).joined(separator: ", ")
        return "INSERT OR REPLACE INTO push VALUES (\(places))"
    }()

    /// Makes the table and the view where they are missing or others, without rows.
    func makePushTable(in database: SQLiteDatabase) throws(LogProblem) {
        var found: [String: String] = [:]
        try database.run("SELECT name, sql FROM sqlite_schema") { row in found[row.text(0)] = row.text(1) }
        guard RunLog.pushObjects.contains(where: { found[$0.name] != $0.sql }) else { return }
        try dropPushTable(in: database)
        try database.transaction { () throws(LogProblem) in
            for object in RunLog.pushObjects { try database.run(object.sql) }
        }
    }

    private func dropPushTable(in database: SQLiteDatabase) throws(LogProblem) {
        var found: [(type: String, name: String)] = []
        try database.run("SELECT type, name FROM sqlite_schema") { row in found.append((row.text(0), row.text(1))) }
        let names = RunLog.pushObjects.map(\.name)
        let dropped = found.filter { names.contains($0.name) }
        try setNote(RunLog.pushesNote, nil, in: database)
        try database.transaction { () throws(LogProblem) in
            for object in dropped { try database.run("DROP \(object.type) IF EXISTS \(object.name)") }
        }
    }
}
