package import APNsRules

/// The clocks of a server: its own, and those of scopes that were given one (`ControlAPI#Scopes`).
///
/// Trust and connections go by the server's; a device goes by its scope's, or the server's where that has none.
package struct ClockSet: Sendable, Equatable {
    /// The server's own.
    package private(set) var server: ClockState
    private var scopes: [String: ClockState] = [:]

    /// A server's clock, and no scope has another.
    package init(server: ClockState = ClockState()) {
        self.server = server
    }

    /// The clock of a scope's devices; of the server with `nil`.
    package subscript(scope: String?) -> ClockState {
        scope.flatMap { scopes[$0] } ?? server
    }

    /// Whether a scope has a clock of its own.
    package func hasClock(_ scope: String) -> Bool { scopes[scope] != nil }

    /// How many scopes have a clock of their own.
    package var scopeCount: Int { scopes.count }

    /// The time of a scope's devices, or the server's with `nil`, when the wall says `wall`.
    package func now(ofScope scope: String? = nil, wall: Instant) -> Instant {
        self[scope].now(wall: wall)
    }

    /// Changes the server's clock, or that of a scope, which has one of its own from then on.
    ///
    /// - Throws: what `change` throws; then nothing has changed.
    package mutating func change(
        ofScope scope: String?, _ change: (inout ClockState) throws(ClockState.Backwards) -> Void
    ) throws(ClockState.Backwards) {
        var clock = self[scope]
        try change(&clock)
        if let scope { scopes[scope] = clock } else { server = clock }
    }

    /// Puts a clock in place without asking whether that is backwards; for the start and for a reset.
    package mutating func replace(ofScope scope: String? = nil, by clock: ClockState) {
        if let scope { scopes[scope] = clock } else { server = clock }
    }

    /// Lets a scope go by the server's clock again.
    package mutating func forget(_ scope: String) { scopes[scope] = nil }

    /// Lets all scopes go by the server's clock again.
    package mutating func forgetScopes() { scopes = [:] }
}
