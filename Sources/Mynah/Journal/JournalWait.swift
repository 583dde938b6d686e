internal import MynahCore

/// Looks at the journal, again after every change, until it is as somebody wants it or their time is over.
///
/// Wall time throughout, so that a frozen clock never hangs a test.
package struct JournalWait: Sendable {
    /// After a look, rest for as long as it took times this: looking never takes more than a third of the time.
    private static let restFactor = 2
    /// And for each entry that was read so long, that thousands of pushes a second are looked at in batches.
    private static let restPerEntry: Duration = .microseconds(20)
    /// The longest rest, the most that an answer may be late under load.
    private static let restMax: Duration = .milliseconds(250)
    /// A shorter rest is not worth a timer.
    private static let restMin: Duration = .milliseconds(1)

    /// What a look came to.
    package enum Look: Sendable {
        /// Nothing more to wait for.
        case content
        /// Look again after the next change, and at this time if there is none; so many entries were read.
        case again(at: ContinuousClock.Instant?, readCount: Int)
    }

    /// What may end a wait before its time, beside the task's cancellation.
    package struct Interruption: Sendable {
        /// Does something, and cancels it when the interruption comes.
        let whileNone: @Sendable (@escaping @Sendable () async throws -> Void) async throws -> Void
        /// Whether it has come.
        let hasCome: @Sendable () -> Bool

        /// An interruption.
        ///
        /// - Parameters:
        ///   - hasCome: Whether it has come, asked by the task that waits.
        ///   - whileNone: Does what it is given, and cancels that when the interruption comes.
        package init(
            hasCome: @escaping @Sendable () -> Bool,
            whileNone: @escaping @Sendable (@escaping @Sendable () async throws -> Void) async throws -> Void
        ) {
            self.hasCome = hasCome
            self.whileNone = whileNone
        }

        /// None ever comes.
        package static let none = Interruption(hasCome: { false }, whileNone: { try await $0() })
    }

    private let journal: JournalStore
    private let interruption: Interruption

    /// Waits on a journal.
    package init(journal: JournalStore, interruption: Interruption = .none) {
        self.journal = journal
        self.interruption = interruption
    }

    /// Calls `look` until it is content, or `deadline` is over, or an interruption comes; answers whether it was
    /// content.
    ///
    /// `look` is called at least once, and once more when the time is over.
    /// - Throws: `CancellationError` when the caller has gone; what `look` throws.
    package func until(_ deadline: ContinuousClock.Instant, _ look: () async throws -> Look) async throws -> Bool {
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
            try await interruption.whileNone { [journal] in
                _ = await journal.wait(.change(since: revision), until: wakeUp)
            }
            try Task.checkCancellation()
            isLast = ContinuousClock.now >= deadline || interruption.hasCome()
        }
    }

    private func sleep(until instant: ContinuousClock.Instant) async throws {
        do {
            try await interruption.whileNone { try await Task.sleep(until: instant, clock: .continuous) }
        } catch {
            // Only cancellation ends a sleep early: the caller's, which counts, or the interruption.
            try Task.checkCancellation()
        }
    }
}
