internal import APNsRules
internal import MynahCore
internal import MynahStore

/// Writes batches of changes to a log, and applies them; a start applies those that the log has.
final class OrderApplier {
    struct Batch: Sendable {
        let bytes: [UInt8]
        let time: Instant
        let changeCount: Int
    }

    /// What came of a change.
    enum Result: Sendable {
        case push(PushResult, [IdleClose])
        case released((push: IncomingPush, result: FaultedPush)?)
        case abandoned
        case command(Swift.Result<any Sendable, any Error>)
    }

    /// Which rules decide; counted up when the same changes would lead to another state than with an earlier version, which
    /// ``ReplayDifference`` then says of older runs.
    static let rulesVersion: UInt32 = 1

    private let simulation: Simulation
    private let applier: PushApplier
    private let log: any CommandLog
    // By the system's clock.
    private(set) var lastTime: Instant
    /// Of all answers so far, by which two that applied the same changes are compared.
    private(set) var digest: UInt64
    /// The first batch that was recorded otherwise than it was replayed.
    private(set) var difference: ReplayDifference?

    /// An applier for a simulation in which nothing has happened.
    init(_ simulation: Simulation, log: any CommandLog, lastTime: Instant) {
        (self.simulation, self.log, self.lastTime) = (simulation, log, lastTime)
        digest = OrderState().digest
        // No other pushes can go on meanwhile.
        applier = PushApplier(simulation, clocks: simulation.devices.currentClocks, inlineFollowersMax: .max)
        simulation.wall.stand(at: lastTime)
    }

    /// The clocks at the time of the last change or look.
    var time: DeviceTime { simulation.devices.time }
    var answers: AnswerCounts { applier.answers }

    var journal: JournalStore { simulation.journal }
    /// The last number that was given out.
    var lastSequence: UInt64 { simulation.journal.lastIssued }
    /// The number before that of the oldest push in the journal.
    var lastSequenceBeforeJournal: UInt64 {
        simulation.journal.read { $0.entries(after: 0, limit: 1).entries.first.map { $0.sequence - 1 } } ?? lastSequence
    }

    // MARK: Snapshots

    /// Copies the state, between two batches.
    func snapshot() -> SimulationSnapshot { simulation.snapshot(state) }

    var state: OrderState { OrderState(lastTime: lastTime, digest: digest, pending: applier.pending) }

    /// Goes on as the applier whose snapshot was read, in place of the state so far; nothing has been applied yet.
    ///
    /// - Parameter difference: That of the other applier.
    func restore(_ snapshot: SimulationSnapshot, _ difference: ReplayDifference? = nil) {
        self.difference = difference
        let order = snapshot.order
        (lastTime, digest, applier.pending) = (order.lastTime, order.digest, order.pending)
        simulation.wall.stand(at: lastTime)
        simulation.restore(snapshot)
        applier.clocks = simulation.devices.currentClocks
    }

    /// An applier that goes on in a new simulation with the same seed and other settings, by which it tries again to
    /// deliver what power or a budget holds back.
    ///
    /// That is no change of the log, so a snapshot of the new applier has to follow the last batch of this one.
    func continued(in simulation: Simulation) throws(CodingProblem) -> OrderApplier {
        let other = OrderApplier(simulation, log: log, lastTime: lastTime)
        var reading = SnapshotReading(for: simulation)
        try snapshot().forEachPiece { section, bytes throws(CodingProblem) in try reading.add(bytes, of: section) }
        other.restore(try reading.finish())
        simulation.devices.retryDeferred()
        return other
    }

    // MARK: Writing

    /// Makes a batch of changes at a time of the system's clock, and of a look if one is wanted and something is due;
    /// `nil` if there is nothing to write.
    func batch(of changes: some Sequence<OrderedChange>, isLookWanted: Bool, at wall: Instant) -> Batch? {
        // A clock that is set back doesn't set the simulation back.
        let time = max(lastTime, wall)
        var writer = BatchWriter()
        for change in changes { writer.add(change) }
        let clocks = simulation.devices.currentClocks
        if isLookWanted, simulation.isDue(at: DeviceTime(clocks: clocks, wall: time)) {
            writer.add(.command(.look, JSONValue.object([]).encoded))
        }
        guard writer.count > 0 else {
            simulation.wall.stand(at: time)
            lastTime = time
            return nil
        }
        return Batch(bytes: writer.finish(digest: digest), time: time, changeCount: writer.count)
    }

