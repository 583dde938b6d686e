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

    private func values(_ sequence: UInt64) -> [SQLiteValue] {
        PushTable.columns.dropFirst().map { $0.name == "status" ? .number(Int64(sequence) * 2) : .null }
    }

    private func write(_ numbers: ClosedRange<UInt64>) throws(LogProblem) -> Int {
        try PushTable.write(to: path) { sequence, countMax in
            numbers.drop { $0 <= sequence }.prefix(countMax).map { ($0, values($0)) }
        }
    }

    @Test("has a row for each push, however many there are", arguments: [1, 1023, 1024, 1025, 5000])
    func rows(count: UInt64) throws {
        #expect(try write(1...count) == Int(count))
        #expect(try texts("SELECT count(*) FROM pushes WHERE status = 2 * sequence") == ["\(count)"])
        #expect(try folder.mode("pushes.sqlite") == 0o600)
        #expect(try folder.names() == ["pushes.sqlite"])
    }

    @Test("a file that is there is left as it is")
    func existing() throws {
        try folder.write([1, 2, 3], to: "pushes.sqlite")
        #expect(problem { () throws(LogProblem) in _ = try write(1...2) } == .inUse)
        #expect(try folder.bytes("pushes.sqlite") == [1, 2, 3])
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

    // MARK: The documentation

    @Test("the reference describes the columns that there are")
    func reference() throws {
        _ = try write(1...1)
        let real = try texts("SELECT name FROM pragma_table_info('pushes')")
        #expect(real == PushTable.columns.map(\.name))
        let article = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Mynah/Mynah.docc/Reference/RunFile.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
        let table = lines.drop { $0 != "| column | content |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
        // A row may describe several columns.
        let described = table.flatMap { row in
            row.split(separator: "|")[0].split(separator: ",").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: "` "))
            }
        }
        #expect(described == real)
        let text = lines.joined(separator: "\n")
        let examples = text.matches(of: /```sql\n([^`]*)```/).map { String($0.output.1) }
        #expect(examples.count >= 3)
        for example in examples { try folder.query(example, in: path) { _ in } }
    }
}
