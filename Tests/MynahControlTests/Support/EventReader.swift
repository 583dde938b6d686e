import APNsRules
import MynahTestSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A reader of server-sent events.
final class EventReader: Sendable {
    /// One event, or a comment, whose name is empty.
    struct Event: Sendable, Equatable {
        var name = ""
        var id: String?
        var data = ""

        func json() throws -> JSONValue { try JSONValue(parsing: data) }
    }

    let status: Int
    let contentType: String?
    private let channel: any Channel
    private let parts: AsyncStream<[UInt8]>
    // The bytes after the last complete event.
    private let rest = Mutex("")

    private init(status: Int, contentType: String?, channel: any Channel, parts: AsyncStream<[UInt8]>) {
        self.status = status
        self.contentType = contentType
        self.channel = channel
        self.parts = parts
    }

    /// Opens a stream; returns when its head has arrived.
    static func open(_ http: HTTPCaller, _ target: String, headers: [(String, String)] = []) async throws -> EventReader
    {
        let group = MultiThreadedEventLoopGroup.singleton
        let head = group.any().makePromise(of: HTTPResponseHead.self)
        let (parts, part) = AsyncStream.makeStream(of: [UInt8].self)
        let request = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: target, headers: HTTPHeaders([("Host", "localhost")] + headers))
        let connected = ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(PartReader(head, part))
                }
            }
            .connect(host: http.host, port: http.port)
            .map { channel in
                channel.send(request)
                return channel
            }
        connected.whenFailure { head.fail($0) }
        let channel = try await connected.get()
        // Ends a test that waits for an event that never comes.
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(Patience.duration)) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in deadline.cancel() }
        let answer = try await head.futureResult.get()
        return EventReader(
            status: Int(answer.status.code), contentType: answer.headers.first(name: "content-type"), channel: channel,
            parts: parts)
    }

    /// Passes on events and comments until `body` returns true or the stream ends; returns whether `body` did.
    @discardableResult
    func read(_ body: (Event) throws -> Bool) async throws -> Bool {
        var text = rest.withLock { $0 }
        defer { rest.withLock { [text] in $0 = text } }
        var parts = parts.makeAsyncIterator()
        while true {
            while let end = text.firstRange(of: "\n\n") {
                let event = EventReader.event(text[..<end.lowerBound])
                text.removeSubrange(..<end.upperBound)
                if try body(event) { return true }
            }
            guard let part = await parts.next() else { return false }
            text += String(decoding: part, as: UTF8.self)
        }
    }

    /// The next events, without comments; fewer if the stream ends.
    func next(_ count: Int) async throws -> [Event] {
        var events: [Event] = []
        guard count > 0 else { return events }
        try await read { event in
            if !event.name.isEmpty { events.append(event) }
            return events.count == count
        }
        return events
    }

    /// Closes the connection.
    func close() async throws {
        try await channel.close()
    }

    private static func event(_ text: Substring) -> Event {
        var event = Event()
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count == 2 ? String(halves[1].drop { $0 == " " }) : ""
            switch halves[0] {
            case "event": event.name = value
            case "id": event.id = value
            case "data": event.data += value
            default: break
            }
        }
        return event
    }
}

private final class PartReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let head: EventLoopPromise<HTTPResponseHead>
    private let part: AsyncStream<[UInt8]>.Continuation

    init(_ head: EventLoopPromise<HTTPResponseHead>, _ part: AsyncStream<[UInt8]>.Continuation) {
        self.head = head
        self.part = part
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head.succeed(head)
        case .body(let buffer): part.yield(Array(buffer.readableBytesView))
        case .end: part.finish()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        head.fail(ClosedWithoutAnswer())
        part.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        head.fail(error)
        part.finish()
        context.close(promise: nil)
    }
}