    func log(_ batch: Batch) throws(LogProblem) {
        _ = try log.append(batch.bytes, time: batch.time, rules: OrderApplier.rulesVersion)
    }

    // MARK: Applying

    /// Applies a batch that this process wrote.
    func apply(_ batch: Batch) -> [Result] {
        var results: [Result] = []
        results.reserveCapacity(batch.changeCount)
        do throws(CodingProblem) {
            try apply(BatchReader(batch.bytes), at: batch.time) { results.append($0) }
        } catch {
            preconditionFailure("a batch can't be read that was just written: \(error)")
        }
        return results
    }

    /// Applies the changes of a batch that a log has, except for those whose places `takes` refuses, up to the one that
    /// gives out the number `sequence`, or all; `report` is called after each.
    func replay(
        _ batch: LoggedBatch, _ takes: (Int) -> Bool = { _ in true }, throughSequence sequence: UInt64 = .max,
        report: (Result) -> Void = { _ in }
    ) throws(CodingProblem) {
        let reader = try BatchReader(batch.bytes)
        difference = difference ?? ReplayDifference(of: batch, recordedAfter: reader.digest, replayedAfter: digest)
        try apply(reader, at: batch.time, takes, throughSequence: sequence, report)
    }

    /// Does what is due by a time of the system's clock, and stays at it.
    func look(at time: Instant) {
        lastTime = max(lastTime, time)
        simulation.wall.stand(at: lastTime)
        simulation.look()
        applier.clocks = simulation.devices.currentClocks
    }

    /// Applies all batches of the log after a position; returns how many changes those were.
    func replay(after start: UInt64) throws -> Int {
        var position = start
        var count = 0
        while let batch = try log.batch(after: position) {
            try replay(batch, report: { _ in count += 1 })
            position = batch.position
        }
        return count
    }

    private func apply(
        _ reader: BatchReader, at time: Instant, _ takes: (Int) -> Bool = { _ in true },
        throughSequence sequence: UInt64 = .max, _ report: (Result) -> Void
    ) throws(CodingProblem) {
        lastTime = max(lastTime, time)
        simulation.wall.stand(at: lastTime)
        var reader = reader
        var index = 0
        while lastSequence < sequence, let change = try reader.next(in: context) {
            defer { index += 1 }
            guard takes(index) else { continue }
            let result = try apply(change)
            note(result)
            report(result)
        }
    }

    private func context(_ credentials: [JudgedCredential]) -> PushCodingContext {
        PushCodingContext(
            credentials: credentials, settings: simulation.settings.rules, seed: simulation.seed,
            wall: lastTime,
            now: applier.clocks.now(wall: lastTime))
    }

    private func apply(_ change: OrderedChange) throws(CodingProblem) -> Result {
        switch change {
        case .push(let push):
            simulation.random.noteUse(of: push.random)
            simulation.connectionNumbers.note(push.connection)
            let result = applier.apply(push)
            return .push(result, applier.takeIdleCloses())
        case .release(let ticket): return .released(applier.release(ticket))
        case .abandon(let ticket):
            applier.abandon(ticket)
            return .abandoned
        case .started:
            for ticket in applier.pending.tickets { applier.abandon(ticket) }
            return .command(Swift.Result { try simulation.disconnectClients() as any Sendable })
        case .command(let kind, let document):
            let command: any Command
            do throws(InputError) {
                command = try CommandCoding.decode(kind: kind.rawValue, document.span)
            } catch {
                throw CodingProblem(error.description)
            }
            let result = command.result(of: simulation)
            applier.clocks = simulation.devices.currentClocks
            return .command(result)
        }
    }

    private func note(_ result: Result) {
        func mix(_ value: UInt64) { digest = (digest ^ value) &* 0x100_0000_01b3 }
        mix(simulation.journal.lastIssued)
        switch result {
        case .push(.answered(let refusal, _), _): mix(UInt64(refusal?.reason.status ?? 200))
        case .command(.failure): mix(1)
        case .push, .released, .abandoned, .command: mix(0)
        }
    }
}

extension Command {
    /// Carries itself out, whatever its answer is.
    fileprivate func result(of simulation: Simulation) -> Result<any Sendable, any Error> {
        Result { try apply(to: simulation) }
    }
}
