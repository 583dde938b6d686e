internal import Logging
internal import MynahCore
internal import MynahStore
internal import MynahTrust
internal import NIOCore
internal import NIOPosix

extension Order {
    /// Opens the run of the settings' data folder, or joins their cluster, if there is either, and brings a simulation
    /// to the end of it.
    ///
    /// - Parameter identity: What all servers of a cluster have in common beside their choices.
    /// - Throws: ``LogProblem``.
    static func open(
        _ settings: Settings, _ identity: ClusterIdentity, keys: [SigningKey], logger: Logger,
        make: @escaping @Sendable (Choices, ClockState?) -> Simulation
    ) async throws -> (order: Order, simulation: Simulation)? {
        guard settings.dataDirectory != nil || settings.cluster.isWanted else { return nil }
        let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = thread.next()
        do {
            let opened = try await loop.submit {
                let opened: (log: any OrderLog, simulation: Simulation)
                if settings.cluster.isWanted {
                    let joined = try ClusterLog.open(settings, identity, on: loop, logger: logger, make: make)
                    opened = (joined.log, joined.simulation)
                } else {
                    let log = try RunLog(
                        folder: settings.dataDirectory ?? "", sync: settings.sync == .full ? .full : .normal)
                    let kept = try KeptRun.open(log, settings, keys: keys, on: loop, logger: logger) { make($0, nil) }
                    opened = (kept.run, kept.simulation)
                }
                let server = opened.log.applier.origin?.server
                let log = NIOLoopBoundBox(opened.log, eventLoop: loop)
                return (log, opened.log.batchBytesMax, opened.simulation, server)
            }.get()
            let order = Order(
                opened.0, batchBytesMax: opened.1, on: thread, server: opened.3, logger: logger)
            try await order.begin()
            return (order, opened.2)
        } catch {
            var teardown = Teardown()
            await teardown.run { try await thread.shutdownGracefully() }
            throw error
        }
    }
}
