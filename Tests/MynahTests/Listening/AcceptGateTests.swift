import Glibc
import Logging
import MynahTestSupport
import NIOCore
import NIOEmbedded
import NIOPosix
import Synchronization
import Testing

@testable import Mynah

@Suite("The gate in front of a listener", .timeLimit(.minutes(Patience.minutes)))
struct AcceptGateTests {
    private struct GatedListener {
        let channel: any Channel
        let accepted: AsyncStream<Void>

        func connect() async throws -> any Channel {
            try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
                .connect(host: "127.0.0.1", port: channel.localAddress?.port ?? 0).get()
        }

        /// Makes the listener see an error of accept(2); returns whether it still accepts.
        func fail(with errno: Int32) async throws -> Bool {
            try await channel.eventLoop.submit { [channel] in
                channel.pipeline.syncOperations.fireErrorCaught(IOError(errnoCode: errno, reason: "accept"))
                return try channel.syncOptions?.getOption(.autoRead) ?? false
            }.get()
        }
    }

    private func withListener(
        _ log: LogLines, note: @escaping @Sendable (any Channel) -> Void = { _ in },
        hasRoom: @escaping @Sendable () -> Bool = { true }, _ body: (GatedListener) async throws -> Void
    ) async throws {
        let (accepted, report) = AsyncStream.makeStream(of: Void.self)
        let warnings = ClientWarnings(log.logger(.info))
        // On a loop whose time stands, repetitions are only counted, however long the test takes.
        let standing = NIOAsyncTestingEventLoop()
        warnings.begin(on: standing)
        let channel = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptGate(warnings: warnings, onAccept: note, hasRoom: hasRoom))
                }
            }
            .childChannelInitializer { channel in
                report.yield()
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(GatedListener(channel: channel, accepted: accepted))
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
        await standing.shutdownGracefully()
    }

    @Test(
        "a listener out of descriptors pauses, warns once, and resumes by itself",
        arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func outOfDescriptors(errno: Int32) async throws {
        let log = LogLines()
        try await withListener(log) { listener in
            for _ in 1...3 {
                let isAccepting = try await listener.fail(with: errno)
                #expect(!isAccepting)
            }
            let client = try await listener.connect()
            for await _ in listener.accepted { break }
            #expect(log.all.count == 1)
            #expect(log.all.first?.hasPrefix("new connections wait: ") == true)
            try await client.close()
        }
    }

    @Test("a client that left before it was accepted does not pause the listener")
    func aborted() async throws {
        let log = LogLines()
        try await withListener(log) { listener in
            let isAccepting = try await listener.fail(with: ECONNABORTED)
            #expect(isAccepting)
            #expect(log.all.isEmpty)
        }
    }

    @Test("without room nothing more is accepted")
    func reserve() async throws {
        let log = LogLines()
        let hasRoom = Mutex(false)
        let looks = Mutex(0)
        let (looked, report) = AsyncStream.makeStream(of: Int.self)
        let ask: @Sendable () -> Bool = {
            report.yield(
                looks.withLock { looks in
                    looks += 1
                    return looks
                })
            return hasRoom.withLock { $0 }
        }
        try await withListener(log, hasRoom: ask) { listener in
            let first = try await listener.connect()
            var accepted = listener.accepted.makeAsyncIterator()
            _ = await accepted.next()
            let second = try await listener.connect()
            // The first is accepted before the gate looks; then it looks once in each pause.
            for await count in looked where count == 4 { break }
            let isAccepting = try await listener.channel.getOption(.autoRead).get()
            #expect(!isAccepting)
            #expect(log.all.count == 1)
            hasRoom.withLock { $0 = true }
            _ = await accepted.next()
            for client in [first, second] { try await client.close() }
        }
    }

    @Test("a connection is noted before the gate asks whether there is room for another")
    func noted() async throws {
        let count = Atomic<Int>(0)
        let (looked, report) = AsyncStream.makeStream(of: Int.self)
        try await withListener(LogLines()) { _ in
            count.add(1, ordering: .relaxed)
        } hasRoom: {
            report.yield(count.load(ordering: .relaxed))
            return true
        } _: { listener in
            var looks = looked.makeAsyncIterator()
            for expected in 1...3 {
                let client = try await listener.connect()
                #expect(await looks.next() == expected)
                try await client.close()
            }
        }
    }

    @Test(
        "a small limit of descriptors has a smaller reserve",
        arguments: [(0, 0), (64, 16), (128, 32), (256, 64), (1024, 64), (1_048_576, 64)])
    func reserved(limit: Int, expected: Int) {
        #expect(FileDescriptors.reserve(ofLimit: limit) == expected)
    }
}
