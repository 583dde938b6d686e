internal import Glibc
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ServiceLifecycle

/// One address of the control API, served by Hummingbird.
struct ControlListener: Sendable {
    /// How often another free port is tried when the one that IPv4 gave is taken on IPv6.
    private static let freePortAttempts = 16

    /// The port that was bound.
    let port: Int
    private let services: ServiceGroup
    private let task: Task<Void, any Error>
    private let connections: OpenConnections

    /// Binds `host`: both loopback addresses for `localhost`, on one port.
    ///
    /// `port` 0 is a free one. A machine without IPv6 gets IPv4 alone.
    /// - Throws: ``ControlError``.
    static func bind(
        host: String, port: Int, responder: ControlResponder, limits: ListenerLimits, logger: Logger
    ) async throws(ControlError) -> [ControlListener] {
        guard host == "localhost" else {
            let address = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
            do {
                return [try await start(address, port, responder, limits, logger)]
            } catch {
                throw error.controlError
            }
        }
        for attempt in 1... {
            let first: ControlListener
            do {
                first = try await start("127.0.0.1", port, responder, limits, logger)
            } catch {
                throw error.controlError
            }
            do {
                return [first, try await start("::1", first.port, responder, limits, logger)]
            } catch {
                if error.isAddressMissing { return [first] }
                await first.shutDown(grace: .zero)
                guard error.isTaken, port == 0, attempt < freePortAttempts else { throw error.controlError }
            }
        }
        return []
    }

    /// Ends it: no new connections, requests finished for at most `grace`, then closed.
    func shutDown(grace: Duration) async {
        await services.triggerGracefulShutdown()
        await withTaskGroup { group in
            group.addTask {
                // Its error was answered when it was bound; later it has none.
                _ = await task.result
            }
            group.addTask {
                do {
                    try await Task.sleep(for: grace)
                } catch {
                    // The requests were finished first.
                    return
                }
                task.cancel()
                connections.closeAll()
            }
            await group.next()
            group.cancelAll()
        }
    }

    private static func start(
        _ address: String, _ port: Int, _ responder: ControlResponder, _ limits: ListenerLimits, _ logger: Logger
    ) async throws(BindError) -> ControlListener {
        let (bound, report) = AsyncThrowingStream.makeStream(of: Int.self)
        // It says at `info` where it listens; the start-up lines say that already.
        var quiet = logger
        if quiet.logLevel > .debug { quiet.logLevel = max(quiet.logLevel, .warning) }
        let connections = OpenConnections(limits)
        let application = Application(
            responder: responder,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: connections.handlers(), idleTimeout: TimeAmount(limits.idleTimeout),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: ListenerLimits.fieldBytesMax,
                        maxHeaderListSize: ListenerLimits.fieldsBytesMax,
                        maxHeaderFieldCount: ListenerLimits.fieldsMax))),
            configuration: .init(address: .hostname(address, port: port), serverName: nil),
            onServerRunning: { channel in
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
                return ControlListener(port: port, services: services, task: task, connections: connections)
            }
        } catch {
            throw BindError(address: address, port: port, underlying: error)
        }
        throw BindError(address: address, port: port, underlying: CancellationError())
    }
}

/// An address that could not be bound.
private struct BindError: Error {
    let address: String
    let port: Int
    let underlying: any Error

    private var errno: Int32 { (underlying as? IOError)?.errnoCode ?? 0 }

    var isTaken: Bool { errno == EADDRINUSE }

    var isAddressMissing: Bool { errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT }

    var controlError: ControlError {
        let sentence =
            switch errno {
            case EADDRINUSE:
                "port \(port) is taken on \(address); choose another --control-port, or 0 for a free one"
            case EACCES:
                "port \(port) may not be bound on \(address) by this user; choose a --control-port of 1024 or more"
            case EADDRNOTAVAIL: "--control-host \(address) is no address of this machine"
            default: "the control API can't listen on \(address):\(port): \(underlying)"
            }
        return ControlError(.portUnavailable, sentence)
    }
}
