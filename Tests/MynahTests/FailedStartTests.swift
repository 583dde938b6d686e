import Logging
import NIOCore
import NIOPosix
import Testing

@testable import Mynah

@Suite("A start that fails", .timeLimit(.minutes(2)))
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

    /// An address that no other test listens at, so that none takes a port that was found free.
    private static let host = "127.77.1.1"

    private static func listen(_ port: Int = 0) async throws -> any Channel {
        try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port).get()
    }

    @Test("leaves no listener, loop, timer or task behind", arguments: TakenPort.allCases)
    func nothingIsLeft(taken: TakenPort) async throws {
        let other = try await Self.listen()
        let takenPort = try #require(other.localAddress?.port)
        let probe = try await Self.listen()
        let freePort = try #require(probe.localAddress?.port)
        try await probe.close()

        var settings = Settings()
        settings.host = Self.host
        settings.stateDirectory = nil
        settings.ports = [.init(port: freePort)]
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
        try await Self.listen(freePort).close()
        try await other.close()
    }
}
