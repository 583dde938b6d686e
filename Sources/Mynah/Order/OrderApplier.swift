internal import APNsRules
internal import MynahCore
internal import MynahStore

/// Makes batches of changes for a log, and applies those that the log has.
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
        /// In any case, to read what all servers have written before.
        case always
    }

    /// The outcome of a batch of a log.
    struct Applied {
        /// The server that wrote it, in a cluster.
        let origin: BatchOrigin?
        /// `nil` if it is void: its server's life had ended, it came a second time, or it is no batch at all.
        let outcomes: [ChangeOutcome]?
        let effects: Effects
        /// Whether another program published it to a cluster's log.
        var isForeign = false
    }

    /// What servers have to do about a batch besides answering it.
    struct Effects {
        /// The connections of servers that have opened, proved a credential or ended, one after another.
        fileprivate(set) var connections: [ClusterMembers.ConnectionChange] = []
        /// The connections that are to be ended by the servers that have them.
        fileprivate(set) var ends: [EndConnections] = []
        /// Whether a reset forgets closed connections and failed handshakes.
        fileprivate(set) var forgetsConnections = false
        /// The server that has begun the cluster anew, with other settings or another version.
        fileprivate(set) var beginner: String?
    }

    /// How many digests are kept to compare with those of other servers.
    private static let digestsMax: UInt64 = 1024

    /// Which rules decide; counted up when the same changes would lead to another state than with an earlier version, which
    /// ``ReplayDifference`` then says of older runs.
    static let rulesVersion: UInt32 = 5

    private let simulation: Simulation
    private let applier: PushApplier
    /// The servers of the cluster, if there is one.
    private(set) var members = ClusterMembers()
    /// This server's place in the cluster, and the number of its last batch; `nil` without a cluster.
    var origin: BatchOrigin? { didSet { firstLife = firstLife ?? origin?.life } }
    // The first life of this process.
    private var firstLife: UInt64?
    /// The position of the last batch that was applied.
    private(set) var position: UInt64 = 0
    // After those positions, in a cluster.
    private var digests: [UInt64: UInt64] = [:]
    // Who wrote the batch that is being applied.
    private var author: String?
    // Whether the batch that was applied last had no effect.
    private var isVoid = false
    private var effects = Effects()
    /// The time of the last batch or look: by the system's clock, in a cluster by the engine's.
    private(set) var lastTime: Instant
    /// Of all answers so far, by which two that applied the same changes are compared.
    private(set) var digest: UInt64
    /// The first batch that was recorded otherwise than it was replayed.
    private(set) var difference: ReplayDifference?

    /// An applier for a simulation in which nothing has happened.
    init(_ simulation: Simulation, lastTime: Instant) {
        self.simulation = simulation
        self.lastTime = lastTime
        digest = OrderState().digest
        // No other pushes can go on meanwhile.
        applier = PushApplier(simulation, clocks: simulation.devices.currentClocks, inlineFollowersMax: .max)
        simulation.wall.stand(at: lastTime)
    }

    /// The clocks at the time of the last change or look.
    var time: DeviceTime { simulation.devices.time }
    /// The answers since the start; in a cluster those that this process gave.
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

    var state: OrderState {
        OrderState(lastTime: lastTime, digest: digest, pending: applier.pending, members: members)
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
        members = order.members
        self.position = position
        simulation.wall.stand(at: lastTime)
        simulation.restore(snapshot)
        applier.clocks = simulation.devices.currentClocks
    }

    /// An applier that goes on in a new simulation with the same seed and other settings, by which it tries again to
    /// deliver what power or a budget holds back.
    ///
    /// With a file that is no change of the log, so a snapshot of the new applier has to follow the last batch of this
    /// one. In a cluster it belongs to the batch that begins it anew.
    func continued(in simulation: Simulation) throws(CodingProblem) -> OrderApplier {
        let other = OrderApplier(simulation, lastTime: lastTime)
        var reading = SnapshotReading(for: simulation)
        try snapshot().forEachPiece { section, bytes throws(CodingProblem) in try reading.add(bytes, of: section) }
        other.restore(try reading.finish(), at: position)
        other.origin = origin
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
            // In a cluster only batches bring time, so that all servers have the same.
            guard origin == nil else { return nil }
            simulation.wall.stand(at: time)
            lastTime = time
            return nil
        }
        origin = origin?.next
        return Batch(
            bytes: writer.finish(digest: digest, self.origin, after: position), time: time, changeCount: writer.count)
    }

    /// The time of what comes next: a run follows a clock that is set back, as a server that keeps none does; a cluster,
    /// whose nodes may have different clocks, never goes back.
    private func time(at wall: Instant) -> Instant { origin == nil ? wall : max(lastTime, wall) }

    // MARK: Applying

    /// Applies the changes of a batch that a log has, except for those whose places `takes` refuses, up to the one that
    /// gives out the number `sequence`, or all; `report` is called after each.
    func replay(
        _ batch: LoggedBatch, _ takes: (Int) -> Bool = { _ in true }, throughSequence sequence: UInt64 = .max,
        report: (ChangeOutcome) -> Void = { _ in }
    ) throws(CodingProblem) {
        let reader = try BatchReader(batch.bytes)
        difference = difference ?? ReplayDifference(of: batch, recordedAfter: reader.digest, replayedAfter: digest)
        _ = try apply(reader, at: batch.time, takes, throughSequence: sequence, report: report)
        position = batch.position
    }

    /// Applies a batch of a log, this server's own or another one's.
    ///
    /// - Parameters:
    ///   - askers: Who waits for this server's batch that is on its way, in the order of its changes.
    ///   - comparesDigests: Whether its server had the same rules, and so has to have come to the same answers.
    /// - Throws: ``CodingProblem`` for one that can't be read, or whose server had another state than this one before it.
    func apply(
        _ batch: LoggedBatch, for askers: [OrderQueue.Asker] = [], comparesDigests: Bool = true
    ) throws(CodingProblem) -> Applied {
        if !comparesDigests { digests = [:] }
        if origin != nil, BatchForm.isForeign(batch.bytes) {
            position = batch.position
            digests[position] = digest
            let nobody = BatchOrigin(server: "", life: 0, number: 0)
            return Applied(origin: nobody, outcomes: nil, effects: Effects(), isForeign: true)
        }
        let first = try BatchReader(batch.bytes)
        var outcomes: [ChangeOutcome] = []
        outcomes.reserveCapacity(first.remaining)
        effects = Effects()
        // A copy costs something when the counts change.
        let counts = origin == nil ? nil : (applier.answers, simulation.journal.laterOutcomes)
        let reader = try apply(
            first, at: batch.time, for: first.origin == origin ? askers : [], report: { outcomes.append($0) })
        position = batch.position
        guard let origin = reader.origin else { return Applied(origin: nil, outcomes: outcomes, effects: effects) }
        digests[position] = digest
        if position > OrderApplier.digestsMax { digests[position - OrderApplier.digestsMax] = nil }
        // Each change is counted by the server that wrote it, so that the sum over all servers counts it once.
        if let counts, !isOwn(origin) { (applier.answers, simulation.journal.laterOutcomes) = counts }
        return Applied(origin: origin, outcomes: isVoid ? nil : outcomes, effects: effects)
    }

    /// Does what is due by a time of the system's clock, and stays at it.
    func look(at time: Instant) {
        lastTime = time
        simulation.wall.stand(at: lastTime)
        simulation.look()
        applier.clocks = simulation.devices.currentClocks
    }

    private func apply(
        _ reader: BatchReader, at time: Instant, _ takes: (Int) -> Bool = { _ in true },
        throughSequence sequence: UInt64 = .max, for askers: [OrderQueue.Asker] = [],
        report: (ChangeOutcome) -> Void
    ) throws(CodingProblem) -> BatchReader {
        lastTime = reader.origin == nil ? time : max(lastTime, time)
        simulation.wall.stand(at: lastTime)
        var reader = reader
        if let origin = reader.origin {
            isVoid = try !begin(origin, reader)
            if isVoid { return reader }
        }
        defer { author = nil }
        var index = 0
        while lastSequence < sequence {
            defer { index += 1 }
            guard reader.remaining == 0 || takes(index) else {
                try reader.skip()
                continue
            }
            guard let change = try reader.next(in: context) else { break }
            let outcome = try apply(change, at: index, for: askers)
            note(outcome)
            report(outcome)
        }
        return reader
    }

    // MARK: Clusters

    private func isOwn(_ origin: BatchOrigin) -> Bool {
        guard let own = self.origin, let firstLife else { return false }
        return origin.server == own.server && origin.life >= firstLife
    }

    /// Begins a server's batch; returns whether it is admitted.
    ///
    /// - Throws: ``CodingProblem`` if the server had another state than this one.
    private func begin(_ origin: BatchOrigin, _ reader: BatchReader) throws(CodingProblem) -> Bool {
        guard members.admits(origin) else { return false }
        if let own = digests[reader.position], own != reader.digest {
            throw CodingProblem(
                "the servers \(origin.server) and \(self.origin?.server ?? "of this order") have come to different "
                    + "states after batch \(reader.position)")
        }
        // A new life follows one that didn't end.
        if members[origin.server]?.life != origin.life { end(origin.server) }
        members.note(origin)
        author = origin.server
        return true
    }

    /// Ends what a server had.
    private func end(_ server: String) {
        guard let ended = members.end(server) else { return }
        for ticket in ended.tickets.sorted() { applier.abandon(ticket) }
        for (client, device) in ended.clients.sorted(by: { $0.key < $1.key }) {
            // A device that is gone has no client.
            _ = try? DisconnectDevice(id: device, client: client).apply(to: simulation)
        }
        let time = simulation.now.rfc3339
        for (number, connection) in ended.connections.sorted(by: { $0.key < $1.key }) {
            effects.connections.append(.init(server: server, number: number, connection: nil))
            let closed = [
                JSONMember("closedAt", .string(time)), JSONMember("reason", .string("its server \(server) is gone")),
            ]
            simulation.events.note(.closed, ofConnection: .object((connection.object ?? []) + closed))
        }
        applier.clocks = simulation.devices.currentClocks
    }

    private func note(_ command: any Command, of server: String) {
        if type(of: command).changesVerdicts { members.revision += 1 }
        switch command {
        case let noted as NoteConnection:
            if let change = members.note(noted.change, noted.connection, of: server) {
                effects.connections.append(change)
            }
        case let noted as NoteCredential:
            if let change = members.note(noted.credential, of: noted.connection, of: server) {
                effects.connections.append(change)
            }
        case let wanted as EndConnections: effects.ends.append(wanted)
        case let reset as Reset where reset.forgetsConnections: effects.forgetsConnections = true
        case let connected as ConnectDevice: members.note(client: connected.client, of: connected.id, at: server)
        case let gone as DisconnectDevice: members.note(client: gone.client, of: nil, at: server)
        default: break
        }
    }

    private func context(_ credentials: [JudgedCredential]) -> PushCodingContext {
        PushCodingContext(
            credentials: credentials, settings: simulation.settings.rules, seed: simulation.seed,
            wall: lastTime,
            now: applier.clocks.now(wall: lastTime))
    }

    private func apply(
        _ change: OrderedChange, at index: Int, for askers: [OrderQueue.Asker]
    ) throws(CodingProblem) -> ChangeOutcome {
        switch change {
        case .push(let push, let revision):
            guard revision >= members.revision else { return .stale }
            simulation.random.noteUse(of: push.random)
            simulation.connectionNumbers.note(push.connection)
            let result = applier.apply(push)
            if let author, case .faulted(let faulted) = result, let ticket = faulted.ticket {
                members.add(ticket, of: author)
            }
            return .push(result, applier.takeIdleCloses())
        case .release(let ticket):
            if let author { members.remove(ticket, of: author) }
            return .released(applier.release(ticket))
        case .abandon(let ticket):
            if let author { members.remove(ticket, of: author) }
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
                    applied = try call.apply(kind, document, to: simulation)
                } else {
                    applied = try CommandCoding.decode(kind: kind.rawValue, document.span).applied(to: simulation)
                }
            } catch {
                throw CodingProblem(error.description)
            }
            applier.clocks = simulation.devices.currentClocks
            if let author { note(applied.command, of: author) }
            return .command(applied.outcome)
        case .begin(let identity):
            if !members.identity.isEmpty, let author {
                for server in members.living where server != author { end(server) }
                effects.beginner = author
            }
            members.identity = identity
            return .done
        case .alive:
            if let author { for server in members.noteAlive(author) { end(server) } }
            return .done
        case .stopped:
            if let author { end(author) }
            return .done
        case .takeNumbers:
            let highest = max(simulation.connectionNumbers.highest, simulation.devices.clientNumbers.highest)
            return .numbers(members.takeNumbers(above: highest))
        }
    }

    private func note(_ outcome: ChangeOutcome) {
        func mix(_ value: UInt64) { digest = FNV1a.adding(value, to: digest) }
        mix(simulation.journal.lastIssued)
        switch outcome {
        case .push(.answered(let refusal, _), _): mix(UInt64(refusal?.reason.status ?? 200))
        case .command(let command): mix(command.failure == nil ? 0 : 1)
        case .push, .stale, .released, .numbers, .done, .refused: mix(0)
        }
    }
}
