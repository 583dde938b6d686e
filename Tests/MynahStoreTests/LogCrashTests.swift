import CSQLite
import Testing

@testable import MynahStore

@Suite("Crashes and failing disks under a log")
struct LogCrashTests {
    let folder: LogFolder
    init() throws { folder = try LogFolder() }

    /// A run on a disk in memory: what was promised after how many of the disk's steps.
    private final class Run {
        /// Enough for some checkpoints.
        private static let batchCount = 120

        let disk = MemoryDisk()
        var batches: [[UInt8]] = []
        /// The number of steps on the disk when each batch had been committed.
        var committed: [Int] = []
        let pieces = (0..<4).map { SnapshotPiece(section: "\($0)", bytes: [UInt8](repeating: UInt8($0), count: 9000)) }
        /// The number of steps when each snapshot was complete, and its position.
        var snapshots: [(steps: Int, position: UInt64)] = []
        /// The number of steps when the log was trimmed, and the first batch that has to be there since.
        var trimmed: [(steps: Int, first: UInt64)] = []

        /// Appends, writes snapshots and trims, in seeded order.
        init(_ folder: LogFolder, _ sync: LogSync, seed: UInt64) throws {
            var numbers = SeededNumbers(seed: seed)
            let log = try folder.open(sync, disk: disk)
            for _ in 0..<Run.batchCount {
                let batch = numbers.bytes(numbers.next(below: numbers.next(below: 8) == 0 ? 20_000 : 300))
                // A crash within the call may have the batch or not.
                batches.append(batch)
                _ = try log.append(batch, time: LogFolder.time, rules: 1)
                committed.append(disk.steps.count)
                if numbers.next(below: 20) == 0 {
                    #expect(try log.write(pieces, at: log.lastPosition))
                    snapshots.append((disk.steps.count, log.lastPosition))
                }
                if numbers.next(below: 8) == 0 {
                    let before = UInt64(numbers.next(below: Run.batchCount))
                    trimmed.append((disk.steps.count, min(before, (snapshots.last?.position ?? 0) + 1)))
                    _ = try log.trim(before: before)
                }
            }
            try log.close()
        }

        /// The steps after which the test lets it crash: of many runs of the test every one.
        func crashes(seed: UInt64) -> [Int] {
            var numbers = SeededNumbers(seed: seed)
            let count = LogFolder.casesMax(40)
            guard count < disk.steps.count else { return Array(0...disk.steps.count) }
            return [0, disk.steps.count] + (0..<count).map { _ in numbers.next(below: disk.steps.count) }
        }
    }

