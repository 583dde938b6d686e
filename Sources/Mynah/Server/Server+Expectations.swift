package import APNsRules
package import MynahCore

package struct ExpectationAnswer: Sendable {
    package let isMet: Bool
    package let matching: [PushView]
    /// The answer as the control API gives it (`Documents#Expectations`).
    package let document: JSONValue
}

/// Expectations (`ControlAPI#Endpoints`).
extension Server {
    /// How much longer than `within` and `settle` a check may take under load.
    private static let expectationSlack: Duration = .seconds(10)

    /// Waits in real time until an expectation is decided; `nil` after an interruption, or if the server is too busy.
    package func check(
        _ expectation: Expectation, since started: ContinuousClock.Instant = .now,
        interruption: JournalWait.Interruption = .none
    ) async throws -> ExpectationAnswer? {
        var run = ExpectationRun(expectation)
        let mayCount = expectation.mayCount
        var follower = JournalFollower(journal, after: expectation.after, filter: expectation.commonFilter) { entry in
            let view = PushView(entry)
            return mayCount(view) ? view : nil
        }
        var verdict: ExpectationRun.Verdict?
        let deadline = started + expectation.within + expectation.settle + Server.expectationSlack
        let isDecided = try await JournalWait(journal: journal, interruption: interruption).until(deadline) {
            // Before reading the journal, so that the verdict has seen all pushes of that time.
            var elapsed = ContinuousClock.now - started
            let readCount = try await follower.look(through: await journal.settled())
            var found = try await run.evaluate(follower.kept.map(\.value), elapsed: elapsed)
            while recorded != nil, case .undecided(let next) = found {
                // Nothing comes, so that the time may as well be over.
                elapsed = max(elapsed, next)
                found = try await run.evaluate(follower.kept.map(\.value), elapsed: elapsed)
            }
            verdict = found
            guard case .undecided(let next) = found else { return .done }
            return .again(at: started + next, readCount: readCount)
        }
        guard isDecided, let verdict else { return nil }
        return try await answer(of: run, verdict: verdict)
    }

    private func answer(of run: ExpectationRun, verdict: ExpectationRun.Verdict) async throws -> ExpectationAnswer {
        let last = await journal.settled()
        // All pushes if it is unmet, because a hint may be that they came before `after` or to another scope's token.
        let filter = verdict == .met ? run.expectation.commonFilter : Filter()
        let views = try await journal.views(
            after: verdict == .met ? run.expectation.after : 0, through: last, mayPass: EntryPrefilter(filter))
        let counters = journal.read { $0.counters }
        let answer = try await run.answer(verdict, views, evictedThrough: counters.evictedThrough)
        return ExpectationAnswer(
            isMet: verdict == .met, matching: try await run.matching(views),
            document: .object(
                (answer.object ?? []) + [
                    JSONMember("evicted", .whole(counters.evicted)), JSONMember("lastSequence", .whole(last)),
                ]))
    }
}
