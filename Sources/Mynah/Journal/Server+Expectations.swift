package import APNsRules
package import MynahCore

/// What checking an expectation came to.
package struct ExpectationAnswer: Sendable {
    /// Whether it is met.
    package let isMet: Bool
    /// The pushes that match, in the order of their numbers.
    package let matching: [PushView]
    /// The answer as the control API gives it (`Documents#Expectations`).
    package let document: JSONValue
}

/// Expectations (`ControlAPI#Endpoints`): they check, and stub nothing.
extension Server {
    /// How much longer than `within` and `settle` a check may take under load before it is given up.
    private static let expectationSlack: Duration = .seconds(10)

    /// Waits until an expectation is met or cannot be met any more; wall time throughout.
    ///
    /// - Parameters:
    ///   - expectation: What is expected.
    ///   - started: When its time began.
    ///   - interruption: What may end the wait before its time.
    /// - Returns: `nil` when nothing was decided: by an interruption, or because the server is too busy to look.
    /// - Throws: `CancellationError` when the task is cancelled.
    package func check(
        _ expectation: Expectation, since started: ContinuousClock.Instant = .now,
        interruption: JournalWait.Interruption = .none
    ) async throws -> ExpectationAnswer? {
        var run = ExpectationRun(expectation)
        let mayCount = expectation.mayCount
        var follower = JournalFollower(
            journal, after: expectation.after, filter: expectation.commonFilter
        ) { entry in
            let view = PushView(entry)
            return mayCount(view) ? view : nil
        }
        var verdict: ExpectationRun.Verdict?
        let deadline = started + expectation.within + expectation.settle + Server.expectationSlack
        let isDecided = try await JournalWait(journal: journal, interruption: interruption).until(deadline) {
            // Taken before the journal is read: a verdict on so much time has then seen all pushes of it.
            let elapsed = ContinuousClock.now - started
            let readCount = try await follower.look(through: await journal.settled())
            let found = try await run.evaluate(follower.kept.map(\.value), elapsed: elapsed)
            verdict = found
            guard case .undecided(let next) = found else { return .content }
            return .again(at: started + next, readCount: readCount)
        }
        guard isDecided, let verdict else { return nil }
        return try await answer(run, verdict, JournalReader(journal: journal))
    }

    private func answer(
        _ run: ExpectationRun, _ verdict: ExpectationRun.Verdict, _ reader: JournalReader
    ) async throws -> ExpectationAnswer {
        let last = await journal.settled()
        // From the beginning and of all scopes where it is unmet, because a hint may be that they came before `after`
        // or to somebody else's token.
        let views =
            verdict == .met
            ? try await reader.views(
                after: run.expectation.after, through: last, mayPass: EntryPrefilter(run.expectation.commonFilter))
            : try await reader.views(after: 0, through: last)
        let counters = journal.read { $0.counters }
        let answer = try await run.answer(verdict, views, evictedThrough: counters.evictedThrough)
        return ExpectationAnswer(
            isMet: verdict == .met, matching: try await run.matching(views),
            document: .object(
                (answer.object ?? []) + [
                    JSONMember("evicted", .number(JSONNumber(counters.evicted))),
                    JSONMember("lastSequence", .number(JSONNumber(last))),
                ]))
    }
}
