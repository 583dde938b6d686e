internal import APNsRules
internal import MynahCore
internal import MynahStore

/// Makes batches of changes for a log, and applies the batches that the log has.
final class OrderApplier {
    struct Batch: Sendable {
        let bytes: [UInt8]
        let time: Instant
        let changeCount: Int
    }

    /// Which looks a batch ends with.
    enum LookWanted: Sendable {
        case none
        /// If something is due.
        case ifDue
        /// In any case, since it comes behind all that the log has.
        case always
    }

    /// The outcome of a batch of a log.
    struct Applied {
        /// Whether it is the batch that this process appended last.
        let isAwaited: Bool
        /// `nil` if it has no effect.
        let outcomes: [ChangeOutcome]?
    }

    /// Which rules decide; counted up when the same changes would lead to another state than with an earlier version, which
    /// ``ReplayDifference`` then says of older runs.
    static let rulesVersion: UInt32 = 5

    let simulation: Simulation
    private let applier: PushApplier
    /// What the log knows that is shared; `nil` for one that this process has alone.
    var sharing: (any OrderSharing)?
    /// The position of the last batch that was applied.
    private(set) var position: UInt64 = 0
    /// The time of the last batch or look, by the system's clock, or by that of a shared log.
    private(set) var lastTime: Instant
    /// A hash of all answers so far, by which two servers that applied the same changes are compared.
    private(set) var digest: UInt64
    /// The first batch that was recorded otherwise than it was replayed.
    private(set) var difference: ReplayDifference?

    /// An applier for a simulation in which nothing has happened.
    init(_ simulation: Simulation, lastTime: Instant) {
        self.simulation = simulation
        self.lastTime = lastTime
        digest = OrderState().digest
        // A broadcast goes to all its followers at once: changes are applied one at a time, so no push could go on
        // meanwhile.
        applier = PushApplier(simulation, clocks: simulation.devices.currentClocks, inlineFollowersMax: .max)
        simulation.wall.set(to: lastTime)
    }

    /// The clocks at the time of the last change or look.
    var time: DeviceTime { simulation.devices.time }
    /// The answers that this process gave.
    var answers: AnswerCounts { applier.answers }

    var journal: JournalStore { simulation.journal }
    /// The last sequence number that was given out.
    var lastSequence: UInt64 { simulation.journal.lastIssued }
    /// The number before the oldest push in the journal.
    var lastSequenceBeforeJournal: UInt64 {
        simulation.journal.read { $0.entries(after: 0, limit: 1).entries.first.map { $0.sequence - 1 } } ?? lastSequence
    }

    // MARK: Snapshots

    /// Copies the state, between two batches.
    func snapshot() -> SimulationSnapshot { simulation.snapshot(state) }

    var state: OrderState {
        OrderState(lastTime: lastTime, digest: digest, pending: applier.pending, logState: sharing?.state)
    }

    /// Goes on as the applier whose snapshot was read, in place of the state so far; nothing has been applied yet.
    ///
    /// - Parameters:
    ///   - position: Of the batch after which the snapshot was taken.
    ///   - difference: That of the other applier.
    func restore(_ snapshot: SimulationSnapshot, at position: UInt64 = 0, _ difference: ReplayDifference? = nil) {
        self.difference = difference
        let order = snapshot.order
        lastTime = order.lastTime
        digest = order.digest
        applier.pending = order.pending
        self.position = position
        simulation.wall.set(to: lastTime)
        simulation.restore(snapshot)
        applier.clocks = simulation.devices.currentClocks
    }

    /// An applier that goes on in a new simulation with the same seed and other settings, by which it tries again to
    /// deliver what power or a budget holds back.
    ///
    /// That is no change of the log, so a snapshot of the new applier has to follow the last batch of this one, unless
    /// all who share the log do the same after that batch.
    func continued(in simulation: Simulation) throws(CodingProblem) -> OrderApplier {
        let other = OrderApplier(simulation, lastTime: lastTime)
        var reading = SnapshotReading(for: simulation)
        try snapshot().forEachPiece { section, bytes throws(CodingProblem) in try reading.add(bytes, of: section) }
        other.restore(try reading.finish(), at: position)
        other.sharing = sharing
        sharing?.forgetDigests()
        simulation.devices.retryDeferred()
        return other
    }

