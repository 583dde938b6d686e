import Glibc
import Logging
import MynahTestSupport
import NIOCore
import NIOPosix
import Testing

@testable import Mynah

@Suite("A start that fails", .timeLimit(.minutes(Patience.minutes)))
struct FailedStartTests {
    enum TakenPort: CaseIterable {
        case secondTLS
        case cleartext
        case proxy
    }

    /// What the server's parts log to: it lives as long as any of them.
    private final class Sink: Sendable {}

    private struct Handler: LogHandler {
        let sink: Sink
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {}
    }

    /// A port that nobody is given who asks for any, while whoever asks for this one gets it: bound, without a listener.
    private final class HeldPort {
        let number: Int
        private let descriptor: Int32

        init() throws {
            let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var yes: Int32 = 1
            setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            let address = try SocketAddress(ipAddress: host, port: 0)
            let bound = address.withSockAddr { bind(made, $0, socklen_t($1)) }
            try #require(bound == 0)
            var name = [UInt8](repeating: 0, count: 16)
            var size = socklen_t(name.count)
            let named = name.withUnsafeMutableBytes {
                getsockname(made, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
            }
            try #require(named == 0)
            // The port is behind the family, the high byte first.
            descriptor = made
            number = Int(name[2]) << 8 | Int(name[3])
        }

        deinit { close(descriptor) }
    }

    private static let host = "127.77.1.1"

    private static func listen(_ port: Int = 0) async throws -> any Channel {
        try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port).get()
    }

    /// Waits until nothing listens at a port.
    ///
    /// A process that another test starts has all open descriptors of this one until it runs its program.
    private static func waitUntilFree(_ port: Int) async throws {
        while true {
            do {
                return try await listen(port).close()
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test("leaves no listener, loop, timer or task behind", arguments: TakenPort.allCases)
    func nothingIsLeft(taken: TakenPort) async throws {
        let other = try await Self.listen()
        let takenPort = try #require(other.localAddress?.port)
        let free = try HeldPort()

        var settings = Settings()
        settings.host = Self.host
        settings.stateDirectory = nil
        settings.ports = [.init(port: free.number)]
        switch taken {
        case .secondTLS: settings.ports.append(.init(port: takenPort))
        case .cleartext: settings.cleartextPort = takenPort
        case .proxy: settings.proxyPort = takenPort
        }
        weak var sink: Sink?
        do {
            let made = Sink()
            sink = made
            let logger = Logger(label: "test") { _ in Handler(sink: made) }
            await #expect(throws: ListenError.self) { _ = try await Server(settings, logger: logger) }
        }
        // The last task lets go of it on a thread of its own.
        while sink != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        try await Self.waitUntilFree(free.number)
        try await other.close()
    }
}
