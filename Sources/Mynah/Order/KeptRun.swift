internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import MynahTrust
internal import NIOCore

/// A run in its data folder: the log, what applies it, and the snapshots from which a start goes on; belongs to one
/// thread.
final class KeptRun {
    /// The section of a snapshot's first piece: see ``Mark``.
    private static let markSection = "run"

    /// What a snapshot says of the run: the choices in force after it, and the last number before it.
    struct Mark {
        let choices: Choices
        let lastSequence: UInt64

        var bytes: [UInt8] {
            var writer = ByteWriter()
            writer.write(lastSequence)
            writer.write(bytes: choices.bytes)
            return writer.bytes
        }

        init(choices: Choices, lastSequence: UInt64) {
            self.choices = choices
            self.lastSequence = lastSequence
        }

        init(_ piece: SnapshotPiece, over settings: Settings) throws(CodingProblem) {
            guard piece.section == KeptRun.markSection else {
                throw CodingProblem("the snapshot begins with a section \(piece.section)")
            }
            var reader = ByteReader(piece.bytes)
            lastSequence = try reader.read(UInt64.self)
            choices = try Choices(Array(reader.bytes()), over: settings)
            try reader.end()
        }
    }

    /// A snapshot that is to be written piece by piece, on any thread.
    struct UnwrittenSnapshot: Sendable {
        fileprivate let mark: Mark
        fileprivate let state: SimulationSnapshot

        func forEachPiece<Failure: Error>(
            _ body: (SnapshotPiece) throws(Failure) -> Void
        ) throws(Failure) {
            try body(SnapshotPiece(section: KeptRun.markSection, bytes: mark.bytes))
            try state.forEachPiece { section, bytes throws(Failure) in
                try body(SnapshotPiece(section: section, bytes: bytes))
            }
        }
    }

    let log: RunLog
    let applier: OrderApplier
    let loop: any EventLoop
    let logger: Logger
    var keeping = Keeping()
    private let choices: Choices
    private let keep: Settings.Keep
    private let snapshotBytesMin: Int
    // The complete snapshots, the oldest first.
    private var marks: [(position: UInt64, mark: Mark)] = []
    private var lastSnapshotBytes = 0
    // The bytes of the batches since the last snapshot.
    private var batchBytes = 0
    private var unwritten: (position: UInt64, mark: Mark, byteCount: Int)?
    // What is before this position is being removed.
    private var trimEnd: UInt64?

    private init(
        _ log: RunLog, _ applier: OrderApplier, _ choices: Choices, on loop: any EventLoop, _ logger: Logger
    ) {
        self.log = log
        self.applier = applier
        self.choices = choices
        self.loop = loop
        self.logger = logger
        keep = choices.settings.keep
        snapshotBytesMin = choices.settings.snapshotBytesMin
    }

    // MARK: Snapshots

    func countBytes(ofBatch byteCount: Int) { batchBytes += byteCount }

    /// Begins a snapshot if so much has been written since the last one that a start would take long.
    func beginSnapshotIfDue() throws(LogProblem) -> UnwrittenSnapshot? {
        guard unwritten == nil, batchBytes >= max(snapshotBytesMin, lastSnapshotBytes) else { return nil }
        return try beginSnapshot()
    }

    private func beginSnapshot() throws(LogProblem) -> UnwrittenSnapshot? {
        let position = log.lastPosition
        guard try log.beginSnapshot(at: position, time: applier.lastTime, rules: OrderApplier.rulesVersion) else {
            return nil
        }
        let snapshot = UnwrittenSnapshot(
            mark: Mark(choices: choices, lastSequence: applier.lastSequence), state: applier.snapshot())
        unwritten = (position, snapshot.mark, 0)
        batchBytes = 0
        return snapshot
    }

    func add(_ piece: SnapshotPiece) throws(LogProblem) {
        try log.add(piece)
        unwritten?.byteCount += piece.bytes.count
    }

    func completeSnapshot() throws(LogProblem) {
        guard let written = unwritten else { return }
        try log.completeSnapshot()
        lastSnapshotBytes = written.byteCount
        marks.append((written.position, written.mark))
        try removeSuperseded()
        // Not before: after a problem the next one begins once this one has been given up.
        unwritten = nil
        guard keep == .journal else {
            trimEnd = written.position
            return
        }
        let last = applier.lastSequenceBeforeJournal
        marks.removeFirst(marks.lastIndex { $0.mark.lastSequence <= last } ?? 0)
        trimEnd = marks.first?.position
    }

    /// Removes the last snapshot but one if so little was written since the one before it that it saves no start and no
    /// look at the run much time: each stop writes one.
    private func removeSuperseded() throws(LogProblem) {
        guard marks.count >= 3 else { return }
        let before = marks[marks.count - 3]
        let superseded = marks[marks.count - 2]
        let last = marks[marks.count - 1]
        // What comes after a snapshot is applied by its choices.
        guard before.mark.choices.bytes == superseded.mark.choices.bytes,
            try log.byteCount(after: before.position, through: last.position)
                < max(snapshotBytesMin, lastSnapshotBytes)
        else { return }
        try log.removeSnapshot(at: superseded.position)
        marks.remove(at: marks.count - 2)
    }