    // MARK: Writing

    /// Makes a batch of changes at a time of the system's clock, and of a look if one is wanted and something is due;
    /// `nil` if there is nothing to write.
    func batch(of changes: some Sequence<OrderedChange>, look: LookWanted, at wall: Instant) -> Batch? {
        var writer = BatchWriter()
        for change in changes { writer.add(change) }
        return batch(of: &writer, look: look, at: wall)
    }

    /// Makes a batch of the changes that have been written, as ``batch(of:look:at:)`` does.
    func batch(of writer: inout BatchWriter, look: LookWanted, at wall: Instant) -> Batch? {
        let time = time(at: wall)
        let clocks = simulation.devices.currentClocks
        let isDue = look != .none && simulation.isDue(at: DeviceTime(clocks: clocks, wall: time))
        if isDue || look == .always { writer.add(.command(Look.kind, JSONValue.object([]).encoded)) }
        guard writer.count > 0 else {
            // In a shared order only batches bring time, so that it is the same for all.
            guard sharing == nil else { return nil }
            simulation.wall.set(to: time)
            lastTime = time
            return nil
        }
        return Batch(
            bytes: writer.finish(digest: digest, sharing?.makeSource(after: position)), time: time,
            changeCount: writer.count)
    }

    /// The time of what comes next: a run follows a clock that is set back, as a server that keeps none does; a shared
    /// order, whose log may have several clocks, never goes back.
    private func time(at wall: Instant) -> Instant { sharing == nil ? wall : max(lastTime, wall) }

    // MARK: Applying

    /// Applies the changes of a batch that a log has, except for the changes whose places `takes` refuses, up to the
    /// change that gives out the number `sequence`, or all; `report` is called after each.
    func replay(
        _ batch: LoggedBatch, _ takes: (Int) -> Bool = { _ in true }, throughSequence sequence: UInt64 = .max,
        report: (ChangeOutcome) -> Void = { _ in }
    ) throws(CodingProblem) {
        let reader = try BatchReader(batch.bytes)
        difference = difference ?? ReplayDifference(of: batch, recordedAfter: reader.digest, replayedAfter: digest)
        _ = try applyChanges(of: reader, at: batch.time, takes, throughSequence: sequence, report: report)
        position = batch.position
    }

    /// Applies a batch of a log.
    ///
    /// - Parameter askers: Who waits for the batch that this process appended last, in the order of its changes.
    /// - Throws: ``CodingProblem`` for one that can't be read, or that was written after other answers.
    func applyBatch(_ batch: LoggedBatch, for askers: [OrderQueue.Asker] = []) throws(CodingProblem) -> Applied {
        if let sharing, BatchForm.isForeign(batch.bytes) {
            sharing.beginForeign()
            position = batch.position
            sharing.end(at: position, digest: digest)
            return Applied(isAwaited: false, outcomes: nil)
        }
        let first = try BatchReader(batch.bytes)
        var outcomes: [ChangeOutcome] = []
        outcomes.reserveCapacity(first.remaining)
        let owner = sharing.map { sharing in first.source.map(sharing.owner(of:)) ?? .another } ?? .awaited
        // A copy costs something when the counts change.
        let counts = owner == .another ? (applier.answers, simulation.journal.laterOutcomes) : nil
        let isApplied = try applyChanges(
            of: first, at: batch.time, for: owner == .awaited ? askers : [], report: { outcomes.append($0) })
        position = batch.position
        sharing?.end(at: position, digest: digest)
        // Whoever wrote a change counts it, so that the sum over all that share the log counts it once.
        if let counts {
            applier.answers = counts.0
            simulation.journal.laterOutcomes = counts.1
        }
        return Applied(isAwaited: owner == .awaited, outcomes: isApplied ? outcomes : nil)
    }

