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
    /// - Parameters:
    ///   - authority: The certificate of the CA, PEM.
    ///   - keys: The keys of the start.
    ///   - clock: The clock of a run that begins.
    ///   - make: Makes a simulation; with the clock of a run that has one.
    /// - Throws: ``LogProblem``.
    static func open(
        _ settings: Settings, authority: String, keys: [SigningKey], clock: ClockState, logger: Logger,
        make: @escaping @Sendable (Choices, ClockState?) -> Simulation
    ) async throws -> (order: Order, simulation: Simulation, place: ClusterPlace?)? {
        guard settings.dataDirectory != nil || settings.cluster.isWanted else { return nil }
        let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = thread.next()
        do {
            let opened = try await loop.submit {
                guard settings.cluster.isWanted else {
                    let log = try RunLog(
                        folder: settings.dataDirectory ?? "", sync: settings.sync == .full ? .full : .normal)
                    let kept = try KeptRun.open(log, settings, keys: keys, on: loop, logger: logger) { make($0, nil) }
                    let order = Order(
                        NIOLoopBoundBox(kept.run as any OrderLog, eventLoop: loop),
                        batchBytesMax: kept.run.batchBytesMax, on: thread, logger: logger)
                    return (order: order, simulation: kept.simulation, place: ClusterPlace?.none)
                }
                let identity = ClusterIdentity(authority: authority, keys: keys, clock: clock)
                let joined = try ClusterLog.open(settings, identity, on: loop, logger: logger, make: make)
                let order = Order(
                    NIOLoopBoundBox(joined.log as any OrderLog, eventLoop: loop),
                    batchBytesMax: joined.log.batchBytesMax, on: thread, isShared: true, logger: logger)
                let place = ClusterPlace(
                    order, NIOLoopBound(joined.log, eventLoop: loop), server: joined.log.cluster.origin.server)
                return (order: order, simulation: joined.simulation, place: Optional(place))
            }.get()
            try await opened.order.begin()
            return opened
        } catch {
            var teardown = Teardown()
            await teardown.run { try await thread.shutdownGracefully() }
            throw error
        }
    }
}
