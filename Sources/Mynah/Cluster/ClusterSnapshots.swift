internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import NIOCore
internal import NIOPosix

/// The snapshots of a cluster in a stream of their own: the first living server by name writes one when the log since the
/// last one has become long (``ClusterSnapshotPace``), and the last server that stops; each removes what is older than
/// the one before.
struct ClusterSnapshots {
    private static let sectionOfIdentity = "cluster"
    /// The most bytes of a message with a part of a piece.
    private static let partBytesMax = 256 << 10

    private var pace = ClusterSnapshotPace()
    private var lastBytes = 0
    private var isWriting = false

    mutating func writeIfDue(after batch: LoggedBatch, of log: ClusterLog) {
        let bytesMax = max(log.snapshotBytesMin, lastBytes)
        guard pace.isDue(afterBatchOf: batch.bytes.count, at: batch.time, bytesMax: bytesMax) else { return }
        let applier = log.applier
        guard !isWriting, log.cluster.members.first == log.cluster.origin.server else { return }
        isWriting = true
        // The copy keeps what is removed while the snapshot is written, and is freed at once afterwards.
        let copy = OneUse(Copy(of: applier, log.cluster))
        let jetStream = log.jetStream
        let names = log.names
        let bound = NIOLoopBound(log, eventLoop: log.loop)
        NIOSingletons.posixBlockingThreadPool
            .runIfActive(eventLoop: log.loop) { try copy.use { try $0.write(to: jetStream, names) } }
            .whenComplete { result in
                bound.value.snapshots.isWriting = false
                switch result {
                case .success(let byteCount): bound.value.snapshots.lastBytes = byteCount
                case .failure(let error):
                    ClusterSnapshots.warn(error, bound.value.logger)
                }
            }
    }

    /// Warns that a snapshot could not be written, by which nothing is lost: a server that joins reads more of the log.
    static func warn(_ error: any Error, _ logger: Logger) {
        logger.warning("no snapshot of the cluster was written, so that the next start takes longer: \(error)")
    }

    /// The message that completes a snapshot.
    struct End: Codable, Sendable {
        let id: String
        /// The batch after which the state was as in it, and the time of that.
        let position: UInt64
        let time: Instant
        /// The numbers of the snapshot's first and last message.
        var first: UInt64
        var last: UInt64

        init(id: String, position: UInt64, time: Instant, first: UInt64, last: UInt64) {
            self.id = id
            self.position = position
            self.time = time
            self.first = first
            self.last = last
        }

        init?(_ bytes: [UInt8]) {
            guard let json = try? JSONValue(parsing: bytes), let end = try? DocumentDecoder.read(End.self, from: json)
            else { return nil }
            self = end
        }

        var json: JSONValue { DocumentEncoder.document(of: self) }
    }

    // MARK: Writing

    /// A copy of the state after a batch, which any thread can write.
    struct Copy: Sendable {
        private let state: SimulationSnapshot
        private let identity: [UInt8]
        private let end: End

        init(of applier: OrderApplier, _ cluster: ClusterOrder) {
            let origin = cluster.origin
            state = applier.snapshot()
            identity = cluster.members.identity
            end = End(
                id: "\(origin.server)/\(origin.life)/\(applier.position)", position: applier.position,
                time: applier.lastTime, first: 0, last: 0)
        }

        /// Writes the snapshot and removes what is older than the snapshot before it; returns the number of its bytes.
        func write(to jetStream: JetStream, _ names: ClusterNames) throws -> Int {
            var end = end
            var byteCount = 0
            let before = try newest(in: jetStream, names)
            let bytesMax = min(partBytesMax, jetStream.connection.messageBytesMax / 2)
            func add(_ section: String, _ bytes: [UInt8]) throws {
                var place = 0
                repeat {
                    let part = bytes[place...].prefix(bytesMax)
                    place += part.count
                    let message = Part(
                        id: end.id, before: before?.sequence ?? 0, section: section, isLast: place == bytes.count,
                        checksum: Fixed(CRC32C(of: Array(part)).value), bytes: Array(part)
                    )
                    .coded
                    end.last = try jetStream.append(message, to: names.pieceSubject)
                    if end.first == 0 { end.first = end.last }
                    byteCount += message.count
                } while place < bytes.count
            }
            try add(sectionOfIdentity, identity)
            try state.forEachPiece { section, bytes throws(any Error) in try add(section, bytes) }
            _ = try jetStream.append(end.json.encoded, to: names.endSubject)
            if let before = before?.end {
                try jetStream.purge(names.snapshotStream, before: before.first)
                try jetStream.purge(names.logStream, before: before.position + 1)
            }
            return byteCount
        }
    }

