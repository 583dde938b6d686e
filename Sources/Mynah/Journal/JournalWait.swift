internal import MynahCore

/// Looks at the journal after every change until a condition holds or a real time is over, even if a clock is frozen.
package struct JournalWait: Sendable {
    /// The pause after a look as a multiple of its time, so that looking takes at most a third of the time.
    private static let pauseFactor = 2
    /// The pause for each entry that was read, so that thousands of pushes a second are read in batches.
    private static let pausePerEntry: Duration = .microseconds(20)
    /// The longest pause, which is the longest delay of an answer under load.
    private static let pauseMax: Duration = .milliseconds(250)
    /// The shortest pause that is worth a timer.
    private static let pauseMin: Duration = .milliseconds(1)

    package enum Look: Sendable {
        case done
        /// Look again after the next change, or at this time; `readCount` entries were read.
        case again(at: ContinuousClock.Instant?, readCount: Int)
    }

    /// What may end a wait early, besides the task's cancellation.
    package struct Interruption: Sendable {
        let runUntil: @Sendable (@escaping @Sendable () async throws -> Void) async throws -> Void
        let hasOccurred: @Sendable () -> Bool

        /// `runUntil` runs an operation and cancels it when the interruption occurs.
        package init(
            hasOccurred: @escaping @Sendable () -> Bool,
            runUntil: @escaping @Sendable (@escaping @Sendable () async throws -> Void) async throws -> Void
        ) {
            self.hasOccurred = hasOccurred
            self.runUntil = runUntil
        }

        package static let none = Interruption(hasOccurred: { false }, runUntil: { try await $0() })
    }

    private let journal: JournalStore
    private let interruption: Interruption

    package init(journal: JournalStore, interruption: Interruption = .none) {
        self.journal = journal
        self.interruption = interruption
    }

    /// Calls `look` until it returns `done`, once more after the deadline or an interruption; returns whether it did.
    package func until(_ deadline: ContinuousClock.Instant, _ look: () async throws -> Look) async throws -> Bool {
        var isLast = false
        while true {
            let revision = journal.read { $0.revision }
            let started = ContinuousClock.now
            guard case .again(let next, let readCount) = try await look() else { return true }
            if isLast { return false }
            let finished = ContinuousClock.now
            let pause = min(
                (finished - started) * JournalWait.pauseFactor + JournalWait.pausePerEntry * readCount,
                JournalWait.pauseMax)
            if pause >= JournalWait.pauseMin { try await sleep(until: min(finished + pause, deadline)) }
            let wakeUp = min(next ?? deadline, deadline)
            try await interruption.runUntil { [journal] in
                _ = await journal.wait(.change(since: revision), until: wakeUp)
            }
            try Task.checkCancellation()
            isLast = ContinuousClock.now >= deadline || interruption.hasOccurred()
        }
    }

    private func sleep(until instant: ContinuousClock.Instant) async throws {
        do {
            try await interruption.runUntil { try await Task.sleep(until: instant, clock: .continuous) }
        } catch {
            // Cancelled by the caller, which is an error, or by the interruption.
            try Task.checkCancellation()
        }
    }
}
