internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import NIOCore

/// Answers a request: gate, route, and every error as a problem document.
struct ControlResponder: HTTPResponder {
    typealias Context = ControlContext

    let gate: Gate
    let routes: RouteTable
    let readers: StreamReaderCount
    let streamLimits: StreamLimits
    let warnings: ClientWarnings
    let logger: Logger

    func respond(to request: Request, context: ControlContext) async throws -> Response {
        var response: Response
        do {
            response = try await answer(request, context.channel)
        } catch let problem as Problem {
            response = problem.response
        } catch is CancellationError {
            // The client went away, or the server shuts down and its time is over: nobody reads this.
            response = Problem(.unavailable, "the call was cancelled").response
        } catch {
            response = answer(to: error, of: request, context)
        }
        gate.protect(&response, request)
        logger.trace(
            "control call",
            metadata: ["call": "\(request.method) \(request.uri.path)", "status": "\(response.status.code)"])
        return response
    }

    private func answer(to error: any Error, of request: Request, _ context: ControlContext) -> Response {
        if let problem = Problem(requestError: error) {
            var response = problem.response
            // Where the next request would begin is unknown.
            response.headers[.connection] = "close"
            return response
        }
        // It went away in the middle of its body, or was too slow with it.
        guard context.channel.isActive else { return Problem(.unavailable, "the caller has gone").response }
        warnings.warn(
            "a control call failed: \(request.method) \(request.uri.path): \(error)", level: .error)
        return Problem(.internalError, "\(request.method) \(request.uri.path) failed; see the log").response
    }

    private func answer(_ request: Request, _ channel: any Channel) async throws -> Response {
        try gate.checkSource(request)
        try checkLength(request.uri.query ?? "")
        let (found, parameters) = routes.find(request.uri.path)
        let methods = found.map(\.method)
        if let preflight = gate.preflight(request, methods: methods) { return preflight }
        if !found.contains(where: \.isOpen) { try gate.checkToken(request) }
        guard !found.isEmpty else {
            throw Problem(
                .notFound,
                "\(request.uri.path) is no path of this server"
                    + NearestName.suggestion(for: request.uri.path, among: routes.routes.map(\.path))
                    + "; /openapi.json lists them")
        }
        guard let route = found.first(where: { $0.method == request.method }) else {
            let allowed = methods.map(\.rawValue)
            throw Problem(
                .methodNotAllowed, "\(request.uri.path) takes \(allowed.joined(separator: ", "))", allowed: allowed,
                headers: [.allow: allowed.joined(separator: ", ")])
        }
        return readers.counting(
            try await route.handle(
                Call(request, parameters: parameters, channel: channel, streamLimits: streamLimits, logger: logger)))
    }

    private func checkLength(_ query: String) throws(Problem) {
        guard query.utf8.count > ListenerLimits.queryBytesMax else { return }
        throw Problem(
            .longQuery,
            "the query has \(query.utf8.count) bytes; at most \(ListenerLimits.queryBytesMax), and a longer list of "
                + "conditions can be asked for in parts")
    }
}

/// What is kept of a request beside itself: its connection, so that a reader who takes nothing can be cut off.
struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        self.channel = source.channel
    }
}
