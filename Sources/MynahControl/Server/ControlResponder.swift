internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahCore
internal import NIOCore

/// Answers requests: checks them with the gate, finds the route, and turns every error into a problem document.
struct ControlResponder: HTTPResponder {
    let gate: Gate
    let state: ControlState

    func respond(to request: Request, context: ControlContext) async throws -> Response {
        var response: Response
        do {
            response = try await answer(request, context.channel)
        } catch is CancellationError {
            // The caller left, or the grace of a shutdown is over, so this isn't read.
            response = Problem(.unavailable, "the call was cancelled").response
        } catch {
            response = Problem(answering: error)?.response ?? answer(to: error, of: request, context)
        }
        if request.method == .head { response = await response.head() }
        gate.protect(&response, request)
        state.logger.trace(
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
        // The caller left in the middle of its body, or sent it too slowly.
        guard context.channel.isActive else { return Problem(.unavailable, "the caller left").response }
        state.server.warnings.warn(
            "a control call failed: \(request.method) \(request.uri.path): \(error)", level: .error)
        return Problem(.internalError, "\(request.method) \(request.uri.path) failed: see the log").response
    }

    private func answer(_ request: Request, _ channel: any Channel) async throws -> Response {
        try gate.checkSource(request)
        let queryBytes = (request.uri.query ?? "").utf8.count
        guard queryBytes <= ListenerLimits.queryBytesMax else {
            throw Problem(
                .longQuery,
                "the query is too long: expected at most \(ListenerLimits.queryBytesMax) bytes; ask in several calls")
        }
        let (found, parameters) = RouteTable.all.find(request.uri.path)
        let methods = found.flatMap { $0.method == .get ? [.get, .head] : [$0.method] }
        if let preflight = gate.preflight(request, methods: methods) { return preflight }
        if found.isEmpty, let response = PageRoutes.leadingToAPI(request) { return response }
        if !found.contains(where: \.isOpen) { try gate.checkToken(request) }
        guard !found.isEmpty else {
            throw Problem(
                .notFound,
                "unknown path \"\(request.uri.path)\""
                    + Spelling.hint(request.uri.path, RouteTable.all.routes.map(\.path))
                    + "; /openapi.json lists all paths")
        }
        guard let route = found.first(where: { $0.accepts(request.method) }) else {
            let allowed = methods.map(\.rawValue)
            throw Problem(
                .methodNotAllowed, "\(request.uri.path) takes \(allowed.joined(separator: ", "))", allowed: allowed,
                headers: [.allow: allowed.joined(separator: ", ")])
        }
        guard route.isForRecorded || state.server.recorded == nil else {
            throw Problem(
                .conflict, route.method == .get ? "a recorded run has no \(route.path)" : Server.readOnlyProblem)
        }
        // So that a call sees what any server of a cluster answered before.
        if !route.isOfProcess { try await state.server.catchUp() }
        let call = try await Call(request, to: route, parameters: parameters, channel: channel, state: state)
        try call.checkBody(of: route)
        return try await route.handle(call)
    }
}

/// The context of a request: its connection, so that a stalled reader can be disconnected.
struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        self.channel = source.channel
    }
}
