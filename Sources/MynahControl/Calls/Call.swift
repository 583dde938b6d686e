internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes

/// A request as its route sees it.
struct Call: Sendable {
    let request: Request
    /// The parts of the path that the route names.
    let parameters: [String: String]
    /// The whole body.
    let body: [UInt8]
    /// The connection that it came on.
    let channel: any Channel
    /// How long an answer may wait for its reader.
    let streamLimits: StreamLimits
    let logger: Logger

    /// A request, once its body is there.
    ///
    /// Every call's body is read before its route is asked: a route that waits could not tell that the caller has
    /// gone while there is body left to read.
    /// - Throws: ``Problem`` when the body is larger than ``RequestDocument/bytesMax``.
    init(
        _ request: Request, parameters: [String: String], channel: any Channel, streamLimits: StreamLimits,
        logger: Logger
    ) async throws {
        let bytesMax = RequestDocument.bytesMax
        let tooLarge = Problem(.tooLarge, "the body is larger than \(bytesMax) bytes, the most that a call may carry")
        if let text = request.headers[.contentLength], let count = Int(text), count > bytesMax { throw tooLarge }
        var request = request
        if request.headers[.expect]?.lowercased() == "100-continue" {
            // A caller that expects it holds its body back until then.
            try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
        }
        do {
            // Kept in the request as well, where the watch for the connection's end looks for it.
            body = Array(try await request.collectBody(upTo: bytesMax).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
        self.request = request
        self.parameters = parameters
        self.channel = channel
        self.streamLimits = streamLimits
        self.logger = logger
    }

    /// The parameters of the URL.
    func query() throws(Problem) -> QueryString {
        try QueryString(request.uri.query ?? "")
    }

    /// Refuses every parameter.
    func checkNoQuery() throws(Problem) {
        try query().finish(known: [])
    }

    /// Whether the caller wants a list as JSON lines.
    var wantsLines: Bool {
        request.headers[values: .accept].contains { $0.lowercased().contains("application/x-ndjson") }
    }
}

extension Response {
    /// An answer in JSON.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        bytes(value.encoded, "application/json", status: status)
    }

    /// An answer of any type that caches must not keep.
    static func bytes(
        _ bytes: [UInt8], _ contentType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        uncached(ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)), contentType, status: status, headers: headers)
    }

    /// An answer of any type that caches must not keep.
    static func uncached(
        _ body: ResponseBody, _ contentType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = contentType
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: body)
    }
}

extension Call {
    /// Runs something that may take long, and cancels it when the caller closes the connection.
    ///
    /// Watching for the close uses the connection up, so it is closed after the answer.
    func whileCallerStays(
        _ logger: Logger, _ operation: @Sendable () async throws -> Response
    ) async throws -> Response {
        logger.debug("a control call waits", metadata: ["path": "\(request.uri.path)"])
        var response: Response
        do {
            response = try await request.body.consumeWithCancellationOnInboundClose { _ in
                do {
                    return try await operation()
                } catch let problem as Problem {
                    return problem.response
                }
            }
        } catch is CancellationError {
            logger.debug("the caller of a waiting control call has gone", metadata: ["path": "\(request.uri.path)"])
            throw CancellationError()
        }
        response.headers[.connection] = "close"
        return response
    }
}
