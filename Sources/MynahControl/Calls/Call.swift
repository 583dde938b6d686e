internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahCore
internal import MynahSystem
internal import NIOCore
internal import NIOHTTPTypes
internal import Synchronization

/// Tells the connection that a call ends when its caller leaves: its answer is the connection's last.
struct WaitingCall: Sendable {}

/// A request as its route's handler sees it.
struct Call: Sendable {
    /// A larger body is 413 (`ControlAPI#Browser-safety`).
    static let bodyBytesMax = 5 * 1024 * 1024
    let request: Request
    /// The named parts of the path, still percent-encoded.
    let parameters: [String: String]
    /// The parameters of the URL; those that the route doesn't declare have been refused.
    let query: QueryString
    let body: [UInt8]
    let channel: any Channel
    let state: ControlState
    let server: Server
    private let mayBodyBeEmpty: Bool

    /// Reads the body of a request, and checks its query.
    ///
    /// The body is read before the handler runs: a handler that waits could not notice that the caller has gone
    /// while there is body left to read.
    /// - Throws: ``Problem`` when the body is larger than ``bodyBytesMax``, or for a wrong query.
    init(
        _ request: Request, to route: Route, parameters: [String: String], channel: any Channel, state: ControlState
    ) async throws {
        let bytesMax = Call.bodyBytesMax
        let tooLarge = Problem(.tooLarge, "the body is too large: expected at most \(bytesMax) bytes")
        if let text = request.headers[.contentLength], let count = Int(text), count > bytesMax { throw tooLarge }
        var request = request
        if request.headers[.expect]?.lowercased() == "100-continue" {
            // The caller sends its body only after this.
            try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
        }
        do {
            // The request keeps the body as well, for `whileCallerStays`, which consumes it.
            body = Array(try await request.collectBody(upTo: bytesMax).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
        self.query = try route.query(request.uri.query ?? "")
        self.request = request
        self.parameters = parameters
        self.channel = channel
        self.state = state
        server = state.server
        self.mayBodyBeEmpty = route.body?.isRequired == false
    }

    /// Refuses a body where a route takes none, such as the filters of a removal, which would be ignored; some clients send
    /// `{}` or `null` in place of no body.
    func checkBody(of route: Route) throws(Problem) {
        let text = body.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard route.body == nil, !text.isEmpty, text != Array("{}".utf8), text != Array("null".utf8) else { return }
        throw Problem(
            .invalidField, "\(request.method) \(request.uri.path) takes no body: expected parameters of the URL",
            field: "")
    }

    /// The body as JSON, whatever its content type is, without a byte order mark, which some tools write.
    func json() throws(Problem) -> JSONValue {
        let body = Array(TextFile.withoutMark(body))
        do { return try JSONValue(parsing: body) } catch {
            let before = body.prefix(error.offset)
            let line = before.count { $0 == 0x0A } + 1
            let column = before.reversed().prefix { $0 != 0x0A }.count + 1
            throw Problem(.malformedJSON, "the body is \(error.description) (line \(line), column \(column))")
        }
    }

    /// The body as a JSON object; an empty body is an empty object if the route's body is optional.
    func object() throws(Problem) -> JSONValue {
        if mayBodyBeEmpty, body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return [:] }
        let value = try json()
        guard value.object != nil else {
            throw Problem(.invalidField, "the body is \(value.kind): expected an object", field: "")
        }
        return value
    }

    /// The body as a JSON object, with the ID of the path as a member, which the body may repeat.
    func object(withID id: String, as name: String = "id") throws(Problem) -> JSONValue {
        let object = try object()
        if let given = object[name], given != .null, given.string != id {
            throw Problem(
                .invalidField, "\(name) \(given.encodedText) differs from the path's \(id): leave it out",
                field: "/\(name)", allowed: [id])
        }
        return .object([JSONMember(name, .string(id))] + (object.object ?? []).filter { $0.name != name })
    }

    func reader(_ schema: Schema) throws -> ObjectReader { try ObjectReader(object(), schema) }

    /// A named part of the path, percent-decoded.
    func pathText(_ name: String) throws(Problem) -> String {
        try PathText.decoded(parameters[name] ?? "", field: name)
    }

    /// A named part of the path that is a whole number of at least `minimum`; `what` describes it in errors.
    func pathNumber(_ name: String, _ what: String, from minimum: UInt64 = 0) throws(Problem) -> UInt64 {
        let text = try pathText(name)
        guard let number = UInt64(text), number >= minimum else {
            throw .parameter(name, "invalid \(name) \(text): expected \(what), a whole number from \(minimum)")
        }
        return number
    }

    /// The devices that the call changes or removes.
    /// - Parameter parameters: Those of the URL, if some select something else.
    func deviceSelection(_ parameters: [(name: String, value: String)]? = nil, besides: [String] = []) throws
        -> DeviceFilter
    {
        let filter = try DeviceFilter(parameters: parameters ?? query.selection(), besides: besides)
        try filter.checkTokens(server.knownTokenByteCounts)
        return filter
    }

    /// Refuses a filter on a device token of a length that the server doesn't take.
    func checkTokens(_ filter: Filter) throws(InputError) {
        try filter.checkTokens(server.knownTokenByteCounts, at: FilterKey.token.rawValue)
    }

    /// Whether the caller wants a list as JSON lines.
    var wantsLines: Bool {
        request.headers[values: .accept].contains { $0.lowercased().contains("application/x-ndjson") }
    }

    /// When a call that may wait so long has to be answered: in a recorded run at once, because nothing comes.
    func deadline(after wait: Duration) -> ContinuousClock.Instant {
        .now + (server.recorded == nil ? wait : .zero)
    }

    /// Runs an operation that may take long, and cancels it when the caller closes the connection.
    ///
    /// No further request can be read while watching for that, so the connection is closed after the answer.
    func whileCallerStays(_ operation: @Sendable () async throws -> Response) async throws -> Response {
        state.logger.debug("a control call waits", metadata: ["path": "\(request.uri.path)"])
        channel.triggerUserOutboundEvent(WaitingCall(), promise: nil)
        var response: Response
        do {
            response = try await request.body.consumeWithCancellationOnInboundClose { _ in
                do { return try await operation() } catch {
                    guard let problem = Problem(answering: error) else { throw error }
                    return problem.response
                }
            }
        } catch is CancellationError {
            state.logger.debug("the caller of a waiting control call left", metadata: ["path": "\(request.uri.path)"])
            throw CancellationError()
        }
        response.headers[.connection] = "close"
        return response
    }
}

extension Call {
    /// Writes the next bytes of an answer, and returns when the connection takes more.
    typealias StreamWriter = ([UInt8]) async throws -> Void