    /// A part of a piece, as a message.
    private struct Part: ByteRecord {
        let id: String
        /// The number of the message that ends the snapshot before, which is the newest while this one isn't complete.
        let before: UInt64
        let section: String
        let isLast: Bool
        let checksum: Fixed<UInt32>
        let bytes: [UInt8]

        static let members = ByteMembers(Part.init) {
            ($0.id, $0.before, $0.section, $0.isLast, $0.checksum, $0.bytes)
        }

        var damage: String? {
            checksum.number == CRC32C(of: bytes).value
                ? nil : "a part of the snapshot is damaged: its checksum is another one"
        }
    }

    // MARK: Reading

    /// The newest complete snapshot, and the number of the message that says so; `nil` without any.
    ///
    /// The stream's last message is its end, or a part of a later one that isn't complete and names it.
    static func newest(
        in jetStream: JetStream, _ names: ClusterNames
    ) throws(LogProblem) -> (end: End, sequence: UInt64)? {
        let last = try jetStream.state(of: names.snapshotStream).lastSequence
        guard last > 0, let message = try jetStream.message(last, of: names.snapshotStream) else { return nil }
        if let end = End(message.bytes) { return (end, last) }
        do throws(CodingProblem) {
            let before = try Part(coded: message.bytes).before
            guard before > 0 else { return nil }
            guard let message = try? jetStream.message(before, of: names.snapshotStream), let end = End(message.bytes)
            else {
                throw CodingProblem("the end of the one before is missing")
            }
            return (end, before)
        } catch {
            throw LogProblem(.trimmed, file: names.title, "its newest snapshot can't be read: \(error)")
        }
    }

    /// The document of what all servers have in common, from a snapshot.
    static func identity(_ end: End, in jetStream: JetStream, _ names: ClusterNames) throws(LogProblem) -> [UInt8]? {
        var found: [UInt8]?
        try forEachPiece(end, in: jetStream, names) { section, bytes in
            if section == sectionOfIdentity { found = bytes }
            return found == nil
        }
        return found
    }

    /// The state of a snapshot, for a simulation in which nothing has happened, and the servers of the cluster.
    static func state(
        _ end: End, in jetStream: JetStream, _ names: ClusterNames, for simulation: Simulation
    ) throws(LogProblem) -> (state: SimulationSnapshot, members: ClusterMembers) {
        var reading = SnapshotReading(for: simulation)
        do {
            try forEachPiece(end, in: jetStream, names) { section, bytes throws(CodingProblem) in
                if section != sectionOfIdentity { try reading.add(bytes, of: section) }
                return true
            }
            let state = try reading.finish()
            let members = try state.order.logState.map { state throws(CodingProblem) in
                try ClusterMembers(coded: state.bytes)
            }
            return (state, members ?? ClusterMembers())
        } catch let problem as LogProblem {
            throw problem
        } catch {
            throw LogProblem(.unsuitable, file: names.title, "its snapshot can't be read: \(error)")
        }
    }

    /// Calls `body` with the pieces until it returns `false`.
    private static func forEachPiece(
        _ end: End, in jetStream: JetStream, _ names: ClusterNames,
        _ body: (String, [UInt8]) throws(CodingProblem) -> Bool
    ) throws(LogProblem) {
        var piece: [UInt8] = []
        guard end.first <= end.last else { return }
        for sequence in end.first...end.last {
            guard let message = try jetStream.message(sequence, of: names.snapshotStream) else {
                throw LogProblem(
                    .trimmed, file: names.title, "a newer snapshot has taken the place of the one that was read")
            }
            do throws(CodingProblem) {
                let part = try Part(coded: message.bytes)
                // The part may belong to a snapshot that another server began at the same time.
                guard part.id == end.id else { continue }
                piece += part.bytes
                guard part.isLast else { continue }
                guard try body(part.section, piece) else { return }
                piece = []
            } catch {
                throw LogProblem(.unsuitable, file: names.title, "its snapshot can't be read: \(error)")
            }
        }
    }
}
