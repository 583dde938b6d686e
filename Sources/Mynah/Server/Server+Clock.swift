public import APNsRules
package import MynahCore
internal import Synchronization

/// The result of a change of a clock (`Documents#Clock`).
public struct ClockReport: Hashable, Sendable {
    package let mode: ClockState.Mode
    /// The clock's time after the change.
    public let now: Instant
    /// The last sequence number by then.
    public let lastSequence: UInt64
    /// The number of pushes that were delivered by it.
    public let delivered: Int
    /// The number of pushes that expired by the change.
    public let expired: Int
    /// The number of pushes that a newer one with the same collapse id replaced.
    public let coalesced: Int

    package var json: JSONValue { .object(ClockReport.fields.members(of: self)) }

    package static let fields: Fields<ClockReport> =
        ClockReading.fields.shown { ClockReading(mode: $0.mode, now: $0.now) } + [
            Field(shown: "lastSequence", .whole, "The last sequence number that was given out.") {
                .whole($0.lastSequence)
            },
            Field(shown: "delivered", .whole, "How many pushes were delivered because of it.") {
                .whole($0.delivered)
            },
            Field(shown: "expired", .whole, "How many pushes expired because of it.") { .whole($0.expired) },
            Field(shown: "coalesced", .whole, "How many stored pushes newer ones replaced meanwhile.") {
                .whole($0.coalesced)
            },
        ]
}

/// The clocks: the server's, for trust and connections, and the clocks of scopes, for devices. Each change returns when
/// everything that falls due by it is done, on every loop and every device.
extension Server {
    /// The time of the server's clock.
    public var now: Instant {
        simulation.devices.currentClocks.now(wall: wall)
    }

    /// The system's time by which the next push is received: in a shared order that of its last change.
    private var wall: Instant {
        let isKept = order != nil && !isShared
        return isKept ? WallClock.now() : simulation.wall.now
    }

    /// The mode and time of a scope's clock, which is the server's with `nil` or if the scope has none of its own.
    package func clock(ofScope scope: String? = nil) -> ClockReading {
        let clocks = simulation.devices.currentClocks
        return ClockReading(mode: clocks[scope].mode, now: clocks.now(ofScope: scope, wall: wall))
    }

    /// Changes the server's clock, or the clock of a scope, which has one of its own from then on.
    /// - Throws: ``InputError`` of the kind `backwards`, and then nothing has changed.
    package func changeClock(
        ofScope scope: String? = nil, _ change: ClockState.Change
    ) async throws -> ClockReport {
        try await report(ofScope: scope, try await perform(ChangeClock(scope: scope, change: change)))
    }

    /// Advances a clock to the next time at which something is due on it: on a device or, on the server's, in a scenario
    /// or on a connection.
    package func advanceClockToNext(ofScope scope: String? = nil) async throws -> ClockReport? {
        await look()
        var next = simulation.nextDue(ofScope: scope)
        if scope == nil {
            for due in try await loops.ask({ $0.earliestDue }) { if let due { next = min(next ?? due, due) } }
        }
        guard let next else { return nil }
        return try await changeClock(ofScope: scope, .reach(next))
    }

    /// Lets a clock follow the system's again, even if that puts it back; what waits for a time then waits longer.
    package func setClockReal(ofScope scope: String? = nil) async throws -> ClockReport {
        try await setClock(ClockState(), ofScope: scope)
    }

    @discardableResult
    package func setClock(_ clock: ClockState, ofScope scope: String? = nil) async throws -> ClockReport {
        try await report(ofScope: scope, try await perform(ReplaceClock(scope: scope, clock: clock)))
    }

    private func report(ofScope scope: String?, _ done: Effects) async throws -> ClockReport {
        try await publishClocks()
        // Processes pushes that were accepted by the earlier time in between. The clock is changed even if that is
        // refused.
        var effects = done
        if let settled = try? await perform(SettleClock(scope: scope)) { effects.merge(settled) }
        let lastSequence = await journal.settled()
        func count(_ outcome: Outcome) -> Int { effects.changes.count { $0.outcome == outcome && !$0.isOnlyShown } }
        let clock = clock(ofScope: scope)
        return ClockReport(
            mode: clock.mode, now: clock.now, lastSequence: lastSequence, delivered: count(.delivered),
            expired: count(.expired), coalesced: count(.coalesced))
    }

    /// Gives every loop the current clocks: after two changes at once the clocks of the later one.
    func publishClocks() async throws {
        try await loops.update { [fleet] in $0.setClocks(fleet.currentClocks) }
    }
}
