import MynahTestSupport
import MynahWire
import NIOCore
import NIOPosix
import Testing

@testable import Mynah

/// A tunnel to a target that takes no connection, over real sockets.
struct ProxyTimeoutTests {
    /// Sends every connection through a tunnel.
    private final class Owner: ProxyOwner {
        func destination(of target: ConnectTarget, for channel: any Channel) -> ProxyDestination { .tunnel }
        func accept(_ channel: any Channel, for target: ConnectTarget) {}
        let ended: AsyncStream<Void>
        private let end: AsyncStream<Void>.Continuation

        init() { (ended, end) = AsyncStream.makeStream() }

        func tunnelEnded() { end.yield() }
        func refused(_ refusal: ProxyRefusal, _ channel: any Channel) {}
    }

    private let group = NIOSingletons.posixEventLoopGroup

    /// A listener that accepts nothing, and whose queue is full: a client gets no answer.
    private func withSilentListener(_ body: (Int) async throws -> Void) async throws {
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 0)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        var waiting: [any Channel] = []
        var isFull = false
        while !isFull && waiting.count < 8 {
            do {
                waiting.append(
                    try await ClientBootstrap(group: group).connectTimeout(.seconds(1))
                        .connect(host: "127.0.0.1", port: port).get())
            } catch is ChannelError, is NIOConnectionError {
                isFull = true
            }
        }
        #expect(isFull)
        try await body(port)
        for channel in waiting + [listener] { try await channel.close() }
    }

    /// A client of a test may get its thread late.
    private var patientLimits: ProxyLimits {
        var limits = ProxyLimits()
        limits.headTimeout = TimeAmount(Patience.duration)
        limits.connectTimeout = TimeAmount(Patience.duration)
        return limits
    }

    private func proxy(_ limits: ProxyLimits, _ owner: Owner) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectProxy(owner: owner, limits: limits))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    @Test(
        "a tunnel ends when its client has left, even if its target is silent",
        arguments: [
            (reset: true, halfClosedTimeout: TimeAmount.hours(1)),
            (reset: false, halfClosedTimeout: .milliseconds(200)),
        ])
    func clientHasGone(reset: Bool, halfClosedTimeout: TimeAmount) async throws {
        var limits = patientLimits
        limits.halfClosedTimeout = halfClosedTimeout
        let owner = Owner()
        let proxy = try await proxy(limits, owner)
        let target = try await ServerBootstrap(group: group).childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try await RawConnection(port: try #require(proxy.localAddress?.port))
        try await client.write("CONNECT 127.0.0.1:\(try #require(target.localAddress?.port)) HTTP/1.1\r\n\r\n")
        #expect(try await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        if reset { try await client.reset() } else { try await client.close() }
        for await _ in owner.ended { break }
        for channel in [proxy, target] { try await channel.close() }
    }

    @Test("a target that doesn't accept in time is 504, and named")
    func connectTimeout() async throws {
        var limits = patientLimits
        limits.connectTimeout = .milliseconds(300)
        let proxy = try await proxy(limits, Owner())
        try await withSilentListener { port in
            let client = try await RawConnection(port: try #require(proxy.localAddress?.port))
            try await client.write("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\n\r\n")
            let status = try await client.read(until: "\r\n")
            try #require(status.hasPrefix("HTTP/1.1 504 "))
            let answer = try await client.read(until: "did not answer within")
            #expect(answer.contains("127.0.0.1:\(port)"))
            try await client.closed()
        }
        try await proxy.close()
    }
}
