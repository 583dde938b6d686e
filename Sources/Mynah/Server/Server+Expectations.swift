internal import APNsRules
package import MynahCore

/// Expectations (`ControlAPI#Endpoints`).
extension Server {
    /// How much longer than `within` and `settle` a check may take under load.
    private static let expectationSlack: Duration = .seconds(10)

    /// Waits in real time until an expectation is decided; `nil` after an interruption, or if the server is too busy.
    package func check(
        _ expectation: Expectation, since started: ContinuousClock.Instant = .now,
        interruption: JournalWait.Interruption = .none
    ) async throws -> ExpectationAnswer? {
        try checkIssued(expectation.after, at: "/after")
        var run = ExpectationRun(expectation)
        let mayCount = expectation.mayCount
        var follower = JournalFollower(journal, after: expectation.after, filter: expectation.commonFilter) { entry in
            let view = PushView(entry)
            return mayCount(view) ? view : nil
        }
        var verdict: ExpectationRun.Verdict?
        var judged: Int?
        let deadline = started + expectation.within + expectation.settle + Server.expectationSlack
        let isDecided = try await JournalWait(journal: journal, interruption: interruption).until(deadline) {
            // Before reading the journal, so that the verdict has seen all pushes of that time.
            var elapsed = ContinuousClock.now - started
            let readCount = try await follower.readChanges(through: await journal.settled())
            var found = try await run.evaluate(
                follower.kept.map(\.value), isChanged: follower.revision != judged, elapsed: elapsed)
            judged = follower.revision
            while recorded != nil, case .undecided(let next) = found {
                // No push can arrive any more, so the rest of the time need not be waited for.
                elapsed = max(elapsed, next)
                found = try await run.evaluate(follower.kept.map(\.value), isChanged: false, elapsed: elapsed)
            }
            verdict = found
            guard case .undecided(let next) = found else { return .done }
            return .again(at: started + next, readCount: readCount)
        }
        guard isDecided, let verdict else { return nil }
        return try await makeAnswer(of: run, verdict: verdict)
    }

    /// The lengths of the device tokens that pushes in the journal may have, in bytes; a kept run may be of other settings.
    package var knownTokenByteCounts: ClosedRange<Int> {
        settings.dataDirectory == nil && recorded == nil && !isShared
            ? settings.rules.tokenByteCounts : DeviceToken.anyByteCounts
    }

    /// Refuses a sequence number that this server hasn't given out: nothing can be seen to come after it.
    ///
    /// In a shared order, numbers may have been given out that this server doesn't know yet.
    package func checkIssued(_ sequence: UInt64, at field: String) throws(InputError) {
        let last = journal.lastIssued
        guard !isShared, sequence > last else { return }
        throw InputError(
            at: field,
            "\(sequence) is beyond the newest sequence number, \(last): expected one of this server since its start, such as "
                + "lastSequence of a list")
    }

    private func makeAnswer(
        of run: ExpectationRun, verdict: ExpectationRun.Verdict
    ) async throws -> ExpectationAnswer {
        let last = await journal.settled()
        guard var finding = run.finding else { preconditionFailure("a verdict without an evaluation") }
        if verdict != .met {
            for search in finding.searches {
                finding.add(
                    try await journal.newest(
                        search.count, after: search.after, through: min(search.last, last),
                        mayPass: search.prefilter))
            }
        }
        return try await finding.makeAnswer(
            verdict, journal.read { $0.counters }, lastSequence: last,
            absentDevices: run.expectation.namedDevices.filter { !fleet.has($0) })
    }
}
