internal import Glibc
internal import Logging
internal import MynahWire
internal import NIOCore
internal import NIOPosix

/// The listeners of a server once they are bound.
struct BoundPorts {
    /// All listening channels.
    var channels: [any Channel] = []
    /// The TLS ports, in the order of the settings; a port that could not be bound is left out.
    var ports: [Int] = []
    /// The port without TLS.
    var cleartextPort: Int?

    /// Binds everything that the settings ask for, or nothing.
    ///
    /// A port below 1024 that this user may not bind is a warning while another one is bound
    /// (`control-api.md`, `--port`).
    /// - Throws: `ListenError`.
    static func bind(
        _ settings: Settings, group: MultiThreadedEventLoopGroup, logger: Logger,
        acceptor: (Acceptor.Binding) -> Acceptor
    ) async throws -> BoundPorts {
        var bound = BoundPorts()
        var forbidden: ListenError?
        do {
            for port in settings.ports {
                do {
                    let number = try await bound.add(
                        settings.host, port.port, group, acceptor(.tls(port.environment)))
                    bound.ports.append(number)
                } catch let error as ListenError where error.errno == EACCES {
                    forbidden = error
                    if settings.ports.count > 1 { logger.warning("\(error.description)") }
                }
            }
            if bound.ports.isEmpty, let forbidden { throw forbidden }
            if let port = settings.cleartextPort {
                bound.cleartextPort = try await bound.add(settings.host, port, group, acceptor(.cleartext))
            }
        } catch {
            for channel in bound.channels { try await channel.close() }
            throw error
        }
        return bound
    }

    private mutating func add(
        _ host: String, _ port: Int, _ group: MultiThreadedEventLoopGroup, _ acceptor: Acceptor
    ) async throws -> Int {
        let channels = try await Listener.bind(group: group, host: host, port: port) { acceptor.accept($0) }
        self.channels += channels
        return channels.first?.localAddress?.port ?? port
    }
}
