import APNsRules
import CSQLite
import Foundation
import MynahCore
import MynahStore
import Testing

@testable import Mynah

@Suite("The pushes of a journal as a SQLite file")
struct PushRowsTests {
    private typealias Row = [String: SQLiteValue]

    /// A test's own folder, removed after the test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.path + "/mynah-rows-\(UUID().uuidString)"
        private var file: String { "\(path)/pushes.sqlite" }

        deinit {
            do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
        }

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        /// Writes the file anew.
        func update(from journal: JournalStore) throws {
            if FileManager.default.fileExists(atPath: file) { try FileManager.default.removeItem(atPath: file) }
            let count = try PushTable.write(journal, to: file)
            #expect(count == journal.read { $0.entries(after: 0, limit: .max).entries.count })
        }

        /// A query's rows on the closed file, as another program reads them.
        func rows(_ sql: String) throws -> [Row] {
            var handle: OpaquePointer?
            let opened = sqlite3_open_v2(file, &handle, SQLITE_OPEN_READONLY, nil)
            try #require(opened == SQLITE_OK)
            defer { sqlite3_close(handle) }
            var statement: OpaquePointer?
            let prepared = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
            try #require(prepared == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
            defer { sqlite3_finalize(statement) }
            var rows: [Row] = []
            var code = sqlite3_step(statement)
            while code == SQLITE_ROW {
                var row: Row = [:]
                for column in 0..<sqlite3_column_count(statement) {
                    row[String(cString: sqlite3_column_name(statement, column))] = value(statement, column)
                }
                rows.append(row)
                code = sqlite3_step(statement)
            }
            try #require(code == SQLITE_DONE, "\(String(cString: sqlite3_errmsg(handle)))")
            return rows
        }

        private func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLiteValue {
            let type = sqlite3_column_type(statement, column)
            guard type != SQLITE_NULL else { return .null }
            guard type != SQLITE_INTEGER else { return .number(sqlite3_column_int64(statement, column)) }
            let start = sqlite3_column_blob(statement, column)
            let bytes = Array(
                UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
            return type == SQLITE_TEXT ? .text(String(decoding: bytes, as: UTF8.self)) : .bytes(bytes)
        }
    }

    // MARK: What is expected

    /// The columns of members, found once for each name, because the regular expression takes long.
    private final class ColumnNames {
        private var known = ["payloadBase64": "payload_bytes"]

        func column(of member: String) -> String {
            if let name = known[member] { return name }
            let name = member.replacing(/[A-Z]/) { "_" + $0.output.lowercased() }
            known[member] = name
            return name
        }
    }

    private let names = ColumnNames()

