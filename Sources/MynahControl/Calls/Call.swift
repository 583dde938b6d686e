internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahCore
internal import NIOCore
internal import NIOHTTPTypes

/// A request as its route's handler sees it.
struct Call: Sendable {
    let request: Request
    /// The named parts of the path, still percent-encoded.
    let parameters: [String: String]
    /// The parameters of the URL; those that the route doesn't declare have been refused.
    let query: QueryString
    /// The whole body.
    let body: [UInt8]
    let channel: any Channel
    let state: ControlState
    private let mayBodyBeEmpty: Bool

    /// Reads the body of a request, and checks its query.
    ///
    /// The body is read before the handler runs: a handler that waits could not notice that the caller has gone
    /// while there is body left to read.
    /// - Throws: ``Problem`` when the body is larger than ``RequestDocument/bytesMax``, or for a wrong query.
    init(
        _ request: Request, to route: Route, parameters: [String: String], channel: any Channel, state: ControlState
    ) async throws {
        let bytesMax = RequestDocument.bytesMax
        let tooLarge = Problem(.tooLarge, "the body is too large: expected at most \(bytesMax) bytes")
        if let text = request.headers[.contentLength], let count = Int(text), count > bytesMax { throw tooLarge }
        var request = request
        if request.headers[.expect]?.lowercased() == "100-continue" {
            // The caller sends its body only after this.
            try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
        }
        do {
            // Kept in the request as well, where the watch for the connection's end looks for it.
            body = Array(try await request.collectBody(upTo: bytesMax).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
        self.query = try route.query(request.uri.query ?? "")
        self.request = request
        self.parameters = parameters
        self.channel = channel
        self.state = state
        self.mayBodyBeEmpty = route.body?.isRequired == false
    }

    var server: Server { state.server }

    /// The body as a JSON object; an empty body is an empty object where the route says that it needs no body.
    func document() throws(Problem) -> RequestDocument {
        try RequestDocument(body, mayBeEmpty: mayBodyBeEmpty)
    }

    /// The body as a JSON object with the members of a schema.
    func reader(_ schema: Schema) throws(Problem) -> ObjectReader {
        try RequestDocument.reader(body, mayBeEmpty: mayBodyBeEmpty, schema)
    }

    /// A named part of the path, percent-decoded.
    func pathText(_ name: String) throws(Problem) -> String {
        try PathText.decoded(parameters[name] ?? "", field: name)
    }

    /// A named part of the path that is a whole number of at least `minimum`, such as "a sequence number".
    func pathNumber(_ name: String, _ what: String, from minimum: UInt64 = 0) throws(Problem) -> UInt64 {
        let text = try pathText(name)
        guard let number = UInt64(text), number >= minimum else {
            throw Problem(
                .invalidParameter, "invalid \(name) \(text): expected \(what), a whole number from \(minimum)",
                field: name)
        }
        return number
    }

    /// Whether the caller wants a list as JSON lines.
    var wantsLines: Bool {
        request.headers[values: .accept].contains { $0.lowercased().contains("application/x-ndjson") }
    }

    /// Runs an operation that may take long, and cancels it when the caller closes the connection.
    ///
    /// Watching for the close uses the connection up, so it is closed after the answer.
    func whileCallerStays(_ operation: @Sendable () async throws -> Response) async throws -> Response {
        state.logger.debug("a control call waits", metadata: ["path": "\(request.uri.path)"])
        var response: Response
        do {
            response = try await request.body.consumeWithCancellationOnInboundClose { _ in
                do {
                    return try await operation()
                } catch {
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

extension RequestDocument {
    /// The members of a document with the ID that the path names, which the document may repeat.
    func members(withID id: String) throws(Problem) -> [JSONMember] {
        if let given = self["id"], given.string != id {
            throw Problem(
                .invalidField, "id \(given.encodedText) differs from the path's \(id): leave it out", field: "/id",
                allowed: [id])
        }
        return [JSONMember("id", .string(id))] + members.filter { $0.name != "id" }
    }
}