    /// Gives up a withheld request.
    func abandon(_ ticket: PendingPush.Ticket) { applier.abandon(ticket) }

    /// Goes on by the clocks of the simulation, which something else than a change of the order has moved.
    func adoptClocks() { applier.clocks = simulation.devices.currentClocks }

    /// Does what is due by a time of the system's clock, and stays at it.
    func advance(to time: Instant) {
        lastTime = time
        simulation.wall.set(to: lastTime)
        simulation.look()
        applier.clocks = simulation.devices.currentClocks
    }

    /// - Returns: Whether the batch has an effect.
    private func applyChanges(
        of reader: BatchReader, at time: Instant, _ takes: (Int) -> Bool = { _ in true },
        throughSequence sequence: UInt64 = .max, for askers: [OrderQueue.Asker] = [],
        report: (ChangeOutcome) -> Void
    ) throws(CodingProblem) -> Bool {
        lastTime = reader.source == nil ? time : max(lastTime, time)
        simulation.wall.set(to: lastTime)
        if let sharing, try !sharing.begin(reader.source, digest: reader.digest, in: self) { return false }
        var reader = reader
        var index = 0
        while lastSequence < sequence {
            defer { index += 1 }
            guard reader.remaining == 0 || takes(index) else {
                try reader.skip()
                continue
            }
            guard let change = try reader.next(in: context) else { break }
            let outcome = try applyChange(change, at: index, for: askers)
            addToDigest(outcome)
            report(outcome)
        }
        return true
    }

    private func context(_ credentials: [JudgedCredential]) -> PushCodingContext {
        PushCodingContext(
            credentials: credentials, settings: simulation.settings.rules, seed: simulation.seed,
            wall: lastTime,
            now: applier.clocks.now(wall: lastTime))
    }

    private func applyChange(
        _ change: OrderedChange, at index: Int, for askers: [OrderQueue.Asker]
    ) throws(CodingProblem) -> ChangeOutcome {
        switch change {
        case .push(let push, let revision):
            if let sharing, revision < sharing.revision { return .stale }
            simulation.random.advance(past: push.random)
            simulation.connectionNumbers.recordUsed(push.connection)
            let result = applier.applyPush(push)
            if let sharing, case .faulted(let faulted) = result, let ticket = faulted.ticket {
                sharing.addWithheld(ticket)
            }
            return .push(result, applier.removeIdleCloses())
        case .release(let ticket):
            sharing?.removeWithheld(ticket)
            return .released(applier.release(ticket))
        case .abandon(let ticket):
            sharing?.removeWithheld(ticket)
            applier.abandon(ticket)
            return .done
        case .started:
            for ticket in applier.pending.tickets { applier.abandon(ticket) }
            var failure: (any Error)?
            do throws(InputError) {
                try simulation.disconnectClients()
            } catch {
                failure = error
            }
            return .command(CommandOutcome(failure: failure) {})
        case .command(let kind, let document):
            let call = index < askers.count ? askers[index].call : nil
            let applied: AppliedCommand
            do throws(InputError) {
                if let call {
                    applied = try call.applyCommand(kind, document, to: simulation)
                } else {
                    applied = try CommandCoding.decode(kind.command, document.span).applied(to: simulation)
                }
            } catch {
                throw CodingProblem(error.description)
            }
            applier.clocks = simulation.devices.currentClocks
            sharing?.recordEffects(of: applied.command)
            return .command(applied.outcome)
        case .ofLog(let change):
            guard let sharing else { return .done }
            return try sharing.applyLogChange(change, in: self)
        }
    }

    private func addToDigest(_ outcome: ChangeOutcome) {
        func mix(_ value: UInt64) { digest = FNV1a.adding(value, to: digest) }
        mix(simulation.journal.lastIssued)
        switch outcome {
        case .push(.answered(let refusal, _), _): mix(UInt64(refusal?.reason.status ?? 200))
        case .command(let command): mix(command.failure == nil ? 0 : 1)
        case .push, .stale, .released, .numbers, .done, .refused: mix(0)
        }
    }
}
