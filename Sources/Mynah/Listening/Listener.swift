internal import MynahSystem
internal import NIOCore
internal import NIOPosix

package struct ListenError: Error, Sendable, CustomStringConvertible {
    package let address: String
    package let port: Int
    package let errno: Int32
    package let description: String

    /// `describe` returns the sentence for an error number, or `nil` for the general one.
    package init(on address: String, port: Int, after error: any Error, describe: (Int32) -> String?) {
        self.address = address
        self.port = port
        let number = (error as? IOError)?.errnoCode
        self.errno = number ?? 0
        self.description =
            number.flatMap(describe)
            ?? "can't listen on \(address):\(port): \(number.map { String(cString: strerror($0)) } ?? "\(error)")"
    }
}

extension ListenError {
    /// Whether the machine doesn't have the address, or its kind.
    fileprivate var isOfNoAddress: Bool { errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT }
}

package enum Listener {
    /// The most connections that wait in the kernel to be accepted.
    static let backlog: Int32 = 1024
    /// How often another free port is tried if the one of IPv4 is taken on IPv6.
    private static let freePortAttempts = 16

    /// Binds `host`: for `localhost` those loopback addresses that the machine has, 127.0.0.1 and ::1, on one port; an IPv6
    /// address may stand in brackets, and `port` 0 is a free one; `bind` throws ``ListenError`` and returns the
    /// port that was bound; `close` closes what was bound if the other address can't be.
    package static func bind<Bound>(
        host: String, port: Int, bind: (String, Int) async throws -> (bound: Bound, port: Int),
        close: (Bound) async throws -> Void
    ) async throws -> [Bound] {
        guard host == "localhost" else { return [try await bind(Loopback.withoutBrackets(host), port).bound] }
        for attempt in 1... {
            let first: (bound: Bound, port: Int)
            do { first = try await bind("127.0.0.1", port) } catch let error as ListenError where error.isOfNoAddress {
                return [try await bind("::1", port).bound]
            }
            do {
                return [first.bound, try await bind("::1", first.port).bound]
            } catch let error as ListenError where error.isOfNoAddress {
                return [first.bound]
            } catch let error as ListenError where error.errno == EADDRINUSE && port == 0 && attempt < freePortAttempts
            {
                try await close(first.bound)
            } catch {
                try await close(first.bound)
                throw error
            }
        }
        return []
    }

    /// Binds `host` as ``bind(host:port:bind:close:)`` does, with an ``AcceptGate`` in each listener; an error names the
    /// `setting` of the port, and who has it.
    static func bind(
        group: any EventLoopGroup, host: String, port: Int, setting: String, owner: PortOwner.Finder,
        warnings: ClientWarnings, initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws -> [any Channel] {
        try await bind(host: host, port: port) { address, port in
            let bootstrap = ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: backlog)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            AcceptGate(warnings: warnings, hasRoom: { FileDescriptors.hasUnreserved }))
                    }
                }
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer(initializer)
            do {
                let channel = try await bootstrap.bind(host: address, port: port).get()
                return (channel, channel.localAddress?.port ?? port)
            } catch {
                throw ListenError(on: address, port: port, after: error) { errno in
                    switch errno {
                    case EADDRINUSE: PortOwner.problem(port, on: address, setting: setting, owner: owner(port))
                    case EACCES:
                        "port \(port) may not be bound on \(address) by this user; ports below 1024 need the right to: choose another \(setting)"
                    case EADDRNOTAVAIL: "\(address) is not an address of this machine"
                    default: nil
                    }
                }
            }
        } close: {
            try await $0.close()
        }
    }
}
