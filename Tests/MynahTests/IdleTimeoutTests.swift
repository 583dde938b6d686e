import APNsRules
import MynahCore
import MynahTestSupport
import NIOHTTP1
import Testing

@testable import Mynah

/// `--idle-timeout` by a frozen clock that is advanced.
struct IdleTimeoutTests {
    private static let start = RuleWorld.start

    private func setClock(_ box: ServerInABox, _ after: Duration) async throws {
        try await box.server.setClock(try ServerInABox.frozen(at: Self.start.advanced(by: after)))
    }

    @Test("when the clock passes the idle timeout the connection gets GOAWAY IdleTimeout, once, and ends")
    func goAway() async throws {
        try await ServerInABox.with { box in
            try await CleartextConnection.with(port: try #require(box.server.cleartextPort)) { write, next in
                try await write(CleartextConnection.preface)
                #expect(try await next()?.type == CleartextConnection.settings)
                try await setClock(box, .seconds(3599))
                #expect(await box.server.connections().count == 1)
                try await setClock(box, .seconds(3600))
                // Gone from the table before the clock's change was done.
                #expect(await box.server.connections().isEmpty)
                var goAways: [CleartextConnection.Frame] = []
                while let frame = try await next() {
                    if frame.type == CleartextConnection.goAway { goAways.append(frame) }
                }
                #expect(goAways.count == 1)
                let payload = try #require(goAways.first?.payload)
                // Last-stream-id 0, NO_ERROR.
                #expect(Array(payload.prefix(8)) == [UInt8](repeating: 0, count: 8))
                #expect(String(decoding: payload.dropFirst(8), as: UTF8.self) == #"{"reason":"IdleTimeout"}"#)
            }
        }
    }

    @Test("a PING restarts the idle timeout")
    func pingIsLife() async throws {
        try await ServerInABox.with { box in
            try await CleartextConnection.with(port: try #require(box.server.cleartextPort)) { write, next in
                try await write(CleartextConnection.preface)
                for minutes in [50, 100, 150] {
                    try await write(CleartextConnection.pingFrame)
                    var frame = try #require(try await next())
                    while frame.type != CleartextConnection.ping { frame = try #require(try await next()) }
                    try await setClock(box, .seconds(minutes * 60))
                    let connections = await box.server.connections()
                    #expect(connections.count == 1, "after \(minutes) min")
                }
                #expect(await box.server.connections().first?.pings == 3)
                try await setClock(box, .seconds(160 * 60))
                var last: CleartextConnection.Frame?
                while let frame = try await next() { last = frame }
                #expect(last?.type == CleartextConnection.goAway)
            }
        }
    }

    @Test("a clock that runs again ends idle connections without another call")
    func clockRunsAgain() async throws {
        var settings = Settings()
        settings.idleTimeout = .milliseconds(200)
        try await ServerInABox.with(settings) { box in
            try await CleartextConnection.with(port: try #require(box.server.cleartextPort)) { write, next in
                try await write(CleartextConnection.preface)
                #expect(try await next()?.type == CleartextConnection.settings)
                var clock = try ServerInABox.frozen(at: Self.start)
                try clock.set(.offset, wall: WallClock.now())
                // Nothing is due yet: the clock goes on from where it stood.
                try await box.server.setClock(clock)
                var last: CleartextConnection.Frame?
                while let frame = try await next() { last = frame }
                #expect(last?.type == CleartextConnection.goAway)
            }
        }
    }

    @Test("an idle HTTP/1.1 connection is closed")
    func http1() async throws {
        try await ServerInABox.with { box in
            try await HTTP1Connection.with(port: try #require(box.server.cleartextPort)) { send in
                let head = HTTPRequestHead(
                    version: .http1_1, method: .POST, uri: "/3/device/00",
                    headers: ["host": "localhost", "content-length": "0"])
                _ = try await send(head, [])
                let before = try #require(await box.server.connections().first)
                #expect(before.pushes == 1)
                #expect(before.bytesIn > 0 && before.bytesOut > 0)
                #expect(before.tlsVersion == nil)
                try await setClock(box, .seconds(3600))
                await #expect(throws: (any Error).self) { _ = try await send(head, []) }
                #expect(await box.server.connections().isEmpty)
            }
        }
    }
}
