internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahCore

/// `POST /v1/expectations`: waits for pushes and says whether they came; checks, stubs nothing.
struct ExpectationRoutes {
    /// How much longer than `within` and `settle` a check may take under load before it is given up.
    private static let slack: Duration = .seconds(10)

    let state: ControlState

    var routes: [Route] {
        [Route(.post, "/v1/expectations") { [state] in try await ExpectationRoutes.expect($0, state) }]
    }

    private static func expect(_ call: Call, _ state: ControlState) async throws -> Response {
        try call.checkNoQuery()
        let expectation = try parse(RequestDocument(call.body))
        let started = ContinuousClock.now
        return try await call.whileCallerStays(state.logger) {
            try await check(expectation, since: started, state.server.journal)
        }
    }

    private static func parse(_ document: RequestDocument) throws(Problem) -> Expectation {
        do {
            return try Expectation(json: .object(document.members))
        } catch {
            throw Problem(error, .invalidField)
        }
    }

    private static func check(
        _ expectation: Expectation, since started: ContinuousClock.Instant, _ journal: JournalStore
    ) async throws -> Response {
        var run = ExpectationRun(expectation)
        let (concerns, counts) = (expectation.concerns, expectation.mayCount)
        var follower = JournalFollower(journal, after: expectation.after) { entry -> PushView? in
            guard concerns(entry) else { return nil }
            let view = PushView(entry)
            return counts(view) ? view : nil
        }
        var verdict: ExpectationRun.Verdict?
        let deadline = started + expectation.within + expectation.settle + slack
        let isDecided = try await JournalWait(journal: journal).until(deadline) {
            // Taken before the journal is read: a verdict on so much time has then seen all pushes of it.
            let elapsed = ContinuousClock.now - started
            let readCount = try follower.look(through: await journal.settled())
            let found = run.evaluate(follower.kept.map(\.value), elapsed: elapsed)
            verdict = found
            guard case .undecided(let next) = found else { return .content }
            return .again(at: started + next, readCount: readCount)
        }
        guard isDecided, let verdict else {
            throw Problem(.unavailable, "the server shuts down, or is too busy to check the expectation in time")
        }
        return try await answer(run, verdict, JournalReader(journal: journal))
    }

    private static func answer(
        _ run: ExpectationRun, _ verdict: ExpectationRun.Verdict, _ reader: JournalReader
    ) async throws -> Response {
        let last = await reader.journal.settled()
        // From the beginning and of all scopes where it is unmet, because a hint may be that they came before `after`
        // or to somebody else's token.
        let views =
            verdict == .met
            ? try reader.views(after: run.expectation.after, through: last, where: run.expectation.concerns)
            : try reader.views(after: 0, through: last)
        let counters = reader.journal.read { $0.counters }
        let answer = run.answer(verdict, views, .init(evictedThrough: counters.evictedThrough))
        return .json(
            .object(
                (answer.object ?? []) + [
                    JSONMember("evicted", .number(JSONNumber(counters.evicted))),
                    JSONMember("lastSequence", .number(JSONNumber(last))),
                ]))
    }
}
