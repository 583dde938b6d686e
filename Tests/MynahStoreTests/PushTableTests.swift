import CSQLite
import Foundation
import Testing

@testable import MynahStore

@Suite("A SQLite file with pushes")
struct PushTableTests {
    private let folder: LogFolder
    init() throws { folder = try LogFolder() }

    private func texts(_ sql: String, in file: String? = nil) throws -> [String] {
        var texts: [String] = []
        try folder.query(sql, in: file ?? path) { texts.append($0[0] ?? "NULL") }
        return texts
    }

    private var path: String { "\(folder.path)/pushes.sqlite" }

    private static let columns = [(name: "topic", type: "TEXT"), (name: "status", type: "INTEGER")]

    private func write(_ numbers: ClosedRange<UInt64>) throws(LogProblem) -> Int {
        try PushTable.write(to: path, columns: Self.columns) { sequence, countMax in
            numbers.drop { $0 <= sequence }.prefix(countMax).map { ($0, [.null, .number(Int64($0) * 2)]) }
        }
    }

    @Test("has a row for each push, however many there are", arguments: [1, 1023, 1024, 1025, 5000])
    func rows(count: UInt64) throws {
        #expect(try write(1...count) == Int(count))
        #expect(
            try texts("SELECT name || ' ' || type FROM pragma_table_info('pushes')")
                == ["sequence INTEGER", "topic TEXT", "status INTEGER"])
        #expect(try texts("SELECT count(*) FROM pushes WHERE topic IS NULL AND status = 2 * sequence") == ["\(count)"])
        #expect(try folder.mode("pushes.sqlite") == 0o600)
        #expect(try folder.names() == ["pushes.sqlite"])
    }

    @Test("a file that is there is left as it is")
    func existing() throws {
        try folder.write([1, 2, 3], to: "pushes.sqlite")
        #expect(problem { () throws(LogProblem) in _ = try write(1...2) } == .inUse)
        #expect(try folder.bytes("pushes.sqlite") == [1, 2, 3])
    }

    @Test("a folder that isn't there is named as what is missing, not the new file")
    func missingFolder() throws {
        let words = #expect(throws: LogProblem.self) {
            _ = try PushTable.write(to: "\(folder.path)/none/x.sqlite", columns: Self.columns) { _, _ in [] }
        }
        #expect(words?.code == .missing)
        #expect(words?.problem == "its folder does not exist: expected one in which the file can be made")
    }

    @Test("the rows that earlier versions kept in a run are removed when a server goes on with it")
    func earlierRows() throws {
        var log = try folder.open()
        try log.append(count: 3)
        try log.close()
        try folder.change(
            """
            CREATE TABLE push (sequence INTEGER PRIMARY KEY, fingerprint INTEGER NOT NULL) STRICT;
            CREATE VIEW pushes AS SELECT sequence FROM push; INSERT INTO push VALUES (1, 1)
            """)
        log = try folder.open()
        try log.append(count: 1)
        try log.close()
        #expect(try texts("SELECT name FROM sqlite_schema WHERE name LIKE 'push%'", in: folder.file) == [])
        #expect(try RunLog(reading: folder.path).lastPosition == 4)
    }
}
