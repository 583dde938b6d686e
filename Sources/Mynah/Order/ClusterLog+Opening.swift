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
        let jetStream = try connect(address, names, server, replicas: cluster.replicas)
        for attempt in 1... {
            do throws(LogProblem) {
                var entrance = try ClusterEntrance(
                    settings, identity, jetStream, names, server: server, logger: logger, make: make)
                try entrance.enter()
                let log = ClusterLog(
                    entrance.applier, names, jetStream, on: loop, logger: logger,
                    snapshotBytesMin: settings.snapshotBytesMin)
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

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "server" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Connects, and finds or makes the streams; waits for an engine that isn't there yet.
    private static func connect(
        _ address: EngineAddress, _ names: ClusterNames, _ server: String, replicas: Int
    ) throws(LogProblem) -> JetStream {
        let deadline = ContinuousClock.now + engineWait
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
}
