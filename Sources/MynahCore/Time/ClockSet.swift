package import APNsRules

/// The clocks of a server: its own, and the clocks of scopes that were given one, which only their devices use
/// (`ControlAPI#Scopes`).
package struct ClockSet: Sendable, Equatable {
    package private(set) var server: ClockState
    private var scopes: [String: ClockState] = [:]
    /// The clock of a scope's devices; `nil` for the server's.
    package subscript(scope: String?) -> ClockState { scope.flatMap { scopes[$0] } ?? server }
    package func hasClock(_ scope: String) -> Bool { scopes[scope] != nil }
    package var scopeCount: Int { scopes.count }
    /// The time of a scope's devices, or with `nil` the server's, when the wall clock reads `wall`.
    package func now(ofScope scope: String? = nil, wall: Instant) -> Instant { self[scope].now(wall: wall) }

    /// Changes the server's clock, or the clock of a scope, which has its own from then on; changes nothing if `change`
    /// throws.
    package mutating func change(
        ofScope scope: String?, _ change: (inout ClockState) throws(InputError) -> Void
    ) throws(InputError) {
        var clock = self[scope]
        try change(&clock)
        replace(ofScope: scope, by: clock)
    }

    /// Replaces a clock even if that sets it back; for the start and for a reset.
    package mutating func replace(ofScope scope: String? = nil, by clock: ClockState) {
        if let scope { scopes[scope] = clock } else { server = clock }
    }

    /// Lets a scope use the server's clock again.
    package mutating func forget(_ scope: String) { scopes[scope] = nil }
}

extension ClockSet {
    package init(server: ClockState = ClockState()) { self.server = server }
}

extension ClockSet: ByteRecord {
    package static let members = ByteMembers(ClockSet.init) { ($0.server, $0.scopes) }
}
