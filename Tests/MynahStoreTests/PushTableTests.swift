import CSQLite
import Foundation
import Testing

@testable import MynahStore

@Suite("The view of pushes in a log")
struct PushTableTests {
    /// A row of which only the topic, the status and the payload have something in them.
    private struct Row: PushRow {
        /// Counts the rows that were made.
        final class Counter { var count = 0 }

        let sequence: UInt64
        var status: Int64
        var payload: [UInt8] = []
        var counter = Counter()

        var fingerprint: UInt32 { UInt32(status) }
        var values: [SQLiteValue] {
            counter.count += 1
            return RunLog.pushColumns.dropFirst().map { column in
                switch column.name {
                case "topic": .text("com.example.app")
                case "status": .number(status)
                case "payload_bytes": .bytes(payload)
                case "scope": .text("")
                default: .null
                }
            }
        }
        var line: String { "\(sequence)|com.example.app|\(status)|\(payload.count)|" }
    }

    private let folder: LogFolder
    private static let lines = """
        SELECT sequence || '|' || topic || '|' || status || '|' || length(payload_bytes) || '|' || scope FROM pushes \
        ORDER BY sequence
        """
    init() throws { folder = try LogFolder() }

    /// The first column of a query's rows on the closed file, as any program with SQLite reads it.
    private func texts(_ sql: String) throws -> [String] {
        var texts: [String] = []
        try folder.query(sql) { texts.append($0[0] ?? "NULL") }
        return texts
    }

    private func update(_ log: RunLog, _ rows: [UInt64: Row]) throws(LogProblem) {
        let rows = PushTableTests.inOrder(rows)
        try log.updatePushes { PushTableTests.next(in: rows, after: $0, countMax: $1) }
    }

    private static func inOrder(_ rows: [UInt64: Row]) -> [Row] { rows.values.sorted { $0.sequence < $1.sequence } }

    /// The next of rows that are in order.
    private static func next(in rows: [Row], after sequence: UInt64, countMax: Int) -> [Row] {
        Array(rows.drop { $0.sequence <= sequence }.prefix(countMax))
    }

    private func update(_ rows: [UInt64: Row]) throws {
        let log = try folder.open()
        try update(log, rows)
        try log.close()
    }

    private func expect(_ rows: [UInt64: Row], _ what: Comment? = nil) throws {
        #expect(try texts(PushTableTests.lines) == PushTableTests.inOrder(rows).map(\.line), what)
    }

    private func rows(_ numbers: ClosedRange<UInt64>) -> [UInt64: Row] {
        Dictionary(uniqueKeysWithValues: numbers.map { ($0, Row(sequence: $0, status: 200)) })
    }

    @Test("has the rows of a journal that grows, changes, is evicted and reset", arguments: [UInt64(1), 2, 3])
    func followsAJournal(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        var rows: [UInt64: Row] = [:]
        var last: UInt64 = 0
        for round in 0..<12 {
            // Now and then more than a step, or a transaction, has.
            for _ in 0..<[0, 1, 40, 255, 256, 257, 900, 2500][numbers.next(below: 8)] {
                last += UInt64(1 + numbers.next(below: 3))
                rows[last] = Row(sequence: last, status: 200, payload: numbers.bytes(numbers.next(below: 40)))
            }
            for number in rows.keys.sorted() {
                switch numbers.next(below: 12) {
                case 0: rows[number]?.status += Int64(1 + numbers.next(below: 300))
                case 1: rows[number] = nil
                default: break
                }
            }
            switch numbers.next(below: 6) {
            case 0: rows = [:]
            case 1: for number in rows.keys where number < last / 2 { rows[number] = nil }
            default: break
            }
            try update(rows)
            try expect(rows, "round \(round)")
        }
    }

    @Test("only rows that have changed are made")
    func onlyChangedRowsAreMade() throws {
        let counter = Row.Counter()
        var rows = rows(1...3000)
        for number in rows.keys { rows[number]?.counter = counter }
        try update(rows)
        #expect(counter.count == 3000)
        rows[7]?.status = 410
        rows[3000]?.status = 410
        try update(rows)
        #expect(counter.count == 3002)
        try expect(rows)
    }

    @Test("the log says up to which position it is current, and readers see it")
    func position() throws {
        let log = try folder.open()
        #expect(try log.pushesPosition() == nil)
        try log.append(count: 4)
        try update(log, rows(1...2))
        try log.append(count: 1)
        #expect(try log.pushesPosition() == 4)
        try log.close()
        let reader = try RunLog(reading: folder.path)
        #expect(try reader.pushesPosition() == 4)
        #expect(problem { () throws(LogProblem) in try update(reader, [:]) } == .readOnly)
        try reader.close()
        try expect(rows(1...2))
    }

