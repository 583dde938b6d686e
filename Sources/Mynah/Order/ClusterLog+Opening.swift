internal import APNsRules
internal import Logging
internal import MynahCore
internal import MynahStore
internal import MynahSystem
internal import MynahTrust
internal import NIOCore

extension ClusterLog {
    /// How long a start waits for an engine that starts at the same time.
    private static let engineWait: Duration = .seconds(20)
    private static let attemptPauseMilliseconds: Int32 = 250
    /// How often a snapshot is tried that another one replaces while it is read.
    private static let snapshotAttemptsMax = 3
    /// The id of a cluster's first message, which the engine takes from one server alone.
    private static let beginning = "begin"

    /// Joins a cluster, or begins it: brings a simulation to the newest snapshot; what follows comes through the log.
    ///
    /// - Parameter make: Makes a simulation in which nothing has happened, with the clock of the cluster's beginning.
    static func open(
        _ settings: Settings, _ identity: ClusterIdentity, on loop: any EventLoop, logger: Logger,
        make: (Choices, ClockState?) -> Simulation
    ) throws(LogProblem) -> (log: ClusterLog, simulation: Simulation, isNew: Bool) {
        let cluster = settings.cluster
        let address = EngineAddress(
            servers: cluster.engines, caFile: cluster.caFile, credentialsFile: cluster.credentialsFile)
        let names = ClusterNames(name: cluster.name, engine: address.description)
        let server = cluster.server ?? "\(hostName)-\(getpid())"
        let (jetStream, first) = try connect(address, names, server, replicas: cluster.replicas)
        let life = UInt64(WallClock.now().milliseconds)
        var origin = BatchOrigin(server: server, life: life, number: 0)
        var isNew = false

        for attempt in 1... {
            do throws(LogProblem) {
                let end = try ClusterSnapshots.newest(in: jetStream, names)?.end
                let document: [UInt8]
                if let end {
                    document = try ClusterSnapshots.identity(end, in: jetStream, names) ?? []
                } else {
                    if first.lastSequence == 0 {
                        origin = BatchOrigin(server: server, life: life, number: 1)
                        isNew = try begin(Choices(settings), identity, origin, jetStream, names)
                        if !isNew { origin = BatchOrigin(server: server, life: life, number: 0) }
                    }
                    document = try self.document(in: jetStream, names)
                }
                let (choices, clock) = try identity.check(document, for: settings, of: names.title)
                let simulation = make(choices, clock)
                let applier = OrderApplier(simulation, lastTime: end?.time ?? Instant(milliseconds: 0))
                applier.origin = origin
                if let end {
                    applier.restore(
                        try ClusterSnapshots.state(end, in: jetStream, names, for: simulation), at: end.position)
                }
                let log = ClusterLog(
                    applier, names, jetStream, on: loop, logger: logger, snapshotBytesMin: settings.snapshotBytesMin)
                return (log, simulation, isNew)
            } catch {
                guard error.code == .trimmed, attempt < snapshotAttemptsMax else { throw error }
            }
        }
        preconditionFailure("an endless loop has ended")
    }

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "server" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Connects, and finds or makes the streams; waits for an engine that isn't there yet.
    private static func connect(
        _ address: EngineAddress, _ names: ClusterNames, _ server: String, replicas: Int
    ) throws(LogProblem) -> (JetStream, JetStream.StreamState) {
        let deadline = ContinuousClock.now + engineWait
        while true {
            do throws(LogProblem) {
                let jetStream = JetStream(try NATSConnection(address, client: "mynah \(server)"))
                _ = try jetStream.stream(
                    names.snapshotStream, subjects: [names.pieceSubject, names.endSubject], replicas: replicas,
                    description: "Snapshots of Mynah's cluster \(names.name)")
                let state = try jetStream.stream(
                    names.logStream, subjects: [names.logSubject], replicas: replicas,
                    description: "What has happened in Mynah's cluster \(names.name), in its order")
                return (jetStream, state)
            } catch {
                guard error.code == .unreachable, ContinuousClock.now < deadline else {
                    throw LogProblem(
                        error.code, file: error.file == address.description ? names.title : error.file, error.problem,
                        remedy: error.remedy)
                }
                // A start has nothing else to do.
                poll(nil, 0, attemptPauseMilliseconds)
            }
        }
    }

    /// Writes what all servers of a new cluster have in common; returns `false` if another server was faster.
    private static func begin(
        _ choices: Choices, _ identity: ClusterIdentity, _ origin: BatchOrigin, _ jetStream: JetStream,
        _ names: ClusterNames
    ) throws(LogProblem) -> Bool {
        var writer = BatchWriter()
        writer.add(.begin(identity.document(choices).encoded))
        let batch = writer.finish(digest: OrderState().digest, origin)
        let (sequence, isDuplicate) = try jetStream.append(batch, to: names.logSubject, id: beginning)
        return sequence == 1 && !isDuplicate
    }

    /// What the first batch of the log says.
    private static func document(in jetStream: JetStream, _ names: ClusterNames) throws(LogProblem) -> [UInt8] {
        guard let message = try jetStream.message(1, of: names.logStream) else {
            throw LogProblem(
                .unsuitable, file: names.title, "its log has lost its beginning, and has no snapshot",
                remedy: "Remove the streams \(names.logStream) and \(names.snapshotStream), and begin anew")
        }
        do throws(CodingProblem) {
            var reader = try BatchReader(message.bytes)
            let context = PushCodingContext(
                credentials: [], settings: RuleSettings(), seed: 0, wall: Instant(milliseconds: 0),
                now: Instant(milliseconds: 0))
            if case .begin(let document)? = try reader.next(in: { _ in context }) { return document }
            throw CodingProblem("its first batch is of another kind")
        } catch {
            throw LogProblem(.unsuitable, file: names.title, "its log can't be read: \(error)")
        }
    }
}