    /// Gives up the snapshot that was begun.
    func abandonSnapshot() { unwritten = nil }

    /// Removes a part of what is older than what the run keeps; of one that keeps all, moves it to the database, so that
    /// a stop has little to move.
    func trim() throws(LogProblem) {
        guard let end = trimEnd else { return }
        trimEnd = nil
        if try keep == .all ? log.moveBatches(through: end) : log.trim(before: end) { trimEnd = end }
    }

    /// Writes a snapshot at once.
    private func writeSnapshot() throws(LogProblem) {
        unwritten = nil
        guard let snapshot = try beginSnapshot() else { return }
        try snapshot.forEachPiece { piece throws(LogProblem) in try add(piece) }
        try completeSnapshot()
    }

    /// Writes a snapshot of the state as it is, and closes the log.
    ///
    /// A run that can't be written now is read from its batches at the next start.
    func close() throws(LogProblem) {
        do throws(LogProblem) {
            try log.checkThere()
            try log.prepareToClose()
            try writeSnapshot()
            while trimEnd != nil { try trim() }
        } catch {
            log.abandon()
            throw error
        }
        try log.close()
    }

    // MARK: Start

    /// Opens the run of a data folder, or begins one, and brings a simulation to the end of it.
    ///
    /// - Parameters:
    ///   - keys: The keys of this start.
    ///   - make: Makes a simulation in which nothing has happened.
    static func open(
        _ log: RunLog, _ settings: Settings, keys: [SigningKey], on loop: any EventLoop, logger: Logger,
        make: (Choices) -> Simulation
    ) throws(LogProblem) -> (run: KeptRun, simulation: Simulation) {
        if let rest = log.rest { logger.warning("\(rest)") }
        guard let newest = try log.snapshots().last else { return try begin(log, settings, on: loop, logger, make) }
        let recorded = try mark(of: newest, in: log, settings).choices
        if let seed = settings.seed, seed != recorded.seed {
            logger.warning("the run goes on with its own seed \(recorded.seed): --seed \(seed) is not used")
        }
        let simulation = make(recorded)
        let applier = OrderApplier(simulation, lastTime: newest.time)
        applier.restore(try state(of: newest, in: log, for: simulation), at: newest.position)
        try replay(applier, after: newest.position, in: log, leavingOut: settings.leftOut, logger)
        if let difference = applier.difference { logger.warning("\(difference.startWarning)") }
        if let step = ClockStep(from: applier.lastTime, to: WallClock.now()) {
            let last = applier.lastTime.rfc3339
            logger.warning("the system's clock is behind the last change of the run (\(last)): \(step)")
        }
        try start(applier, keys, in: log)
        let choices = Choices(seed: recorded.seed, settings: settings)
        guard choices.bytes != recorded.bytes else {
            let run = KeptRun(log, applier, choices, on: loop, logger)
            try run.readMarks(settings)
            return (run, simulation)
        }
        let differences = choices.differences(from: recorded, whose: "before")
        logger.notice("the run goes on with other settings than before: \(differences.joined(separator: ", "))")
        let changed = make(choices)
        let run: KeptRun
        do throws(CodingProblem) {
            run = KeptRun(log, try applier.continued(in: changed), choices, on: loop, logger)
        } catch {
            throw LogProblem(unreadable: log.file, error.description)
        }
        try run.readMarks(settings)
        try run.writeSnapshot()
        return (run, changed)
    }

    /// Goes on with the order as another process, with the keys of its start.
    private static func start(
        _ applier: OrderApplier, _ keys: [SigningKey], in log: RunLog
    ) throws(LogProblem) {
        let keys = StartKeys(keys: keys.map(\.publicHalf))
        let changes: [OrderedChange]
        do throws(InputError) {
            changes = [.started, try OrderedChange(keys)]
        } catch {
            preconditionFailure("keys can't be written: \(error)")
        }
        guard let batch = applier.batch(of: changes, look: .none, at: WallClock.now()) else { return }
        let logged = try log.added(batch)
        do throws(CodingProblem) {
            _ = try applier.applyBatch(logged)
        } catch {
            preconditionFailure("a batch can't be read that was just written: \(error)")
        }
    }

