internal import APNsRules
internal import Logging
internal import MynahSystem
internal import NIOCore
internal import NIOPosix

/// The listeners of a server once they are bound.
struct BoundPorts: Sendable {
    var channels: [any Channel] = []
    /// The TLS ports that could be bound, in the order of the settings.
    var ports: [Int] = []
    var environments: [Int: APNsEnvironment?] = [:]
    /// The ports of channel management that could be bound, in the order of the settings.
    var channelsPorts: [Int] = []
    var channelsEnvironments: [Int: APNsEnvironment?] = [:]
    var webPushPort: Int?
    var cleartextPort: Int?
    var proxyPort: Int?
    var proxy: Proxy?

    /// Binds everything that the settings ask for, or throws `ListenError`.
    ///
    /// A port below 1024 that this user may not bind is only a warning if another one can be bound
    /// (`ControlAPI#Listeners`), and so is one of Apple's ports of channel management that is taken, unless the settings
    /// name it. `proxy` gets what is bound.
    static func bind(
        _ settings: Settings, group: MultiThreadedEventLoopGroup, logger: Logger, warnings: ClientWarnings,
        acceptor: (Acceptor.Binding) -> Acceptor, proxy: (BoundPorts) -> Proxy
    ) async throws -> BoundPorts {
        var bound = BoundPorts()
        var forbidden: ListenError?
        func listen(
            on port: Int, of setting: String, _ accept: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
        ) async throws -> Int {
            let channels = try await Listener.bind(
                group: group, host: settings.host, port: port, setting: setting, owner: settings.portOwner,
                warnings: warnings, initializer: accept)
            bound.channels += channels
            return channels.first?.localAddress?.port ?? port
        }
        do {
            for port in settings.ports {
                do {
                    let number = try await listen(on: port.port, of: "--port", acceptor(.tls(port.environment)).accept)
                    bound.ports.append(number)
                    bound.environments[number] = .some(port.environment)
                } catch let error as ListenError where error.errno == EACCES {
                    forbidden = error
                    if settings.ports.count > 1 { logger.warning("\(error.description)") }
                }
            }
            if bound.ports.isEmpty, let forbidden { throw forbidden }
            for port in settings.channelsPorts ?? settings.usualChannelsPorts {
                do {
                    let number = try await listen(
                        on: port.port, of: "--channels-port", acceptor(.channels(port.environment)).accept)
                    bound.channelsPorts.append(number)
                    bound.channelsEnvironments[number] = .some(port.environment)
                } catch let error as ListenError where settings.channelsPorts == nil {
                    logger.warning(
                        "no channel management for \(port.environment?.rawValue ?? "both"): \(error.description)")
                }
            }
            if let port = settings.webPushPort {
                bound.webPushPort = try await listen(on: port, of: "--web-push-port", acceptor(.webPush).accept)
            }
            if let port = settings.cleartextPort {
                bound.cleartextPort = try await listen(on: port, of: "--cleartext-port", acceptor(.cleartext).accept)
            }
            if let port = settings.proxyPort {
                let made = proxy(bound)
                bound.proxy = made
                let number = try await listen(on: port, of: "--proxy-port", made.begin)
                bound.proxyPort = number
                let others =
                    bound.channels.last?.localAddress?.isLoopback == true
                    ? "are tunnelled" : "are refused, because other machines can reach the proxy (--host)"
                logger.info("the proxy listens on port \(number): Apple's names lead here, other targets \(others)")
            }
        } catch {
            var teardown = Teardown()
            for channel in bound.channels { await teardown.run { try await channel.close() } }
            throw error
        }
        return bound
    }
}