    /// An answer that `write` writes as fast as it is read; a reader that stalls for ``StreamLimits/stallMax`` is
    /// disconnected.
    func streamed(
        _ contentType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:],
        write: @escaping @Sendable (StreamWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            try await disconnectingStalled(&writer, write)
            try await writer.finish(nil)
        }
        return .uncached(body, contentType, status: status, headers: headers)
    }

    /// An answer of server-sent events, until `run` returns, or the reader leaves or stalls.
    /// - Parameter end: Called once when the stream has ended, for any reason.
    func stream(
        end: @escaping @Sendable () async -> Void = {}, run: @escaping @Sendable (StreamWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            channel.triggerUserOutboundEvent(WaitingCall(), promise: nil)
            state.streamReaderCount.add(1, ordering: .relaxed)
            defer { state.streamReaderCount.subtract(1, ordering: .relaxed) }
            do {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await disconnectingStalled(&writer, run)
                }
                await end()
                try await writer.finish(nil)
            } catch {
                await end()
                state.logger.debug("the reader of a stream left", metadata: ["path": "\(request.uri.path)"])
                throw error
            }
        }
        return .uncached(body, ServerSentEvent.contentType, headers: [.connection: "close"])
    }

    private func disconnectingStalled(
        _ writer: inout any ResponseBodyWriter, _ run: (StreamWriter) async throws -> Void
    ) async throws {
        let stalled = StalledReader(channel, after: state.streamLimits.stallMax)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await stalled.watch(state.logger) }
            defer { group.cancelAll() }
            try await run { bytes in
                try await stalled.timing { try await writer.write(ByteBuffer(bytes: bytes)) }
            }
        }
    }
}

extension Response {
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        bytes(value.encoded, "application/json", status: status)
    }

    /// The answer to a call that created what `location` leads to.
    static func created(_ value: JSONValue, at location: String) -> Response {
        bytes(value.encoded, "application/json", status: .created, headers: [.location: location])
    }

    /// The answer to a call that removed things: how many of each kind.
    static func removed(_ counts: KeyValuePairs<String, Int>) -> Response {
        .json(RemovedCounts(.object(counts.map { JSONMember($0.key, .whole($0.value)) })).json)
    }

    static func bytes(
        _ bytes: [UInt8], _ contentType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        uncached(ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)), contentType, status: status, headers: headers)
    }

    /// The answer to `HEAD`, with the length of the body that `GET` has; a stream of events has none.
    func head() async -> Response {
        var response = createHeadResponse()
        guard body.contentLength == nil, headers[.contentType] != ServerSentEvent.contentType else { return response }
        let counter = BodyCounter()
        do {
            try await body.write(counter)
            response.headers[.contentLength] = String(counter.count.load(ordering: .relaxed))
        } catch {
            return Problem(.unavailable, "the answer could not be written: \(error)").response.createHeadResponse()
        }
        return response
    }

    /// An answer that caches must not keep.
    static func uncached(
        _ body: ResponseBody, _ contentType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = contentType
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: body)
    }
}

/// Counts the bytes of a body.
private final class BodyCounter: ResponseBodyWriter {
    let count = Atomic(0)

    func write(_ buffer: ByteBuffer) async throws { count.add(buffer.readableBytes, ordering: .relaxed) }
    func finish(_: HTTPFields?) async throws {}
}
