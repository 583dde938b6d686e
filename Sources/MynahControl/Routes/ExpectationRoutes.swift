internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahCore

/// `POST /v1/expectations`: waits for pushes and says whether they came; checks, stubs nothing.
struct ExpectationRoutes {
    let state: ControlState

    var routes: [Route] {
        [Route(.post, "/v1/expectations") { [state] in try await ExpectationRoutes.expect($0, state) }]
    }

    private static func expect(_ call: Call, _ state: ControlState) async throws -> Response {
        try call.checkNoQuery()
        let expectation = try parse(RequestDocument(call.body))
        let started = ContinuousClock.now
        return try await call.whileCallerStays(state.logger) {
            let answer = try await state.server.check(
                expectation, since: started, interruption: .gracefulShutdown)
            guard let answer else {
                throw Problem(.unavailable, "the server shuts down, or is too busy to check the expectation in time")
            }
            return .json(answer.document)
        }
    }

    private static func parse(_ document: RequestDocument) throws(Problem) -> Expectation {
        do {
            return try Expectation(json: .object(document.members))
        } catch {
            throw Problem(error)
        }
    }
}
