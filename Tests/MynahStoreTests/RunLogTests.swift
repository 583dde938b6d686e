import APNsRules
import Foundation
import Testing

@testable import MynahStore

@Suite("The log in SQLite")
struct RunLogTests {
    let folder: LogFolder
    init() throws { folder = try LogFolder() }

    private func pieces(_ count: Int, seed: UInt64 = 5) -> [SnapshotPiece] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<count).map {
            SnapshotPiece(section: ["devices", "journal"][$0 % 2], bytes: numbers.bytes(numbers.next(below: 50_000)))
        }
    }

    // MARK: Batches

    @Test(
        "batches are read as they were appended, from any position, also after reopening", arguments: LogSync.allCases)
    func batchesAreReadAsTheyWereAppended(sync: LogSync) throws {
        var log = try folder.open(sync)
        #expect(log.lastPosition == 0)
        #expect(try log.batch(after: 0) == nil)
        let large = [UInt8](repeating: 7, count: 1 << 20)
        #expect(try log.append([], time: Instant(milliseconds: -5), rules: 0) == 1)
        #expect(try log.append(large, time: Instant(milliseconds: .max), rules: .max) == 2)
        let expected = [
            LoggedBatch(position: 1, time: Instant(milliseconds: -5), rules: 0, bytes: []),
            LoggedBatch(position: 2, time: Instant(milliseconds: .max), rules: .max, bytes: large),
        ]
        for _ in 0..<2 {
            #expect(try log.batch(after: 0) == expected[0])
            #expect(try log.batch(after: 1) == expected[1])
            #expect(try log.batch(after: 2) == nil)
            #expect(try log.batch(after: .max) == nil)
            #expect(log.lastPosition == 2)
            log = try reopened(log, sync)
        }
    }

    private func reopened(_ log: RunLog, _ sync: LogSync = .full) throws -> RunLog {
        try log.close()
        return try folder.open(sync)
    }

    @Test("a batch that is appended while others are read is read, too")
    func batchThatIsAppendedWhileOthersAreReadIsReadToo() throws {
        let log = try folder.open()
        try log.append(count: 3)
        var read: UInt64 = 0
        while let batch = try log.batch(after: read) {
            read = batch.position
            if read < 10 { try log.append(count: 1) }
        }
        #expect(read == 12)
    }

    @Test("a batch that is too large is refused, and the next one takes its position")
    func batchThatIsTooLargeIsRefused() throws {
        let log = try folder.open()
        let bytes = [UInt8](repeating: 1, count: RunLog.bytesMax + 1)
        #expect(
            problem { () throws(LogProblem) in _ = try log.append(bytes, time: LogFolder.time, rules: 1) } == .tooLarge)
        #expect(try log.append(Array(bytes.dropLast()), time: LogFolder.time, rules: 1) == 1)
        #expect(try log.batch(after: 0)?.bytes.count == RunLog.bytesMax)
    }

    @Test("a stop leaves one file and an empty lock; a log that was not closed goes on with everything")
    func stopLeavesOneFile() throws {
        let log = try folder.open()
        let batches = try log.append(count: 50)
        let names = ["run.mynah", "run.mynah-00", "run.mynah-01", "run.mynah-02", "run.mynah-03", "run.mynah-wal"]
        #expect(try folder.names() == ["lock"] + names)
        #expect(log.fileBytes == (try names.reduce(0) { try $0 + folder.bytes($1).count }))

        // What a killed process leaves.
        let copy = try LogFolder()
        for name in try folder.names() { try copy.write(folder.bytes(name), to: name) }
        let other = try copy.open()
        #expect(try other.batches() == batches)
        #expect(try other.append([1], time: LogFolder.time, rules: 1) == 51)

        try log.close()
        try log.close()
        #expect(try folder.names() == ["lock", "run.mynah"])
        #expect(try folder.bytes("lock").isEmpty)
        #expect(problem { () throws(LogProblem) in _ = try log.batch(after: 0) } == .closed)
        #expect(problem { () throws(LogProblem) in _ = try log.append([], time: LogFolder.time, rules: 1) } == .closed)
        #expect(try folder.open().batches() == batches)
    }

    @Test("folder, file and lock are for their user alone")
    func folderAndFilesAreForTheirUserAlone() throws {
        let log = try RunLog(folder: "\(folder.path)/a/b/", sync: .full)
        try log.append(count: 1)
        #expect(try folder.mode("a") == 0o700)
        #expect(try folder.mode("a/b") == 0o700)
        for name in ["lock", "run.mynah", "run.mynah-00", "run.mynah-wal"] {
            #expect(try folder.mode("a/b/\(name)") == 0o600)
        }
    }

    @Test("a path may have characters that mean something in a URI")
    func pathMayHaveCharactersOfAURI() throws {
        let path = "\(folder.path)/a?b=c#d%20 é"
        let log = try RunLog(folder: path, sync: .full)
        let batches = try log.append(count: 2)
        try log.close()
        #expect(try RunLog(reading: path).batches() == batches)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["lock", "run.mynah"])
    }

    // MARK: Notes

    @Test("a note is kept, replaced and removed")
    func noteIsKeptReplacedAndRemoved() throws {
        var log = try folder.open()
        #expect(try log.text(ofNote: "batch") == nil)
        try log.setNote("batch", "1")
        try log.setNote("batch", "2\0ö")
        try log.setNote("other", "")
        log = try reopened(log)
        #expect(try log.text(ofNote: "batch") == "2\0ö")
        #expect(try log.text(ofNote: "other") == "")
        try log.setNote("batch", nil)
        try log.setNote("never", nil)
        #expect(try reopened(log).text(ofNote: "batch") == nil)
    }

    // MARK: Snapshots

    @Test("a snapshot is read as it was written, and batches can be appended meanwhile")
    func snapshotIsReadAsItWasWritten() throws {
        var log = try folder.open()
        try log.append(count: 4)
        #expect(try log.newestSnapshot() == nil)
        let pieces = pieces(7)
        #expect(try log.beginSnapshot(at: 4, time: LogFolder.time, rules: 9))
        for piece in pieces {
            try log.add(piece)
            try log.append(count: 1)
        }
        #expect(try log.newestSnapshot() == nil)
        try log.completeSnapshot()
        let expected = LoggedSnapshot(
            position: 4, time: LogFolder.time, rules: 9, pieceCount: 7,
            byteCount: pieces.reduce(0) { $0 + $1.bytes.count })
        for _ in 0..<2 {
            #expect(try log.newestSnapshot() == expected)
            #expect(try log.newestSnapshot(upTo: 4) == expected)
            #expect(try log.newestSnapshot(upTo: 3) == nil)
            #expect(try log.pieces(of: expected) == pieces)
            log = try reopened(log)
        }
        #expect(try log.beginSnapshot(at: 4, time: LogFolder.time, rules: 9) == false)
        #expect(try log.write([], at: 11))
        #expect(try log.newestSnapshot()?.position == 11)
        #expect(try log.newestSnapshot()?.pieceCount == 0)
        #expect(try log.newestSnapshot(upTo: 10) == expected)
        #expect(try log.snapshots().map(\.position) == [4, 11])
    }

    @Test("a snapshot that was not completed is dropped, by the next one and by an opening")
    func snapshotThatWasNotCompletedIsDropped() throws {
        var log = try folder.open()
        try log.append(count: 2)
        let pieces = pieces(3)
        for _ in 0..<2 {
            #expect(try log.beginSnapshot(at: 1, time: LogFolder.time, rules: 1))
            try log.add(pieces[0])
        }
        log = try reopened(log)
        #expect(try log.newestSnapshot() == nil)
        #expect(try log.write(pieces, at: 1))
        #expect(try log.pieces(of: #require(try log.newestSnapshot())) == pieces)
        try log.close()
        try folder.change("DELETE FROM snapshots")
        try folder.open().close()
        try folder.change("CREATE TABLE empty AS SELECT 1 / (SELECT count(*) = 0 FROM snapshot) AS one")
        #expect(try folder.open().snapshots().isEmpty)
    }

    // MARK: Trimming

    @Test("trimming goes in steps, keeps what the newest snapshot needs, and reuses no position")
    func trimmingKeepsWhatTheNewestSnapshotNeeds() throws {
        var log = try folder.open()
        let batches = try log.append(count: 500)
        // From files a part may stay, from the database none does.
        log = try reopened(log)
        #expect(try log.trim(before: 400) == false)
        #expect(log.firstPosition == 1)
        for position in [UInt64(100), 200, 300] { #expect(try log.write(pieces(6, seed: position), at: position)) }
        var steps = 0
        while try log.trim(before: 250) {
            steps += 1
            #expect(try log.batches(after: 300) == Array(batches[300...]))
        }
        #expect(steps > 3)
        #expect(log.firstPosition == 250)
        #expect(try log.snapshots().map(\.position) == [300])
        #expect(try log.pieces(of: #require(try log.newestSnapshot())) == pieces(6, seed: 300))
        #expect(problem { () throws(LogProblem) in _ = try log.batch(after: 248) } == .trimmed)
        #expect(try log.batches(after: 249) == Array(batches[249...]))

        while try log.trim(before: .max) {}
        #expect(log.firstPosition == 301)
        try log.append(count: 1)
        #expect(try log.write([], at: 501))
        while try log.trim(before: .max) {}
        #expect(log.firstPosition == 501)
        log = try reopened(log)
        #expect(log.firstPosition == 501)
        #expect(try log.append([], time: LogFolder.time, rules: 1) == 502)
    }

    @Test("trimming removes whole files of batches, and the next ones take their names")
    func trimmingRemovesWholeFiles() throws {
        let log = try folder.open()
        let batches = try log.append(count: 100)
        let names = try folder.names().count
        #expect(try log.write(pieces(1), at: 80))
        while try log.trim(before: 50) {}
        #expect((30...50).contains(log.firstPosition))
        #expect(try folder.names().count < names)
        #expect(problem { () throws(LogProblem) in _ = try log.batch(after: log.firstPosition - 2) } == .trimmed)
        #expect(try log.batches(after: log.firstPosition - 1) == Array(batches[Int(log.firstPosition - 1)...]))
        try log.append(count: 100)
        #expect(try folder.names().count < 2 * names)
        #expect(try folder.names().contains("run.mynah-00"))
        #expect(try log.byteCount(after: 60, through: 90) == batches[60..<90].reduce(0) { $0 + $1.count })
    }

    @Test("batches that are moved to the database leave their files, whole ones at once")
    func batchesThatAreMovedLeaveTheirFiles() throws {
        var log = try folder.open()
        let batches = try log.append(count: 100)
        let names = try folder.names().count
        while try log.moveBatches(through: 60) {}
        #expect(try folder.names().count < names)
        for _ in 0..<2 {
            #expect(log.firstPosition == 1)
            #expect(try log.batches() == batches)
            #expect(try log.byteCount(after: 40, through: 90) == batches[40..<90].reduce(0) { $0 + $1.count })
            // As after the end of the process.
            log.abandon()
            log = try folder.open()
        }
    }

    @Test("a snapshot of the batch before the first that stays is kept")
    func snapshotBeforeTheFirstBatchThatStaysIsKept() throws {
        let log = try folder.open()
        try log.append(count: 9)
        for position in [UInt64(3), 4, 8] { #expect(try log.write(pieces(1), at: position)) }
        while try log.trim(before: 5) {}
        #expect(try log.snapshots().map(\.position) == [4, 8])
        #expect(try log.batches(after: 4).count == 5)
    }

    @Test("a snapshot can be written while others are trimmed")
    func snapshotCanBeWrittenWhileOthersAreTrimmed() throws {
        let log = try folder.open()
        try log.append(count: 200)
        #expect(try log.write(pieces(9), at: 100))
        #expect(try log.write(pieces(9), at: 150))
        let pieces = pieces(9, seed: 6)
        #expect(try log.beginSnapshot(at: 200, time: LogFolder.time, rules: 1))
        for piece in pieces {
            try log.add(piece)
            _ = try log.trim(before: 160)
        }
        while try log.trim(before: 160) {}
        try log.completeSnapshot()
        #expect(try log.snapshots().map(\.position) == [150, 200])
        #expect(try log.pieces(of: #require(try log.newestSnapshot())) == pieces)
    }

    @Test("trimming makes a large file smaller, and a small one's room is used again")
    func trimmingMakesALargeFileSmaller() throws {
        var log = try folder.open(.normal)
        let megabyte = [UInt8](repeating: 3, count: 1 << 20)
        for _ in 0..<40 { _ = try log.append(megabyte, time: LogFolder.time, rules: 1) }
        log = try reopened(log, .normal)
        #expect(try log.write([], at: 40))
        let before = log.fileBytes
        while try log.trim(before: .max) {}
        #expect(log.fileBytes < before / 2)
        let trimmed = log.fileBytes
        for _ in 0..<6 { _ = try log.append(megabyte, time: LogFolder.time, rules: 1) }
        try log.close()
        #expect(try folder.bytes().count < trimmed + 4 << 20)
        #expect(try folder.open(.normal).batches(after: 40).count == 6)
    }
}
