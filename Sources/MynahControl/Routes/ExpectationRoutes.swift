internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `POST /v1/expectations`: waits for pushes and reports whether they came; it changes nothing.
enum ExpectationRoutes {
    static let routes: [Route] = [
        Route(
            .post, "/v1/expectations", "expect", "Wait for pushes and report whether they came",
            details: """
                Changes nothing. Met when count.min pushes match and settle has then passed without exceeding \
                count.max; unmet when count.max is exceeded or within is over. All times are wall time.
                """,
            body: .required("Expectation"), answers: [.ok("Met or not.", "ExpectationResult")]
        ) { call in
            let expectation = try await WorkThreads.run { try Expectation(json: .object(call.document().members)) }
            let started = ContinuousClock.now
            return try await call.whileCallerStays {
                let answer = try await call.server.check(
                    expectation, since: started, interruption: .gracefulShutdown)
                guard let answer else {
                    throw Problem(
                        .unavailable, "the expectation was not checked: the server is shutting down or overloaded")
                }
                return .json(answer.document)
            }
        }
    ]
}
