internal import Mynah
internal import MynahCore
internal import ServiceLifecycle

/// Looks at the journal, again after every change, until it is as somebody wants it or their time is over.
///
/// Wall time throughout, so that a frozen clock never hangs a test.
struct JournalWait: Sendable {
    /// After a look, rest for as long as it took times this: looking never takes more than a third of the time.
    private static let restFactor = 2
    /// And for each entry that was read so long, that thousands of pushes a second are looked at in batches.
    private static let restPerEntry: Duration = .microseconds(20)
    /// The longest rest, the most that an answer may be late under load.
    private static let restMax: Duration = .milliseconds(250)
    /// A shorter rest is not worth a timer.
    private static let restMin: Duration = .milliseconds(1)

    /// What a look came to.
    enum Look: Sendable {
        /// Nothing more to wait for.
        case content
        /// Look again after the next change, and at this time if there is none; so many entries were read.
        case again(at: ContinuousClock.Instant?, readCount: Int)
    }

    let journal: JournalStore

    /// Calls `look` until it is content, or `deadline` is over, or the server shuts down; answers whether it was
    /// content.
    ///
    /// `look` is called at least once, and once more when the time is over.
    /// - Throws: `CancellationError` when the caller has gone; what `look` throws.
    func until(_ deadline: ContinuousClock.Instant, _ look: () async throws -> Look) async throws -> Bool {
        var isLast = false
        while true {
            let revision = journal.read { $0.revision }
            let started = ContinuousClock.now
            guard case .again(let next, let readCount) = try await look() else { return true }
            if isLast { return false }
            let finished = ContinuousClock.now
            let rest = min(
                (finished - started) * JournalWait.restFactor + JournalWait.restPerEntry * readCount,
                JournalWait.restMax)
            if rest >= JournalWait.restMin { try await sleep(until: min(finished + rest, deadline)) }
            let wakeUp = min(next ?? deadline, deadline)
            _ = await cancelWhenGracefulShutdown { [journal] in
                await journal.wait(.change(since: revision), until: wakeUp)
            }
            try Task.checkCancellation()
            isLast = ContinuousClock.now >= deadline || Task.isShuttingDownGracefully
        }
    }

    private func sleep(until instant: ContinuousClock.Instant) async throws {
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(until: instant, clock: .continuous) }
        } catch {
            // Only cancellation ends a sleep early: the caller's, which counts, or the server's shutdown.
            try Task.checkCancellation()
        }
    }
}