    /// A push as the API prints it, by the names of the columns.
    private func expected(_ json: JSONValue) throws -> [String: JSONValue] {
        // The one member that not every push has.
        var columns: [String: JSONValue] = [names.column(of: "webPush"): .null]
        for member in try #require(json.object) where member.name != "credential" {
            columns[names.column(of: member.name)] = member.value
        }
        let credential = json["credential"]
        for (column, member) in [("credential", "kind"), ("team", "team"), ("key_id", "keyId"), ("subject", "subject")]
        {
            columns[column] = credential?[member] ?? .null
        }
        let timeline = json["timeline"]?.array ?? []
        let decided = timeline.last { $0["event"] == json["outcome"] }
        columns["detail"] = decided?["detail"] ?? .null
        columns["delivered_at"] = json["outcome"] == "delivered" ? decided?["at"] : .null
        return columns
    }

    private func isSame(_ value: SQLiteValue?, _ json: JSONValue?, in column: String) throws -> Bool {
        switch (value, json) {
        case (.null, nil), (.null, .null): true
        case (.number(let number), .bool(let flag)): number == (flag ? 1 : 0)
        case (.number(let number), .number): json?.integer == number
        case (.text(let text), .raw(let bytes)): Array(text.utf8) == bytes
        case (.text(let text), .string(let other)): text == other
        case (.text(let text), .array), (.text(let text), .object):
            try JSONValue(parsing: Array(text.utf8).span) == json
        case (.bytes(let bytes), .string(let text)): Base64.encode(bytes[...]) == text
        default: false
        }
    }

    /// Expects a row for each push of a journal, equal to what the API prints in every field.
    private func expectRows(of journal: JournalStore, in folder: Folder, _ what: Comment? = nil) throws {
        let views = journal.read { $0.entries(after: 0, limit: .max).entries }.map { PushView($0) }
        let rows = try folder.rows("SELECT * FROM pushes ORDER BY sequence")
        #expect(rows.count == views.count, what)
        for (row, view) in zip(rows, views) {
            let expected = try expected(view.json)
            #expect(Set(expected.keys).union(["payload_bytes"]) == Set(row.keys), what)
            for (column, value) in row where try !isSame(value, expected[column], in: column) {
                Issue.record(
                    "\(column) of \(view.entry.sequence) is \(value): expected \(String(describing: expected[column]))")
            }
        }
        let unreadable = try folder.rows(
            """
            SELECT sequence FROM pushes WHERE payload IS NOT NULL AND NOT json_valid(payload)
            OR NOT json_valid(headers) OR NOT json_valid(warnings) OR NOT json_valid(timeline)
            """)
        #expect(unreadable.isEmpty, what)
    }

    // MARK: Tests

    @Test("has what the API prints, whatever happens to pushes and the journal", arguments: UInt64(1)...6)
    func randomJournal(_ seed: UInt64) throws {
        let folder = try Folder()
        var commands = RandomCommands(seed: seed)
        let world = try CommandWorld()
        let journal = world.simulation.journal
        var outcomes: Set<SQLiteValue> = []
        for round in 0..<6 {
            for _ in 0..<120 { try world.apply(commands.step()) }
            // What is due changes outcomes.
            world.simulation.look()
            try folder.update(from: journal)
            try expectRows(of: journal, in: folder, "round \(round)")
            outcomes.formUnion(try folder.rows("SELECT DISTINCT outcome FROM pushes").compactMap { $0["outcome"] })
        }
        #expect(outcomes.count >= 3)
        _ = journal.reset()
        try folder.update(from: journal)
        #expect(try folder.rows("SELECT * FROM pushes").isEmpty)
    }

    private static let bodies: [[UInt8]] = [
        [], Array("hello".utf8), [0xff, 0xfe, 0], Array(#"{"aps":{"alert":"\#u{1F600} \\ud83d \u{0}"}}"#.utf8),
        Array(#"{"aps":{"alert":"\ud83d","badge":1e400,"n":-0.0,"big":123456789012345678901234567890}}"#.utf8),
        Array(#"{"aps":{"alert":{"title":"é\u0000"},"sound":"default"},"aps":2}"#.utf8),
        Array((String(repeating: "[", count: 128) + String(repeating: "]", count: 128)).utf8), Array(" null ".utf8),
        Array(#"{"aps":"x","a":"\#u{7f}\#u{2028}"}"#.utf8), Array("{\"aps\":{},\"a\":\"\u{0}\"}".utf8),
    ]

    private static let credentials: [JudgedCredential] = [
        .none, JudgedCredential(authorization: nil, verdict: .invalid(Refusal(.invalidProviderToken, "no"))),
        JudgedCredential(
            authorization: nil,
            verdict: .token(
                ProviderIdentity(team: "TEAM123456", keyID: "KEY1234567", issuedAt: Instant(seconds: 1_790_000_000)))),
        JudgedCredential(
            authorization: nil,
            verdict: .certificate(
                CertificateIdentity(
                    subject: "CN=\"a\",UID=com.example.app", subjectID: "com.example.app",
                    topics: [.init("com.example.app", kind: "app")], environment: .both, serialNumber: "01",
                    notBefore: Instant(seconds: 0), notAfter: Instant(seconds: 1)))),
    ]

    /// A journal of unusual requests: every body, with every credential.
    private func oddJournal(_ bounds: JournalBounds = JournalBounds()) -> JournalStore {
        let journal = JournalStore(bounds: bounds) { _ in }
        for (number, body) in Self.bodies.enumerated() {
            for (index, credential) in Self.credentials.enumerated() {
                var headers = HeaderBlock()
                headers.append(":method", "POST")
                headers.append(":path", "/3/device/" + String(repeating: "0\(number % 10)", count: 32))
                if index % 2 == 0 { headers.append("apns-topic", index == 0 ? "" : "com.example.\u{e9}\"\\") }
                headers.append("apns-expiration", ["0", "1790000000", "x", "-1"][index])
                headers.append("apns-priority", ["10", "5", "", "7"][index])
                headers.append("x-own", "a\u{1}\tb\"\u{7f}")
                headers.append("x-own", "")
                var request = PushRequest(headers: headers, body: body)
                if number == 5 { request.exceedLimit(received: 5000) }
                let candidate = Candidate(
                    request, credential: credential, environment: .production, settings: RuleSettings(),
                    receivedAt: Instant(milliseconds: 1_790_000_000_007))
                var entry = Entry(
                    candidate, id: NotificationID(generated: UInt128(number)), bytes: candidate.headers.bytes + body,
                    connection: UInt64(index), stream: Int32.max)
                entry.sequence = journal.takeSequence()
                if index > 0 {
                    entry.status = 400
                    entry.recordRefusal(Refusal(.badExpirationDate, "it's \"wrong\"", timestamp: Instant(seconds: 1)))
                    entry.outcome = .refused
                } else {
                    entry.status = 200
                    entry.outcome = number == 0 ? .stored : .delivered
                }
                journal.append(entry)
            }
        }
        return journal
    }

    @Test("has every body and credential as the API does, in JSON that SQLite reads")
    func oddRequests() throws {
        let folder = try Folder()
        let journal = oddJournal()
        try folder.update(from: journal)
        try expectRows(of: journal, in: folder)
        let kinds = try folder.rows("SELECT DISTINCT credential, team, key_id, subject FROM pushes ORDER BY 1")
        #expect(kinds.count == 3)
        let count = try folder.rows(
            "SELECT reason, count(*) AS count FROM pushes WHERE payload IS NULL GROUP BY 1 ORDER BY 1")
        #expect(count.map { $0["reason"] } == [.null, .text("BadExpirationDate")])
    }

    @Test("follows outcomes that change later, what is removed, and what is evicted")
    func laterChanges() throws {
        let folder = try Folder()
        let journal = oddJournal()
        try folder.update(from: journal)
        let late = LateAnswer(at: Instant(seconds: 1_790_000_005), status: nil, outcome: nil)
        journal.recordAnswer(late, of: 3)
        journal.apply([EntryChange(broadcast: 1, .delivered, at: Instant(seconds: 1_790_000_009), detail: nil)])
        try folder.update(from: journal)
        try expectRows(of: journal, in: folder, "changed")
        let first = try folder.rows("SELECT outcome, delivered_at FROM pushes WHERE sequence = 1")
        #expect(first == [["outcome": .text("delivered"), "delivered_at": .text("2026-09-21T14:13:29.000Z")]])
        #expect(try folder.rows("SELECT sequence FROM pushes WHERE status IS NULL") == [["sequence": .number(3)]])
        #expect(journal.remove([2, 9, 10]) == 3)
        try folder.update(from: journal)
        try expectRows(of: journal, in: folder, "removed")
        let kept = oddJournal(JournalBounds(entriesMax: 7))
        try folder.update(from: kept)
        try expectRows(of: kept, in: folder, "evicted")
        #expect(
            try folder.rows("SELECT min(sequence) AS first, count(*) AS count FROM pushes").first?["count"]
                == .number(7))
    }

    @Test("finds repeats before it writes them")
    func repeats() throws {
        let folder = try Folder()
        let world = try CommandWorld()
        for _ in 0..<2 {
            try world.apply(
                .push(
                    device: RandomCommands.devices[0], topic: RandomCommands.apps[0], body: #"{"aps":{"alert":"a"}}"#,
                    expiresWithin: nil))
        }
        try folder.update(from: world.simulation.journal)
        let rows = try folder.rows("SELECT sequence, repeats FROM pushes ORDER BY 1")
        #expect(rows.count == 2)
        #expect(rows.last?["repeats"] == rows.first?["sequence"])
        #expect(rows.first?["repeats"] == .null)
    }

    @Test("the queries of the documentation run")
    func documentedQueries() throws {
        let folder = try Folder()
        try folder.update(from: oddJournal())
        let article = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/Mynah/Mynah.docc/Reference/RunFile.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let examples = text.matches(of: /```sql\n([^`]*)```/).map { String($0.output.1) }
        #expect(examples.count >= 3)
        for example in examples { _ = try folder.rows(example) }
    }
}
