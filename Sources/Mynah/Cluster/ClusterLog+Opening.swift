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
    /// How long another server of the same name may take to answer.
    private static let nameMilliseconds: Int64 = 1000
    /// How often a snapshot is tried that another one replaces while it is read.
    private static let snapshotAttemptsMax = 3

    /// Joins a cluster, or begins it: brings a simulation to the newest snapshot; what follows comes through the log.
    ///
    /// - Parameter make: Makes a simulation in which nothing has happened, with the clock of the cluster's beginning.
    static func open(
        _ settings: Settings, _ identity: ClusterIdentity, on loop: any EventLoop, logger: Logger,
        make: @escaping (Choices, ClockState?) -> Simulation
    ) throws(LogProblem) -> (log: ClusterLog, simulation: Simulation) {
        let cluster = settings.cluster
        let address = EngineAddress(
            servers: cluster.engines, caFile: cluster.caFile, credentialsFile: cluster.credentialsFile)
        let names = ClusterNames(name: cluster.name, engine: address.description)
        let server = cluster.server ?? "\(hostName)-\(getpid())"
        let jetStream = try connect(address, names, server, replicas: cluster.replicas, logger)
        let name = try reserveName(server, jetStream.connection, names)
        for attempt in 1... {
            do throws(LogProblem) {
                var entrance = try ClusterJoining(
                    settings, identity, jetStream, names, server: server, logger: logger, make: make)
                try entrance.enter()
                let log = ClusterLog(
                    entrance.applier, entrance.cluster, names, jetStream, on: loop, logger: logger,
                    snapshotBytesMin: settings.snapshotBytesMin,
                    lastPosition: try jetStream.state(of: names.logStream).lastSequence)
                log.name = name
                return (log, entrance.simulation)
            } catch {
                guard error.code == .trimmed else { throw error }
                guard attempt < snapshotAttemptsMax else {
                    throw LogProblem(.unreachable, file: error.file, error.problem, remedy: error.remedy)
                }
            }
        }
        preconditionFailure("an endless loop has ended")
    }

    /// Answers for a server's name from now on.
    ///
    /// - Throws: ``LogProblem`` if another server does: the two would end each other by turns. One that stands still
    ///   doesn't, and the new one takes its place.
    private static func reserveName(
        _ server: String, _ connection: NATSConnection, _ names: ClusterNames
    ) throws(LogProblem) -> NATSSubscription? {
        let subject = names.subject(ofServer: server)
        // A user of NATS who may not use the subject has the order's own check, which comes later.
        guard (try? connection.request([], to: subject, milliseconds: nameMilliseconds)) == nil else {
            throw LogProblem(
                .different, file: names.title, "another server is called \(server)",
                remedy: "Give each server a name of its own (--cluster-server)")
        }
        return try? connection.subscribe(to: subject) { message in
            if let reply = message.reply { try? connection.publish([], to: reply) }
        }
    }

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "server" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Connects, and finds or makes the streams; waits for an engine that isn't there yet.
    private static func connect(
        _ address: EngineAddress, _ names: ClusterNames, _ server: String, replicas: Int, _ logger: Logger
    ) throws(LogProblem) -> JetStream {
        let deadline = ContinuousClock.now + engineWait
        var isTold = false
        while true {
            do throws(LogProblem) {
                let jetStream = JetStream(try NATSConnection(address, client: "mynah \(server)"))
                _ = try jetStream.stream(
                    names.snapshotStream, subjects: [names.pieceSubject, names.endSubject], replicas: replicas,
                    description: "Snapshots of Mynah's cluster \(names.name)")
                _ = try jetStream.stream(
                    names.logStream, subjects: [names.logSubject], replicas: replicas,
                    description: "What has happened in Mynah's cluster \(names.name), in its order")
                return jetStream
            } catch {
                let isOver = ContinuousClock.now >= deadline
                let title = names.title
                guard error.code == .unreachable else {
                    throw LogProblem(
                        error.code, file: error.file == address.description ? title : error.file, error.problem,
                        remedy: error.remedy)
                }
                if isOver || !isTold {
                    let hosts = address.unresolved
                    let unresolved = "NATS can't be reached: no address is found for \(hosts.joined(separator: ", "))"
                    let problem = LogProblem(
                        .unreachable, file: title, hosts.isEmpty ? error.problem : unresolved,
                        remedy: "Start NATS, or name another node of it (--cluster)")
                    if isOver { throw problem }
                    logger.notice("waiting for NATS for at most \(engineWait.components.seconds) s: \(problem)")
                    isTold = true
                }
                // A start has nothing else to do.
                poll(nil, 0, attemptPauseMilliseconds)
            }
        }
    }
}
