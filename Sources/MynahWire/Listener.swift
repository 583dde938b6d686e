internal import Glibc
package import NIOCore
internal import NIOPosix

/// Why a listener could not be bound.
package struct ListenError: Error, Sendable, CustomStringConvertible {
    /// The address that was asked for.
    package let address: String
    /// The port that was asked for.
    package let port: Int
    /// The system's error number.
    package let errno: Int32
    /// One sentence.
    package let description: String
}

/// Binds the server's sockets.
package enum Listener {
    /// Connections that the kernel keeps waiting until they are accepted.
    static let backlog: Int32 = 1024

    /// How often another free port is tried when the one that IPv4 gave is taken on IPv6.
    private static let freePortAttempts = 16

    /// Binds `host` and returns a channel for each address: both loopback addresses for `localhost`, on one port.
    ///
    /// `port` 0 is a free one. A machine without IPv6 gets IPv4 alone.
    /// - Throws: ``ListenError``.
    package static func bind(
        group: any EventLoopGroup, host: String, port: Int,
        initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws -> [any Channel] {
        guard host == "localhost" else {
            return [try await bindOne(group, host, port, initializer)]
        }
        for attempt in 1... {
            let first = try await bindOne(group, "127.0.0.1", port, initializer)
            let bound = first.localAddress?.port ?? port
            do {
                return [first, try await bindOne(group, "::1", bound, initializer)]
            } catch let error as ListenError where error.errno == EADDRNOTAVAIL || error.errno == EAFNOSUPPORT {
                return [first]
            } catch let error as ListenError where error.errno == EADDRINUSE && port == 0 && attempt < freePortAttempts
            {
                try await first.close()
            } catch {
                try await first.close()
                throw error
            }
        }
        return []
    }

    private static func bindOne(
        _ group: any EventLoopGroup, _ address: String, _ port: Int,
        _ initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer(initializer)
        do {
            return try await bootstrap.bind(host: address, port: port).get()
        } catch let error as IOError {
            throw ListenError(
                address: address, port: port, errno: error.errnoCode,
                description: sentence(address, port, error.errnoCode))
        } catch {
            throw ListenError(
                address: address, port: port, errno: 0, description: "can't listen on \(address):\(port): \(error)")
        }
    }

    private static func sentence(_ address: String, _ port: Int, _ errno: Int32) -> String {
        switch errno {
        case EADDRINUSE: "port \(port) is taken on \(address); choose another one, or 0 for a free one"
        case EACCES: "port \(port) may not be bound on \(address) by this user; ports below 1024 need the right to"
        case EADDRNOTAVAIL: "\(address) is no address of this machine"
        default: "can't listen on \(address):\(port): \(String(cString: strerror(errno)))"
        }
    }
}
