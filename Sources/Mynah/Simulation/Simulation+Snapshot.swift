internal import APNsRules
internal import MynahCore
internal import MynahTrust
internal import Synchronization

/// The whole state of a simulation at one position in the order of commands: copies, which share their storage with the
/// simulation until that changes, so that another thread can write them as bytes meanwhile.
///
/// Not in it is what belongs to this process alone: open connections, the uses of provider tokens, events, and metrics.
/// Simulations that are in the same state have snapshots with the same bytes.
struct SimulationSnapshot: Sendable {
    /// The sections, in the order in which they are written.
    static let sections =
        ["simulation", "order", "faults", "channels"]
        + (0..<DeviceShards.shardCount).map { "devices-\($0)" } + ["journal"]

    fileprivate let simulation: SimulationSection
    let order: OrderState
    fileprivate let faults: FaultStore.Copy
    fileprivate let channels: ChannelStore.Copy
    fileprivate let devices: [DeviceTable]
    fileprivate let journal: Journal

    /// Calls `body` with the pieces of all sections; a section has at least one.
    func forEachPiece<Failure: Error>(
        _ body: (_ section: String, _ bytes: [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var sections = SimulationSnapshot.sections[...]
        try body(sections.removeFirst(), simulation.coded)
        let order = sections.removeFirst()
        try self.order.forEachPiece { bytes throws(Failure) in try body(order, bytes) }
        try body(sections.removeFirst(), faults.coded)
        try body(sections.removeFirst(), channels.coded)
        for table in devices {
            let section = sections.removeFirst()
            for piece in 0..<table.pieceCount { try body(section, table.bytes(ofPiece: piece)) }
        }
        let section = sections.removeFirst()
        try journal.forEachPiece { bytes throws(Failure) in try body(section, bytes) }
    }
}

/// What a snapshot has besides the large parts.
private struct SimulationSection: Sendable {
    let seed: UInt64
    let clocks: ClockSet
    /// The count of connections for the random numbers of requests.
    let connectionCount: UInt64
    /// The highest numbers of a connection and of a live client.
    let connectionNumber: UInt64
    let clientNumber: UInt64
    let madeCount: UInt64
    let lastIssued: UInt64
    let events: EventLog.Throttled
    let keys: PublicKeys
    let baseline: Baseline
    let certificates: CertificateLedger
}

extension SimulationSection: VersionedRecord {
    /// Version 1 has neither certificates nor whether the fixtures are loaded, as they always were.
    static let version: UInt8 = 2

    static let members = ByteMembers({
        SimulationSection(
            seed: $0, clocks: $1, connectionCount: $2, connectionNumber: $3, clientNumber: $4, madeCount: $5,
            lastIssued: $6, events: $7, keys: $8, baseline: $9, certificates: $10.value ?? CertificateLedger())
    }) {
        (
            $0.seed, $0.clocks, $0.connectionCount, $0.connectionNumber, $0.clientNumber, $0.madeCount, $0.lastIssued,
            $0.events, $0.keys, $0.baseline, Since<2, CertificateLedger>($0.certificates)
        )
    }

    var damage: String? {
        [connectionCount, connectionNumber, clientNumber, madeCount].first { $0 > OrderedNumbers.numberMax }
            .map { "\($0) is more than can have been counted" }
    }
}

extension Simulation {
    /// Copies the state, with the state of the order that is applied to it; no change may be applied meanwhile.
    func snapshot(_ order: OrderState) -> SimulationSnapshot {
        let section = SimulationSection(
            seed: seed, clocks: devices.currentClocks, connectionCount: random.count,
            connectionNumber: connectionNumbers.highest, clientNumber: devices.clientNumbers.highest,
            madeCount: devices.madeCount, lastIssued: journal.lastIssued, events: events.throttled,
            keys: trust.publicKeys, baseline: baseline.withLock { $0 }, certificates: trust.certificates)
        return SimulationSnapshot(
            simulation: section, order: order, faults: faults.copy(), channels: channels.copy(),
            devices: devices.shards.tables, journal: journal.read { copy $0 })
    }

    /// Takes over the state that was read; the simulation is new, and has neither begun nor any connection.
    func restore(_ snapshot: SimulationSnapshot) {
        let section = snapshot.simulation
        devices.restore(snapshot.devices, madeCount: section.madeCount, section.clocks)
        channels.restore(snapshot.channels)
        journal.restore(snapshot.journal, lastIssued: section.lastIssued)
        events.restore(section.events, evictedThrough: section.lastIssued)
        faults.restore(snapshot.faults)
        random.restore(count: section.connectionCount)
        connectionNumbers.recordUsed(section.connectionNumber)
        devices.clientNumbers.recordUsed(section.clientNumber)
        trust.restore(section.keys, section.certificates)
        baseline.withLock { $0 = section.baseline }
    }
}

/// Reads a snapshot from its pieces, for a simulation with the same seed; its settings may be others.
struct SnapshotReading {
    /// The most numbers that were given out and whose pushes have not arrived: far more than can be under way.
    private static let missingMax: UInt64 = 1 << 20

    private let simulation: Simulation
    // The sections that are still to be read, the current one first.
    private var sections = SimulationSnapshot.sections[...]
    // The pieces of the current section so far; the journal's are read one by one instead.
    private var pieces: [ByteReader] = []
    private var section: SimulationSection?
    private var order: OrderState?
    private var faults: FaultStore.Copy?
    private var channels: ChannelStore.Copy?
    private var devices: [DeviceTable] = []
    private var journal: Journal.Reading?

    init(for simulation: Simulation) { self.simulation = simulation }

    /// Reads the next piece, with the name of its section.
    mutating func add(_ bytes: [UInt8], of name: String) throws(CodingProblem) {
        if name == sections.dropFirst().first { try endSection() }
        guard name == sections.first else {
            throw CodingProblem(
                SimulationSnapshot.sections.contains(name)
                    ? "the snapshot has a piece of \(name) in its section \(sections.first ?? "")"
                    : "the snapshot has a section \(name): it was written by a newer Mynah")
        }
        guard name == SimulationSnapshot.sections.last else { return pieces.append(ByteReader(bytes)) }
        try SnapshotReading.located(name) { () throws(CodingProblem) in
            if journal == nil {
                journal = try Journal.Reading(bytes, bounds: simulation.journal.bounds)
            } else {
                try journal?.add(bytes)
            }
        }
    }

    /// The snapshot, once all pieces are read.
    consuming func finish() throws(CodingProblem) -> SimulationSnapshot {
        guard sections.count == 1, let journal, let section, let order, let faults, let channels else {
            throw CodingProblem("the snapshot ends in its section \(sections.first ?? "")")
        }
        let read = try SnapshotReading.located("journal") { () throws(CodingProblem) in
            let read = try journal.finish()
            let missing = section.lastIssued.subtractingReportingOverflow(read.watermark)
            guard !missing.overflow, missing.partialValue <= SnapshotReading.missingMax else {
                throw CodingProblem("the last number is \(section.lastIssued), and push \(read.watermark) is there")
            }
            return read
        }
        return SimulationSnapshot(
            simulation: section, order: order, faults: faults, channels: channels, devices: devices, journal: read)
    }

    private mutating func endSection() throws(CodingProblem) {
        guard let name = sections.popFirst() else { return }
        let simulation = simulation
        let pieces = pieces
        self.pieces = []
        try SnapshotReading.located(name) { () throws(CodingProblem) in
            switch name {
            case "simulation":
                var reader = try SnapshotReading.only(of: pieces)
                let read = try reader.last(SimulationSection.self)
                guard read.seed == simulation.seed else {
                    throw CodingProblem("the seed was \(read.seed) and is \(simulation.seed): expected the same")
                }
                section = read
            case "order":
                order = try OrderState(
                    pieces: pieces, settings: simulation.settings.rules, seed: simulation.seed,
                    lastSequence: section?.lastIssued ?? 0)
            case "faults":
                var reader = try SnapshotReading.only(of: pieces)
                faults = try reader.last(FaultStore.Copy.self)
            case "channels":
                var reader = try SnapshotReading.only(of: pieces)
                channels = try reader.last(ChannelStore.Copy.self)
            default: devices.append(try simulation.devices.shards.read(devices.count, pieces))
            }
        }
    }

    private static func only(of pieces: [ByteReader]) throws(CodingProblem) -> ByteReader {
        guard pieces.count == 1 else {
            throw CodingProblem("\(pieces.count) pieces are there, and one was expected")
        }
        return pieces[0]
    }

    private static func located<Value>(
        _ section: String, _ read: () throws(CodingProblem) -> Value
    ) throws(CodingProblem) -> Value {
        do throws(CodingProblem) {
            return try read()
        } catch {
            throw CodingProblem("the snapshot's section \(section) can't be read: \(error)")
        }
    }
}
