import APNsRules
import HTTPTypes
import Logging
import MynahTestSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import MynahControl

/// The limits of the listener's time and connections.
@Suite("The limits of the control listener", .timeLimit(.minutes(Patience.minutes)))
struct ListenerLimitsTests {
    @Test("a connection whose head doesn't arrive in time is closed")
    func slowHead() async throws {
        try await Box.with({ $1.listenerLimits.firstHeadTimeout = .milliseconds(50) }) { box in
            let silent = try await RawCaller(box)
            #expect(try await silent.rest().isEmpty)
            let slow = try await RawCaller(box, "GET /livez HTTP/1.1\r\nHost: loc")
            #expect(try await slow.rest().isEmpty)
        }
    }

    @Test("a connection whose body doesn't arrive in time is closed")
    func slowBody() async throws {
        try await Box.with({ $1.listenerLimits.bodyTimeout = .milliseconds(50) }) { box in
            let slow = try await RawCaller(
                box, "POST /v1/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
            #expect(try await slow.rest().isEmpty)
        }
    }

    @Test("an idle connection is closed, and one that waits for its answer isn't")
    func idle() async throws {
        try await Box.with({
            $1.listenerLimits.idleTimeout = .milliseconds(50)
            $1.listenerLimits.bodyTimeout = .milliseconds(50)
        }) { box in
            let answered = try await answer(box, "GET /livez")
            #expect(answered.contains("\"ready\""))
            let waited = try await answer(box, "GET /v1/notifications?wait=300ms")
            #expect(waited.contains("\"timedOut\":true"))
        }
    }

    @Test("a caller that doesn't close after its last answer is disconnected")
    func lingering() async throws {
        try await Box.with({
            $1.listenerLimits.closeTimeout = .milliseconds(50)
            $1.listenerLimits.connectionsMax = 1
        }) { box in
            let request = "GET /v1/clock HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let caller = try await RawCaller(box, request, staysOpen: true)
            try await caller.wait(for: "\"mode\"")
            // The only place is free again although the first caller hasn't closed its side.
            var answer = ""
            repeat {
                try Task.checkCancellation()
                answer = try await RawCaller(box, request).rest()
            } while !answer.hasPrefix("HTTP/1.1 200")
            try await caller.close()
        }
    }

    /// The answer to a request on a connection that stays open.
    ///
    /// A slow caller may be disconnected before its request; then it tries again.
    private func answer(_ box: Box, _ request: String) async throws -> String {
        while true {
            try Task.checkCancellation()
            let caller = try await RawCaller(box, "\(request) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try await caller.rest()
            if !answer.isEmpty { return answer }
        }
    }

    @Test("a connection above the limit gets 503, and a place is free when another closes")
    func places() async throws {
        try await Box.with({ $1.listenerLimits.connectionsMax = 1 }) { box in
            let first = try await RawCaller(box, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await first.wait(for: "\"ready\"")
            let withBody = "GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
            for request in ["GET /v1/clock HTTP/1.1\r\nHost: localhost\r\n\r\n", withBody] {
                let answer = try await RawCaller(box, request).rest()
                #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
                #expect(answer.contains("application/problem+json") && answer.contains("expected at most 1 besides"))
            }
            let probe = try await RawCaller(box, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n").rest()
            #expect(probe.hasPrefix("HTTP/1.1 200") && probe.contains("\"ready\""), "\(probe)")
            let metrics = try await RawCaller(box, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").rest()
            #expect(metrics.hasPrefix("HTTP/1.1 200") && metrics.contains("mynah_"), "\(metrics)")
            try await first.close()
        }
    }

    @Test("a connection above the limit that says nothing gets 503")
    func silentAbove() async throws {
        try await Box.with({
            $1.listenerLimits.connectionsMax = 1
            $1.listenerLimits.headAboveTimeout = .milliseconds(50)
        }) { box in
            let first = try await RawCaller(box, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await first.wait(for: "\"ready\"")
            let answer = try await RawCaller(box).rest()
            #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
            #expect(answer.contains("application/problem+json") && answer.contains("expected at most 1 besides"))
            try await first.close()
        }
    }

    @Test("HTTP/1.0 is answered in its version, without chunks, and the connection is closed")
    func http10() async throws {
        try await Box.with { box in
            for field in ["", "Connection: keep-alive\r\n"] {
                let answer = try await RawCaller(box, "GET /v1/clock HTTP/1.0\r\nHost: localhost\r\n\(field)\r\n")
                    .rest()
                #expect(answer.hasPrefix("HTTP/1.0 200") && answer.hasSuffix("}"), "\(answer)")
            }
            let events = try await RawCaller(box, "GET /v1/events HTTP/1.0\r\nHost: localhost\r\n\r\n", staysOpen: true)
            var received = try await events.wait(for: "text/event-stream")
            _ = try await box.json("POST", "/v1/reset")
            received += try await events.wait(for: "event: reset")
            #expect(received.hasPrefix("HTTP/1.0 200") && received.contains("event: reset"), "\(received)")
            #expect(!received.lowercased().contains("transfer-encoding"))
            try await events.close()
        }
    }

    @Test("requests behind each other are answered in turn, and none behind a call that waits")
    func pipelined() async throws {
        let wait = Self.request("GET /v1/notifications?wait=100ms")
        let inTurn = (0..<40).map { Self.put("turn\($0)") }.joined() + Self.request("GET /v1/clock", closes: true)
        try await Box.with { box in
            let turns = try await RawCaller(box, inTurn).rest()
            let answers = turns.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
            #expect(answers == Array(repeating: "201", count: 40) + ["200"], "\(turns)")
            #expect(turns.hasSuffix("}") && turns.contains("\"mode\""))
            let ids = try await box.items("/v1/faults", "id").map(\.string)
            // The newest rule is tried first.
            #expect(ids == (0..<40).reversed().map { "turn\($0)" })

            let behind = [Self.put("a") + Self.put("b"), wait + Self.put("a"), String(repeating: wait, count: 200)]
            for rest in behind {
                let answer = try await RawCaller(box, Self.put("before") + wait + rest).rest()
                #expect(answer.split(separator: "HTTP/1.1 ").count == 2, "\(answer)")
                #expect(answer.contains("\"timedOut\":true"))
            }
            let last = try await box.items("/v1/faults", "id").map(\.string)
            #expect(last == ["before"] + ids)
        }
    }

    private static func request(_ line: String, _ body: String = "", closes: Bool = false) -> String {
        let fields = "Host: localhost\r\nContent-Length: \(body.utf8.count)\r\n\(closes ? "Connection: close\r\n" : "")"
        return "\(line) HTTP/1.1\r\n\(fields)\r\n\(body)"
    }

    private static func put(_ id: String) -> String {
        request("PUT /v1/faults/\(id)", #"{"action": {"type": "respond", "status": 503}}"#)
    }

    @Test("a chunk with an invalid size is a malformed request", arguments: ["zz", "-1", "11111111111111111"])
    func chunkSize(size: String) async throws {
        try await Box.with { box in
            let caller = try await RawCaller(
                box, "POST /v1/reset HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n{}\r\n"
            )
            let answer = try await caller.rest()
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(answer.contains("application/problem+json") && answer.contains("malformed-request"))
            #expect(answer.ranges(of: #/HTTP/1\.1 [0-9]/#).count == 1, "one answer: \(answer)")
            #expect(box.log.all.allSatisfy { !$0.contains("a control call failed") })
        }
    }

    @Test(
        "a caller gets 100 (Continue) before its body, unless the body is too long")
    func expectation() async throws {
        try await Box.with { box in
            func head(_ length: Int) -> String {
                "POST /v1/reset HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
                    + "Content-Length: \(length)\r\n\r\n"
            }
            let caller = try await RawCaller(box, head(2))
            try await caller.wait(for: "HTTP/1.1 100 Continue\r\n\r\n")
            try await caller.send("{}")
            #expect(try await caller.rest().contains("HTTP/1.1 200 "))
            let tooLong = try await RawCaller(box, head(Call.bodyBytesMax + 1)).rest()
            #expect(tooLong.hasPrefix("HTTP/1.1 413 "), "\(tooLong)")
        }
    }

    @Test(
        "a reader that takes nothing of a long list is disconnected, and the list is released",
        arguments: [
            "application/json", "application/x-ndjson",
        ])
    func stalledList(type: String) async throws {
        try await Box.with({ $1.streamLimits.stallMax = .milliseconds(200) }, logLevel: .debug) { box in
            // Far more than the socket buffers hold.
            let payload = #"{"aps":{"alert":"\#(String(repeating: "x", count: 50_000))"}}"#
            for _ in 1...400 { box.push(payload: payload) }
            let caller = try await RawCaller(
                box,
                "GET /v1/notifications?limit=1000 HTTP/1.1\r\nHost: localhost\r\nAccept: \(type)\r\n\r\n", reads: false)
            await box.log.wait(for: "disconnected a reader that took nothing of its answer")
            try await caller.close()
        }
    }

    @Test("a request caused by another origin's page is refused, except a link without parameters")
    func fetchMetadata() async throws {
        try await Box.with({ $1.corsOrigins = ["https://tools.example.com"] }) { box in
            for site in ["cross-site", "same-site", "anything"] {
                for destination in ["image", "script", "iframe", "empty"] {
                    let fields = [("Sec-Fetch-Site", site), ("Sec-Fetch-Dest", destination)]
                    try expectProblem(
                        await box.http.call("GET", "/v1/status", headers: fields), 403, field: "Sec-Fetch-Site",
                        mentions: "--cors-origin")
                }
                let link = [("Sec-Fetch-Site", site), ("Sec-Fetch-Dest", "document")]
                #expect(try await box.http.call("GET", "/v1/status", headers: link).status == 200)
                try expectProblem(
                    await box.http.call("GET", "/v1/notifications?limit=1", headers: link), 403, field: "Sec-Fetch-Site"
                )
                try expectProblem(
                    await box.http.call("POST", "/v1/reset", headers: link), 403, field: "Sec-Fetch-Site")
                let allowed = link + [("Origin", "https://tools.example.com")]
                #expect(try await box.http.call("GET", "/v1/notifications?limit=1", headers: allowed).status == 200)
            }
            for site in ["same-origin", "none"] {
                let own = [("Sec-Fetch-Site", site), ("Sec-Fetch-Dest", "empty")]
                #expect(try await box.http.call("POST", "/v1/reset", headers: own).status == 200)
            }
        }
    }
}

/// A caller that sends exactly the given text.
private struct RawCaller {
    private let channel: any Channel
    private let parts: AsyncStream<String>

    /// Sends a text; if it `staysOpen`, it doesn't close its side after the server; unless it `reads`, it takes nothing.
    init(_ box: Box, _ text: String = "", staysOpen: Bool = false, reads: Bool = true) async throws {
        let (parts, part) = AsyncStream.makeStream(of: String.self)
        self.parts = parts
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: staysOpen)
            .channelOption(ChannelOptions.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(part))
                }
            }
            .connect(host: "127.0.0.1", port: box.control.port)
            .map { channel in
                // On the loop: a task on a busy machine would miss the server's deadline for the first head. Errors are
                // ignored: the server may have closed the connection.
                if !text.isEmpty { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }
                return channel
            }
            .get()
    }

    /// All bytes until the server closes the connection.
    func rest() async throws -> String {
        var text = ""
        for await part in parts { text += part }
        return text
    }

    /// Returns all bytes up to those with which a text has arrived.
    @discardableResult
    func wait(for wanted: String) async throws -> String {
        var text = ""
        for await part in parts {
            text += part
            if text.contains(wanted) { break }
        }
        return text
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    func close() async throws { try await channel.close() }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let part: AsyncStream<String>.Continuation

        init(_ part: AsyncStream<String>.Continuation) { self.part = part }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            part.yield(String(buffer: unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) { part.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
