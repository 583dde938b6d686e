package import APNsRules

/// Whether the user saw a push, and why.
package struct ShownOutcome: Sendable, Equatable {
    /// Whether there is something on the screen.
    package let isShown: Bool
    /// Whether a service extension still runs, so that ``at`` is to come and another outcome follows.
    package let isAwaited: Bool
    /// When: later than the delivery if a service extension runs.
    package let at: Instant
    /// Why, or how, for people.
    package let reason: String
    /// What in payload, app or strings is not as it should be.
    package let warnings: [String]
    /// What is seen, heard and counted; absent if nothing is presented, or not yet.
    let presentation: Boxed<Presentation>

    package init(
        isShown: Bool, isAwaited: Bool = false, at: Instant, reason: String, warnings: [String] = [],
        presentation: Presentation? = nil
    ) {
        self.isShown = isShown
        self.isAwaited = isAwaited
        self.at = at
        self.reason = reason
        self.warnings = warnings
        self.presentation = Boxed(presentation)
    }
}
