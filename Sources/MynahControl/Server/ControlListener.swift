internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahSystem
internal import NIOCore
internal import ServiceLifecycle

/// One address of the control API, served by Hummingbird.
struct ControlListener: Sendable {
    let address: String
    let port: Int
    private let services: ServiceGroup
    private let task: Task<Void, any Error>
    private let connections: OpenConnections

    /// Binds `host`: for `localhost` those loopback addresses that the machine has, on the same port.
    ///
    /// Port 0 is a free port.
    /// - Throws: ``ControlError``.
    static func bind(
        host: String, port: Int, owner: PortOwner.Finder, responder: ControlResponder, limits: ListenerLimits,
        warnings: ClientWarnings, logger: Logger
    ) async throws -> [ControlListener] {
        let connections = OpenConnections(limits)
        do {
            return try await Listener.bind(host: host, port: port) { address, port in
                let listener = try await start(
                    address, port, owner: owner, responder: responder, limits: limits, connections: connections,
                    warnings: warnings,
                    logger: logger)
                return (listener, listener.port)
            } close: {
                await $0.shutDown(grace: .zero)
            }
        } catch let error as ListenError {
            throw ControlError(.portUnavailable, error.description)
        }
    }

    /// Accepts no new connections, lets requests finish for at most `grace`, then closes all.
    func shutDown(grace: Duration) async {
        await services.triggerGracefulShutdown()
        await withTaskGroup { group in
            // Errors are reported when the address is bound.
            group.addTask { _ = await task.result }
            group.addTask {
                // Cancelled when the requests have finished.
                guard (try? await Task.sleep(for: grace)) != nil else { return }
                task.cancel()
                connections.closeAll()
            }
            await group.next()
            group.cancelAll()
        }
    }

    private static func start(
        _ address: String, _ port: Int, owner: PortOwner.Finder, responder: ControlResponder, limits: ListenerLimits,
        connections: OpenConnections, warnings: ClientWarnings, logger: Logger
    ) async throws(ListenError) -> ControlListener {
        let (bound, report) = AsyncThrowingStream.makeStream(of: Int.self)
        // At `info` Hummingbird logs its addresses, which the start-up lines have already.
        var quiet = logger
        if quiet.logLevel > .debug { quiet.logLevel = max(quiet.logLevel, .warning) }
        let application = Application(
            responder: responder,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [connections.handler()], idleTimeout: TimeAmount(limits.idleTimeout),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: ListenerLimits.fieldBytesMax,
                        maxHeaderListSize: ListenerLimits.fieldsBytesMax,
                        maxHeaderFieldCount: ListenerLimits.fieldsMax))),
            configuration: .init(address: .hostname(address, port: port), serverName: nil),
            onServerRunning: { channel in
                // Fails only for a closed listener, which accepts nothing.
                try? await channel.eventLoop.submit {
                    let gate = AcceptGate(
                        warnings: warnings, onAccept: { connections.add($0) }, hasRoom: { connections.hasRoom },
                        fullWarning: { connections.fullWarning })
                    try channel.pipeline.syncOperations.addHandler(gate, position: .first)
                }.get()
                report.yield(channel.localAddress?.port ?? port)
                report.finish()
            },
            logger: quiet)
        let services = ServiceGroup(configuration: .init(services: [application], logger: quiet))
        let task = Task {
            do {
                try await services.run()
                report.finish()
            } catch {
                report.finish(throwing: error)
                throw error
            }
        }
        do {
            for try await port in bound {
                return ControlListener(
                    address: address, port: port, services: services, task: task, connections: connections)
            }
        } catch {
            throw listenError(on: address, port: port, owner: owner, after: error)
        }
        throw listenError(on: address, port: port, owner: owner, after: CancellationError())
    }

    private static func listenError(
        on address: String, port: Int, owner: PortOwner.Finder, after error: any Error
    ) -> ListenError {
        ListenError(on: address, port: port, after: error) { errno in
            switch errno {
            case EADDRINUSE: PortOwner.problem(port, on: address, setting: "--control-port", owner: owner(port))
            case EACCES:
                "this user may not bind port \(port) on \(address): choose a --control-port of 1024 or more"
            case EADDRNOTAVAIL: "invalid --control-host \(address): expected an address of this machine"
            default: nil
            }
        }
    }
}