    /// Opens what a crash after so many steps has left, and compares it with what had been promised by then.
    private func check(_ run: Run, after steps: Int, _ crash: MemoryDisk.Crash, isDurable: Bool) throws {
        let disk = MemoryDisk(run.disk.files(after: steps, crash))
        let promised = run.committed.count { $0 <= steps }
        let begun = min(run.batches.count, promised + 1)
        let what: Comment = "after step \(steps) of \(run.disk.steps.count), \(promised) batches"

        var log = try folder.open(disk: disk)
        if isDurable { #expect(log.lastPosition >= UInt64(promised), what) }
        #expect(log.lastPosition <= UInt64(begun), what)
        let firstMax = run.trimmed.filter { $0.steps <= steps }.map(\.first).max() ?? 1
        #expect(log.firstPosition <= max(firstMax, 1), what)
        #expect(
            try log.batches(after: log.firstPosition - 1)
                == Array(run.batches[Int(log.firstPosition) - 1..<Int(log.lastPosition)]), what)
        let snapshot = try log.newestSnapshot()
        if let snapshot { #expect(try log.pieces(of: snapshot) == run.pieces, what) }
        let complete = run.snapshots.last { $0.steps <= steps }
        if isDurable { #expect(snapshot?.position ?? 0 >= complete?.position ?? 0, what) }
        // The oldest batch and a snapshot lead to the state.
        if log.firstPosition > 1 { #expect((snapshot?.position ?? 0) + 1 >= log.firstPosition, what) }

        // It goes on.
        let position = try log.append([7], time: LogFolder.time, rules: 1)
        try log.close()
        log = try folder.open(disk: disk)
        #expect(try log.batch(after: position - 1)?.bytes == [7], what)
        try log.close()
        #expect(disk.files.keys.sorted() == [folder.file], what)
    }

    @Test(
        "a process that is killed at any step has lost nothing that was committed", arguments: LogSync.allCases)
    func processThatIsKilledHasLostNothing(sync: LogSync) throws {
        let run = try Run(folder, sync, seed: sync == .full ? 1 : 2)
        for steps in run.crashes(seed: 4) { try check(run, after: steps, .process, isDurable: true) }
    }

    @Test(
        "a power cut at any step has lost nothing that was committed with full synchronisation",
        arguments: [UInt64(1), 2])
    func powerCutHasLostNothing(seed: UInt64) throws {
        let run = try Run(folder, .full, seed: seed)
        for steps in run.crashes(seed: seed) {
            let crash = MemoryDisk.Crash.power(SeededNumbers(seed: seed << 32 + UInt64(steps)))
            try check(run, after: steps, crash, isDurable: true)
        }
    }

    @Test("a power cut with normal synchronisation leaves a beginning of what was committed")
    func powerCutLeavesABeginning() throws {
        let run = try Run(folder, .normal, seed: 3)
        for steps in run.crashes(seed: 5) {
            try check(run, after: steps, .power(SeededNumbers(seed: UInt64(steps))), isDurable: false)
        }
    }

    // MARK: Failing disks

    enum Failure: Int, CaseIterable, Sendable { case full, write, sync }

    @Test("after a step that fails and a recovery, the batch is not there", arguments: Failure.allCases)
    func afterAStepThatFailsTheBatchIsNotThere(failure: Failure) throws {
        var failed = 0
        let batch = [UInt8](repeating: 1, count: 1 << 20)
        for step in 0..<12 {
            let disk = MemoryDisk()
            var log = try folder.open(disk: disk)
            try log.append(count: 3)
            // The batch begins another file.
            if step % 2 == 1 { _ = try log.append(batch, time: LogFolder.time, rules: 1) }
            let before = log.lastPosition
            var left = step / 2
            var isBroken = false
            disk.failure = { made in
                if left == 0 { isBroken = true }
                left -= 1
                guard isBroken else { return SQLITE_OK }
                switch (failure, made) {
                case (.full, .write): return SQLITE_FULL
                case (.write, .write), (.write, .truncate), (.sync, .sync): return SQLITE_IOERR
                default: return SQLITE_OK
                }
            }
            let problem = words { () throws(LogProblem) in _ = try log.append(batch, time: LogFolder.time, rules: 1) }
            if let problem {
                failed += 1
                #expect(problem.code == (failure == .full ? .full : .inputOutput))
                #expect(
                    words { () throws(LogProblem) in _ = try log.append([], time: LogFolder.time, rules: 1) } == problem
                )
                #expect(words { () throws(LogProblem) in _ = try log.batch(after: 0) } == problem)
                disk.failure = { _ in SQLITE_OK }
                try log.recover()
                #expect(log.lastPosition == before)
                try log.recover()
            }
            disk.failure = { _ in SQLITE_OK }
            let count = log.lastPosition
            #expect(try log.append([2], time: LogFolder.time, rules: 1) == count + 1)

            // A power cut doesn't change the answer.
            let files = disk.files(after: disk.steps.count, .power(SeededNumbers(seed: UInt64(step))))
            try log.close()
            log = try folder.open(disk: MemoryDisk(files))
            #expect(log.lastPosition == count + 1)
            #expect(try log.batches(after: before).map(\.count) == (problem == nil ? [batch.count, 1] : [1]))
            try log.close()
        }
        #expect(failed > 0)
    }

    @Test("while the disk is full every call says so, and recovering works when there is room again")
    func whileTheDiskIsFullEveryCallSaysSo() throws {
        let disk = MemoryDisk()
        var log = try folder.open(disk: disk)
        let batches = try log.append(count: 5)
        disk.failure = { if case .write = $0 { SQLITE_FULL } else { SQLITE_OK } }
        let problem = words { () throws(LogProblem) in _ = try log.append([1], time: LogFolder.time, rules: 1) }
        #expect(
            problem?.description == "\(folder.file)-00: no space is left for it. Make room on the disk or in the quota."
        )
        // Which needs no room.
        try log.recover()
        #expect(words { () throws(LogProblem) in try log.checkWritable() }?.code == .full)
        #expect(words { () throws(LogProblem) in try log.setNote("a", "b") }?.code == .full)
        disk.failure = { _ in SQLITE_OK }
        try log.checkWritable()
        #expect(try log.batches() == batches)
        #expect(try log.append([1], time: LogFolder.time, rules: 1) == 6)

        // A stop before recovering lets the folder go, and one while the disk is full loses nothing, and says so.
        disk.failure = { if case .write = $0 { SQLITE_FULL } else { SQLITE_OK } }
        let full = words { () throws(LogProblem) in _ = try log.append([2], time: LogFolder.time, rules: 1) }
        #expect(full?.code == .full)
        try log.close()
        disk.failure = { _ in SQLITE_OK }
        log = try folder.open(disk: disk)
        #expect(try log.append([2], time: LogFolder.time, rules: 1) == 7)
        disk.failure = { if case .write = $0 { SQLITE_FULL } else { SQLITE_OK } }
        #expect(words { () throws(LogProblem) in try log.close() }?.code == .full)
        disk.failure = { _ in SQLITE_OK }
        log = try folder.open(disk: disk)
        #expect(try log.batches() == batches + [[1], [2]])
    }

    /// The bytes that a stop writes for so many pushes: about 310 bytes of a change for each, and 410 of the snapshot.
    private func bytesOfStop(pushes: Int) throws -> Int {
        let folder = try LogFolder()
        let disk = MemoryDisk()
        let log = try folder.open(disk: disk)
        let change = [UInt8](repeating: 7, count: 310)
        for _ in 0..<pushes { _ = try log.append(change, time: LogFolder.time, rules: 1) }
        let before = disk.steps.count
        try log.prepareToClose()
        #expect(try log.beginSnapshot(at: log.lastPosition, time: LogFolder.time, rules: 1))
        let pieceBytes = 64 << 10
        for _ in 0..<(pushes * 410 / pieceBytes + 1) {
            try log.add(SnapshotPiece(section: "journal", bytes: [UInt8](repeating: 8, count: pieceBytes)))
        }
        try log.completeSnapshot()
        try log.close()
        return disk.steps[before...].reduce(0) { sum, step in
            if case .write(_, _, let bytes) = step { sum + bytes.count } else { sum }
        }
    }

    // 100,000 take at most 3 s because of this: 72 MB of changes and snapshot, written twice by way of SQLite's log.
    @Test("a stop writes what it keeps at most two and a half times, and in proportion to its pushes")
    func aStopWritesInProportion() throws {
        let few = try bytesOfStop(pushes: 1000)
        let many = try bytesOfStop(pushes: 8000)
        #expect(many <= 8000 * 720 * 5 / 2, "\(many)")
        #expect(few >= 1000 * 720)
        #expect(Double(many) / 8000 <= Double(few) / 1000 * 1.1, "\(few) \(many)")
    }

    @Test("a piece of a snapshot that could not be written leaves the batches as they are")
    func pieceThatCouldNotBeWrittenLeavesTheBatches() throws {
        let disk = MemoryDisk()
        let log = try folder.open(disk: disk)
        let batches = try log.append(count: 3)
        let piece = SnapshotPiece(section: "a", bytes: [UInt8](repeating: 4, count: 1 << 20))
        #expect(try log.beginSnapshot(at: 3, time: LogFolder.time, rules: 1))
        try log.add(piece)
        disk.failure = { if case .write = $0 { SQLITE_FULL } else { SQLITE_OK } }
        #expect(problem { () throws(LogProblem) in try log.add(piece) } == .full)
        disk.failure = { _ in SQLITE_OK }
        #expect(try log.append([9], time: LogFolder.time, rules: 1) == 4)
        #expect(try log.batches() == batches + [[9]])
        #expect(try log.write([piece], at: 3))
        #expect(try log.pieces(of: #require(try log.newestSnapshot())) == [piece])
    }
}
