internal import MynahCore

/// Looks at the journal after every change until a condition holds or a real time is over, even if a clock is frozen.
package struct JournalWait: Sendable {
    /// The rest after a look as a multiple of its time, so that looking takes at most a third of the time.
    private static let restFactor = 2
    /// The rest for each entry that was read, so that thousands of pushes a second are looked at in batches.
    private static let restPerEntry: Duration = .microseconds(20)
    /// The longest rest, which is the longest delay of an answer under load.
    private static let restMax: Duration = .milliseconds(250)
    /// The shortest rest that is worth a timer.
    private static let restMin: Duration = .milliseconds(1)

    package enum Look: Sendable {
        case content
        /// Look again after the next change, or at this time; `readCount` entries were read.
        case again(at: ContinuousClock.Instant?, readCount: Int)
    }

    /// What may end a wait early, besides the task's cancellation.
    package struct Interruption: Sendable {
        let whileNone: @Sendable (@escaping @Sendable () async throws -> Void) async throws -> Void
        let hasCome: @Sendable () -> Bool

        /// `whileNone` runs an operation and cancels it when the interruption comes.
        package init(
            hasCome: @escaping @Sendable () -> Bool,
            whileNone: @escaping @Sendable (@escaping @Sendable () async throws -> Void) async throws -> Void
        ) {
            (self.hasCome, self.whileNone) = (hasCome, whileNone)
        }

        package static let none = Interruption(hasCome: { false }, whileNone: { try await $0() })
    }

    private let journal: JournalStore
    private let interruption: Interruption

    package init(journal: JournalStore, interruption: Interruption = .none) {
        (self.journal, self.interruption) = (journal, interruption)
    }

    /// Calls `look` until it is content, and once more after the deadline or an interruption; returns whether it was.
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
            // Cancelled by the caller, which is an error, or by the interruption.
            try Task.checkCancellation()
        }
    }
}
