import Testing

@testable import MynahStore

@Suite("Damaged logs")
struct LogDamageTests {
    let folder: LogFolder
    init() throws { folder = try LogFolder() }

    /// A closed log of 20 batches and a snapshot.
    private func write() throws {
        let log = try folder.open()
        try log.append(count: 20)
        #expect(
            try log.write([SnapshotPiece(section: "a", bytes: [1, 2]), SnapshotPiece(section: "b", bytes: [])], at: 9))
        try log.setNote("key", "value")
        try log.close()
    }

    private func damage(_ sql: String, reading: (RunLog) throws(LogProblem) -> Void) throws -> LogProblem? {
        try write()
        try folder.change(sql)
        return words { () throws(LogProblem) in
            let log = try folder.open()
            try reading(log)
            try log.close()
        }
    }

    @Test(
        "a batch that is not what was written is found, and its position told",
        arguments: [
            "UPDATE log SET batch = x'00' WHERE position = 7", "UPDATE log SET time = time + 1 WHERE position = 7",
            "UPDATE log SET rules = 4 WHERE position = 7", "UPDATE log SET crc = crc + 1 WHERE position = 7",
            "UPDATE log SET rules = -1 WHERE position = 7",
            "UPDATE log SET batch = (SELECT batch FROM log WHERE position = 8) WHERE position = 7",
        ])
    func batchThatIsNotWhatWasWrittenIsFound(sql: String) throws {
        let problem = try damage(sql) { (log) throws(LogProblem) in
            #expect(try log.batches(after: 7).count == 13)
            _ = try log.batches()
        }
        #expect(problem?.code == .damaged)
        #expect(problem?.problem == "batch 7 is not what was written")
    }

    @Test("a batch that is missing is found, and the log is not taken for a shorter one")
    func batchThatIsMissingIsFound() throws {
        let hole = try damage("DELETE FROM log WHERE position = 7") { (log) throws(LogProblem) in _ = try log.batches()
        }
        #expect(hole?.problem == "batch 7 of 20 is missing")
        let other = try LogDamageTests()
        let end = try other.damage("DELETE FROM log WHERE position > 15") { _ in }
        #expect(end?.problem == "it ends with batch 15, and 20 had been written")
        for problem in [hole, end] { #expect(problem?.code == .damaged) }
    }

    @Test("batches that are missing at the beginning have been trimmed, or are found")
    func batchesThatAreMissingAtTheBeginningAreFound() throws {
        let problem = try damage("DELETE FROM log WHERE position < 5") { (log) throws(LogProblem) in
            #expect(try log.batches(after: 9).count == 11)
            _ = try log.batches()
        }
        #expect(problem?.code == .trimmed)
        #expect(problem?.remedy == "")
    }

    @Test("batches that a snapshot needs are in a file that was not copied, and not trimmed")
    func fileThatWasNotCopiedIsMissed() throws {
        let problem = try damage("DELETE FROM log WHERE position < 15") { (log) throws(LogProblem) in
            #expect(try log.batches(after: 14).count == 6)
            _ = try log.batches(after: 9)
        }
        #expect(problem?.code == .missing)
        #expect(problem?.problem == "its batches 10 to 14 are in a file beside it that is missing")
        #expect(problem?.remedy.hasPrefix("Copy the whole folder") == true)
    }

    @Test(
        "a snapshot that is not what was written is found",
        arguments: [
            ("UPDATE snapshot SET bytes = x'0102' WHERE piece = 1", "piece 1 of snapshot 9 is not what was written"),
            ("UPDATE snapshot SET section = 'b' WHERE piece = 0", "piece 0 of snapshot 9 is not what was written"),
            ("UPDATE snapshot SET piece = 1 - piece + 10", "piece 0 of snapshot 9 is missing"),
            ("DELETE FROM snapshot WHERE piece = 1", "piece 1 of snapshot 9 is missing"),
            ("UPDATE snapshots SET pieces = 1", "the entry of snapshot 9 is not what was written"),
            ("UPDATE snapshots SET rules = -1", "the entry of snapshot 9 is not what was written"),
            ("UPDATE snapshots SET position = -1", "the entry of snapshot -1 is not what was written"),
            ("UPDATE snapshots SET position = 21", "it ends with batch 20, and 21 had been written"),
        ])
    func snapshotThatIsNotWhatWasWrittenIsFound(sql: String, expected: String) throws {
        let problem = try damage(sql) { (log) throws(LogProblem) in
            if let snapshot = try log.newestSnapshot(upTo: .max) { _ = try log.pieces(of: snapshot) }
            _ = try log.snapshots()
        }
        #expect(problem?.code == .damaged)
        #expect(problem?.problem == expected)
    }

    @Test("a note that is not what was written is found")
    func noteThatIsNotWhatWasWrittenIsFound() throws {
        let problem = try damage("UPDATE note SET value = 'x' WHERE key = 'key'") { (log) throws(LogProblem) in
            _ = try log.text(ofNote: "key")
        }
        #expect(problem?.problem == "the note 'key' is not what was written")
    }

    @Test(
        "a table that is missing or another is found",
        arguments: ["DROP TABLE note", "ALTER TABLE log ADD COLUMN a ANY"])
    func tableThatIsMissingOrAnotherIsFound(sql: String) throws {
        let problem = try damage(sql) { _ in }
        #expect(problem?.code == .damaged)
        #expect(problem?.problem.hasPrefix("its table '") == true)
    }

    @Test("a damaged page is named")
    func damagedPageIsNamed() throws {
        let log = try folder.open()
        try log.append(count: 100)
        try log.close()
        var bytes = try folder.bytes()
        let pageBytes = RunLog.pageBytes
        // The first page behind the tables' roots, which are the only ones without a parent.
        let page = 10
        bytes.replaceSubrange(page * pageBytes..<(page + 1) * pageBytes, with: repeatElement(0xff, count: pageBytes))
        try folder.write(bytes)
        let problem = words { () throws(LogProblem) in _ = try folder.open().batches() }
        #expect(problem?.code == .damaged)
        #expect(problem?.problem.hasPrefix("it is damaged: Page \(page + 1): ") == true)
    }

    // MARK: Files of batches

    @Test("a batch before others is damage, the last one is what a crash has left", arguments: LogSync.allCases)
    func batchBeforeOthersIsDamage(sync: LogSync) throws {
        func open() throws(LogProblem) -> RunLog { try RunLog(folder: folder.path, sync: sync) }
        let batches = try open().append(count: 1000)
        let name = "run.mynah-00"
        let bytes = try folder.bytes(name)
        for (place, isDamage) in [(5000, true), (bytes.count - 1_000_000, sync == .full), (bytes.count - 1, false)] {
            var changed = bytes
            changed[place] ^= 1
            try folder.write(changed, to: name)
            let before = try #require(
                batches.indices.reversed().first { index in
                    16 + batches[..<index].reduce(0) { $0 + 28 + $1.count } <= place
                })
            for isReading in [true, false] {
                let problem = words { () throws(LogProblem) in
                    let log = try isReading ? RunLog(reading: folder.path) : open()
                    #expect(try log.batches() == Array(batches[..<before]))
                }
                #expect(problem?.code == (isDamage ? .damaged : nil))
                let said = "batch \(before + 1) is not what was written, and "
                #expect(problem?.problem.hasPrefix(said) ?? true, "\(problem?.problem ?? "") \(said)")
            }
        }
    }

    // MARK: Cut and flipped

    /// What was written, and the files that a stop, or a process that was killed, has left.
    private struct Written {
        var batches: [[UInt8]] = []
        let pieces = (0..<6).map { SnapshotPiece(section: "s\($0)", bytes: [UInt8](repeating: UInt8($0), count: 9000)) }
        var files: [String: [UInt8]] = [:]
    }

    private func written(isClosed: Bool) throws -> Written {
        let disk = MemoryDisk()
        var written = Written()
        let log = try folder.open(disk: disk)
        written.batches = try log.append(count: 120)
        #expect(try log.write(written.pieces, at: 60))
        while try log.trim(before: 30) {}
        written.batches += try log.append(count: 40, seed: 2)
        if isClosed { try log.close() }
        written.files = disk.files
        return written
    }

    /// Opens and reads what is left, and expects that it is what was written, or a beginning of it, or a problem.
    private func read(_ files: [String: [UInt8]], of written: Written, mayEndSooner: Bool, _ what: Comment) throws {
        let disk = MemoryDisk(files)
        do throws(LogProblem) {
            let log = try folder.open(disk: disk)
            var position = log.firstPosition - 1
            do throws(LogProblem) {
                while let batch = try log.batch(after: position) {
                    position = batch.position
                    #expect(batch.bytes == written.batches[Int(position) - 1], what)
                }
                if !mayEndSooner { #expect(Int(position) == written.batches.count, what) }
                #expect(position == log.lastPosition, what)
            } catch { #expect(error.code == .damaged, what) }
            if let snapshot = try log.newestSnapshot() { #expect(try log.pieces(of: snapshot) == written.pieces, what) }
            // What is written to a damaged file is refused, or there.
            let batch: [UInt8] = [1, 2, 3]
            let appended = try log.append(batch, time: LogFolder.time, rules: 1)
            #expect(try log.batch(after: appended - 1)?.bytes == batch, what)
            _ = try log.trim(before: .max)
            try log.close()
        } catch {
            // SQLite doesn't write a file whose header names a later format.
            let codes: [LogProblem.Code] = [.damaged, .foreign, .newer, .full, .trimmed, .readOnly]
            #expect(codes.contains(error.code), "\(what): \(error)")
        }
    }

    @Test(
        "a file with flipped bits opens to what was written, or says that it is damaged",
        arguments: [true, false], [UInt64(1), 2])
    func fileWithFlippedBitsOpensOrIsDamaged(isClosed: Bool, seed: UInt64) throws {
        let written = try written(isClosed: isClosed)
        var numbers = SeededNumbers(seed: seed)
        for number in 0..<LogFolder.casesMax(60) {
            var files = written.files
            let name = files.keys.sorted()[numbers.next(below: files.count)]
            for _ in 0...numbers.next(below: 3) {
                // Half of them in a page's header, where most depends on a bit.
                let count = files[name]!.count
                let page = numbers.next(below: count / RunLog.pageBytes + 1) * RunLog.pageBytes
                let place = page + numbers.next(below: numbers.next(below: 2) == 0 ? 128 : RunLog.pageBytes)
                files[name]![min(place, count - 1)] ^= 1 << numbers.next(below: 8)
            }
            try read(files, of: written, mayEndSooner: !isClosed, "damage \(number) of seed \(seed)")
        }
    }

    @Test(
        "a file that is cut opens to a beginning of what was written, or says what is wrong", arguments: [true, false])
    func fileThatIsCutOpensToABeginning(isClosed: Bool) throws {
        let written = try written(isClosed: isClosed)
        var numbers = SeededNumbers(seed: 3)
        for number in 0..<LogFolder.casesMax(60) {
            var files = written.files
            let name = files.keys.sorted()[numbers.next(below: files.count)]
            files[name]!.removeLast(numbers.next(below: files[name]!.count + 1))
            try read(files, of: written, mayEndSooner: true, "cut \(number)")
        }
    }
}