    @Test("is brought up to date in parts, between batches, to what the log had at the beginning")
    func parts() throws {
        let log = try folder.open()
        try log.append(count: 3)
        let rows = rows(1...2000)
        let inOrder = PushTableTests.inOrder(rows)
        var (update, parts) = (PushUpdate(of: log), 0)
        while try !log.continuePushes(&update, from: { PushTableTests.next(in: inOrder, after: $0, countMax: $1) }) {
            parts += 1
            #expect(try log.pushesPosition() == nil)
            try log.append(count: 1)
        }
        #expect(parts == 2000 / 256)
        #expect(try log.pushesPosition() == 3)
        #expect(log.lastPosition == 3 + UInt64(parts))
        try log.close()
        try expect(rows)
    }

    @Test("an update that finds no space is continued by the next one, and the log goes on")
    func noSpace() throws {
        let disk = MemoryDisk()
        let log = try folder.open(disk: disk)
        try log.append(count: 3)
        let rows = rows(1...6000)
        var writes = 0
        disk.failure = { step in
            if case .write = step { writes += 1 }
            return writes > 70 ? SQLITE_FULL : SQLITE_OK
        }
        #expect(problem { () throws(LogProblem) in try update(log, rows) } == .full)
        disk.failure = { _ in SQLITE_OK }
        #expect(try log.pushesPosition() == nil)
        try log.append(count: 2)
        try update(log, rows)
        try log.close()
        #expect(try log.batchesAfterReopening(folder, disk) == 5)
        let file = try #require(disk.files.first { $0.key.hasSuffix(RunLog.fileName) })
        try folder.write(file.value)
        try expect(rows)
    }

    @Test(
        "a table or view that is missing or another is made anew",
        arguments: [
            "DROP VIEW pushes", "DROP VIEW pushes; DROP TABLE push", "DROP TABLE push",
            "ALTER TABLE push ADD COLUMN a ANY", "DROP VIEW pushes; CREATE TABLE pushes (a)",
            "DROP VIEW pushes; CREATE VIEW pushes AS SELECT 1",
            "DROP VIEW pushes; DROP TABLE push; CREATE VIEW push AS SELECT 1 AS sequence, 2 AS fingerprint",
        ])
    func madeAnew(sql: String) throws {
        try update(rows(1...300))
        try folder.change(sql)
        try update(rows(1...301))
        try expect(rows(1...301))
    }

    @Test("rows that another program has added, removed or marked are mended")
    func mendsRows() throws {
        try update(rows(1...300))
        try folder.change(
            """
            DELETE FROM push WHERE sequence BETWEEN 3 AND 280; UPDATE push SET fingerprint = 1 WHERE sequence = 290;
            UPDATE push SET status = 1 WHERE sequence = 290; INSERT INTO push (sequence, fingerprint) VALUES (999, 1)
            """)
        try update(rows(1...300))
        try expect(rows(1...300))
    }

    @Test("a damaged page of the table is mended or named, and keeps no batch from being read", arguments: 1...12)
    func damagedPage(place: Int) throws {
        var log = try folder.open()
        let batches = try log.append(count: 3, bytesMax: 100)
        try update(log, rows(1...2000))
        try log.close()
        var pages: [Int] = []
        try folder.query("SELECT pageno FROM dbstat WHERE name = 'push' ORDER BY pageno") {
            if let page = $0[0].flatMap({ Int($0) }) { pages.append(page) }
        }
        let page = pages[place * (pages.count - 1) / 12] - 1
        var bytes = try folder.bytes()
        let pageBytes = RunLog.pageBytes
        bytes.replaceSubrange(page * pageBytes..<(page + 1) * pageBytes, with: repeatElement(0xff, count: pageBytes))
        try folder.write(bytes)
        log = try folder.open()
        let rows = self.rows(1...2500)
        let problem = words { () throws(LogProblem) in try update(log, rows) }
        #expect(try log.batches() == batches)
        try log.close()
        if let problem { #expect(problem.code == .damaged) } else { try expect(rows) }
    }

    // MARK: The documentation

    @Test("the reference describes the columns that there are")
    func reference() throws {
        try update([:])
        let real = try texts("SELECT name FROM pragma_table_info('pushes')")
        #expect(real == RunLog.pushColumns.map(\.name))
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
        for example in examples { try folder.query(example) { _ in } }
    }
}

extension RunLog {
    /// How many batches the log has when it is opened again.
    fileprivate func batchesAfterReopening(_ folder: LogFolder, _ disk: MemoryDisk) throws(LogProblem) -> Int {
        let log = try folder.open(disk: disk)
        let count = try log.batches().count
        try log.close()
        return count
    }
}
