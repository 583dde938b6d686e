import APNsRules
import CSQLite
import Foundation
import MynahStore
import Testing

/// A test's own folder with a log in it, removed after the test.
final class LogFolder {
    let path = FileManager.default.temporaryDirectory.path + "/mynah-store-\(UUID().uuidString)"
    static let time = Instant(milliseconds: 1_790_000_000_000)

    /// Whether a run of the tests may take minutes, by `MYNAH_LONG_TESTS`.
    static let isLong = ProcessInfo.processInfo.environment["MYNAH_LONG_TESTS"] != nil
    /// How many seeded cases a test tries: of a thousand the first few, but for a long run.
    static func casesMax(_ few: Int) -> Int { isLong ? 1000 : few }

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            preconditionFailure("the test's folder cannot be removed: \(error)")
        }
    }

    var file: String { "\(path)/\(RunLog.fileName)" }

    /// Opens the log with files of batches so small that most tests have several.
    func open(_ sync: LogSync = .full, owner: String = "", disk: MemoryDisk? = nil) throws(LogProblem) -> RunLog {
        try RunLog(folder: path, sync: sync, owner: owner, vfs: disk?.name, batchFileBytes: 20_000)
    }

    func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
    }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
    }

    func bytes(_ name: String = RunLog.fileName) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
    }

    func write(_ bytes: [UInt8], to name: String = RunLog.fileName) throws {
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    }

    /// Reads the closed file as another program does: the columns of each row as texts, `nil` for NULL.
    func query(_ sql: String, in file: String? = nil, _ row: ([String?]) -> Void) throws {
        var handle: OpaquePointer?
        try #require(sqlite3_open_v2(file ?? self.file, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        var statement: OpaquePointer?
        let prepared = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        try #require(prepared == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
        defer { sqlite3_finalize(statement) }
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW {
            row(
                (0..<sqlite3_column_count(statement)).map {
                    sqlite3_column_text(statement, $0).map { String(cString: $0) }
                })
            code = sqlite3_step(statement)
        }
        try #require(code == SQLITE_DONE, "\(String(cString: sqlite3_errmsg(handle)))")
    }

    /// Changes the closed file by other means than the log's.
    func change(_ sql: String) throws {
        var handle: OpaquePointer?
        try #require(sqlite3_open(file, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    }
}

extension RunLog {
    /// Commits batches of different sizes, and returns all of them.
    @discardableResult
    func append(count: Int, bytesMax: Int = 3000, seed: UInt64 = 1) throws(LogProblem) -> [[UInt8]] {
        var numbers = SeededNumbers(seed: seed)
        var batches: [[UInt8]] = []
        for _ in 0..<count {
            batches.append(numbers.bytes(numbers.next(below: bytesMax)))
            _ = try append(batches[batches.count - 1], time: LogFolder.time, rules: 3)
        }
        return batches
    }

    /// The bytes of all batches after a position.
    func batches(after position: UInt64 = 0) throws(LogProblem) -> [[UInt8]] {
        var position = position
        var batches: [[UInt8]] = []
        while let batch = try batch(after: position) {
            position = batch.position
            batches.append(batch.bytes)
        }
        return batches
    }

    func write(_ pieces: [SnapshotPiece], at position: UInt64) throws(LogProblem) -> Bool {
        guard try beginSnapshot(at: position, time: LogFolder.time, rules: 3) else { return false }
        for piece in pieces { try add(piece) }
        try completeSnapshot()
        return true
    }

    func pieces(of snapshot: LoggedSnapshot) throws(LogProblem) -> [SnapshotPiece] {
        var pieces: [SnapshotPiece] = []
        for number in 0..<snapshot.pieceCount { pieces.append(try piece(number, of: snapshot)) }
        return pieces
    }
}

/// The kind of problem that a call ends with; `nil` if it succeeds.
func problem(of body: () throws(LogProblem) -> Void) -> LogProblem.Code? { words(of: body)?.code }

func words(of body: () throws(LogProblem) -> Void) -> LogProblem? {
    do throws(LogProblem) {
        try body()
        return nil
    } catch {
        return error
    }
}