    /// Applies the batches after a position; says how far it is if that takes long.
    private static func replay(
        _ applier: OrderApplier, after start: UInt64, in log: RunLog, leavingOut wanted: [ReplayMark.Place],
        _ logger: Logger
    ) throws(LogProblem) {
        let mark = try log.replayMark()
        if let place = mark?.crashed {
            logger.warning(
                "change \(place) of the run crashed the last start: if it crashes this one too, the next leaves it out")
        } else if let place = mark?.killed {
            logger.warning(
                """
                the last start was killed while it applied change \(place) of the run: if that change is why, leave it out \
                (--leave-out \(place))
                """)
        }
        var leftOut = try LeftOut(log)
        let known = leftOut
        var place: ReplayMark.Place?
        var position = start
        var progress = ReadingProgress(of: "the run")
        while let batch = try log.batch(after: position) {
            do throws(CodingProblem) {
                place = nil
                let takes = { (index: Int) in
                    let next = ReplayMark.Place(position: batch.position, index: index)
                    place = next
                    guard !leftOut.contains(next) else { return false }
                    let isWanted = wanted.contains(next)
                    guard isWanted || mark?.begin(next) == false else { return true }
                    let reason = isWanted ? "as --leave-out says" : "because it crashed \(ReplayMark.crashesMax) starts"
                    logger.error("change \(next) of the run is left out, \(reason)")
                    leftOut.insert(next)
                    return false
                }
                try applier.replay(batch, takes) { _ in mark?.applied() }
            } catch {
                // The error that is thrown ends this start, so the change hasn't crashed it.
                mark?.applied()
                throw LogProblem(unreadable: log.file, place, of: batch, error)
            }
            position = batch.position
            if let line = progress.line(after: position, of: log.lastPosition) { logger.notice("\(line)") }
        }
        if let other = wanted.first(where: { !leftOut.contains($0) }) {
            throw LogProblem(
                .missing, file: log.file,
                "it has no change \(other) to leave out (--leave-out): expected one "
                    + (start < position
                        ? "of batches \(start + 1) to \(position)" : "after its last snapshot, and there is none"))
        }
        if leftOut != known { try leftOut.write(to: log) }
        mark?.end()
    }

    /// The changes of a log that crash the process that applies them, or that a person has left out.
    struct LeftOut: Equatable {
        private static let note = "changes left out"
        private var places: [ReplayMark.Place] = []

        init(_ log: RunLog) throws(LogProblem) {
            for text in try log.text(ofNote: LeftOut.note)?.split(separator: " ") ?? [] {
                guard let place = ReplayMark.Place(text) else {
                    throw LogProblem(unreadable: log.file, "its note of changes left out is '\(text)'")
                }
                places.append(place)
            }
        }

        func contains(_ place: ReplayMark.Place) -> Bool { places.contains(place) }
        mutating func insert(_ place: ReplayMark.Place) { places.append(place) }

        func write(to log: RunLog) throws(LogProblem) {
            try log.setNote(LeftOut.note, places.map(\.description).joined(separator: " "))
        }
    }

    private static func begin(
        _ log: RunLog, _ settings: Settings, on loop: any EventLoop, _ logger: Logger,
        _ make: (Choices) -> Simulation
    ) throws(LogProblem) -> (run: KeptRun, simulation: Simulation) {
        guard log.lastPosition == 0 else {
            throw LogProblem(unreadable: log.file, "it has changes, and no state before them")
        }
        let choices = Choices(settings)
        let simulation = make(choices)
        let applier = OrderApplier(simulation, lastTime: WallClock.now())
        let run = KeptRun(log, applier, choices, on: loop, logger)
        try run.writeSnapshot()
        return (run, simulation)
    }

    private func readMarks(_ settings: Settings) throws(LogProblem) {
        for (snapshot, mark) in try KeptRun.snapshots(in: log, settings) {
            marks.append((snapshot.position, mark))
            lastSnapshotBytes = snapshot.byteCount
        }
    }

    /// The complete snapshots of a log, the oldest first, and what they say of the run.
    static func snapshots(
        in log: RunLog, _ settings: Settings
    ) throws(LogProblem) -> [(snapshot: LoggedSnapshot, mark: Mark)] {
        var marked: [(LoggedSnapshot, Mark)] = []
        for snapshot in try log.snapshots() { marked.append((snapshot, try mark(of: snapshot, in: log, settings))) }
        return marked
    }

    private static func mark(
        of snapshot: LoggedSnapshot, in log: RunLog, _ settings: Settings
    ) throws(LogProblem) -> Mark {
        let piece = try log.piece(0, of: snapshot)
        do throws(CodingProblem) {
            return try Mark(piece, over: settings)
        } catch {
            throw LogProblem(unreadable: log.file, error.description)
        }
    }

    static func state(
        of snapshot: LoggedSnapshot, in log: RunLog, for simulation: Simulation
    ) throws(LogProblem) -> SimulationSnapshot {
        var reading = SnapshotReading(for: simulation)
        for number in 1..<max(snapshot.pieceCount, 1) {
            let piece = try log.piece(number, of: snapshot)
            do throws(CodingProblem) {
                try reading.add(piece.bytes, of: piece.section)
            } catch {
                throw LogProblem(unreadable: log.file, error.description)
            }
        }
        do throws(CodingProblem) {
            return try reading.finish()
        } catch {
            throw LogProblem(unreadable: log.file, error.description)
        }
    }
}

extension LogProblem {
    /// A batch of a log can't be read; `place` is the change, if it is one.
    init(unreadable file: String, _ place: ReplayMark.Place?, of batch: LoggedBatch, _ error: CodingProblem) {
        if let place {
            self.init(unreadable: file, place, error.description)
        } else {
            self.init(unreadable: file, "batch \(batch.position): \(error)")
        }
    }
}
