public import APNsRules
package import MynahCore
internal import Synchronization

/// The result of a change of a clock (`Documents#Clock`).
public struct ClockReport: Hashable, Sendable {
    package let mode: ClockState.Mode
    /// The clock's time after it.
    public let now: Instant
    /// The last sequence number by then.
    public let lastSequence: UInt64
    /// The number of pushes that were delivered by it.
    public let delivered: Int
    /// The number of pushes that expired by it.
    public let expired: Int
    /// The number of pushes that a newer one with the same collapse id replaced.
    public let coalesced: Int
}

/// The clocks: the server's, for trust and connections, and those of scopes, for devices. Each change returns when
/// everything that falls due by it is done, on every loop and every device.
extension Server {
    /// The time of the server's clock.
    public var now: Instant { core.devices.time.now }

    /// The mode and time of a scope's clock, which is the server's with `nil` or if the scope has none of its own.
    package func clock(ofScope scope: String? = nil) -> (mode: ClockState.Mode, now: Instant) {
        let time = core.devices.time
        return (time.clocks[scope].mode, time.clocks.now(ofScope: scope, wall: time.wall))
    }

    /// Changes the server's clock or that of a scope, which has one of its own from then on; `change` gets the clock
    /// and the system's time; when it throws, nothing has changed.
    package func changeClock(
        ofScope scope: String? = nil,
        _ change: (inout ClockState, Instant) throws(ClockState.Backwards) -> Void
    ) async throws -> ClockReport {
        let devices = core.devices
        let wall = WallClock.now()
        let before = devices.currentClocks
        var ahead = before
        try ahead.change(ofScope: scope) { clock throws(ClockState.Backwards) in try change(&clock, wall) }
        // Before the events of what falls due by it.
        events.note(.clock(ahead[scope].mode, now: ahead.now(ofScope: scope, wall: wall), scope: scope))
        let effects = devices.settle(ofScope: scope, at: DeviceTime(clocks: ahead, wall: wall))
        var isOvertaken = false
        let clocks = try devices.changeClocks { clocks, wall throws(ClockState.Backwards) in
            isOvertaken = clocks[scope] != before[scope]
            try clocks.change(ofScope: scope) { clock throws(ClockState.Backwards) in try change(&clock, wall) }
        }
        // Another change at the same time led to another time than was noted.
        return try await report(clocks, ofScope: scope, effects, notesEvent: isOvertaken)
    }

    /// Advances a clock to the next time at which a device, or on the server's clock a connection, has something due.
    package func advanceClockToNext(ofScope scope: String? = nil) async throws -> ClockReport? {
        core.look()
        var next = core.devices.nextDue(ofScope: scope)
        if scope == nil {
            for due in try await loops.ask({ $0.earliestDue }) { if let due { next = min(next ?? due, due) } }
        }
        guard let next else { return nil }
        return try await changeClock(ofScope: scope) { clock, wall throws(ClockState.Backwards) in
            // A running clock may have passed it meanwhile.
            try clock.advance(to: max(next, clock.now(wall: wall)), wall: wall)
        }
    }

    /// Lets a clock follow the system's again, even if that puts it back; what waits for a time then waits longer.
    package func setClockReal(ofScope scope: String? = nil) async throws -> ClockReport {
        do {
            return try await changeClock(ofScope: scope) { clock, wall throws(ClockState.Backwards) in
                try clock.set(.real, wall: wall)
            }
        } catch is ClockState.Backwards {
            return try await setClock(ClockState(), ofScope: scope)
        }
    }

    @discardableResult
    package func setClock(_ clock: ClockState, ofScope scope: String? = nil) async throws -> ClockReport {
        try await replaceClocks(ofScope: scope) { clocks in
            clocks.replace(ofScope: scope, by: clock)
            return true
        }
    }

    /// Restores the clocks of the start; returns how many had been changed.
    package func resetClocks() async throws -> Int {
        var changed = 0
        let atStart = core.baseline.withLock { $0.clock }
        _ = try await replaceClocks { clocks in
            changed = (clocks.server == atStart ? 0 : 1) + clocks.scopeCount
            clocks = ClockSet(server: atStart)
            return changed > 0
        }
        return changed
    }

    /// Replaces clocks, even by earlier times, with scenarios going on; `replace` returns whether that is an event.
    private func replaceClocks(
        ofScope scope: String? = nil, _ replace: (inout ClockSet) -> Bool
    ) async throws -> ClockReport {
        var notesEvent = true
        let before = now
        let clocks = core.devices.changeClocks { clocks, _ in notesEvent = replace(&clocks) }
        let report = try await report(clocks, ofScope: scope, notesEvent: notesEvent)
        // When every loop has the earlier time, so that no step is due too soon.
        let back = before.since(now)
        if back > .zero { try await moveScenarios(back: back) }
        return report
    }

    private func report(
        _ clocks: ClockSet, ofScope scope: String?, _ done: Effects = Effects(), notesEvent: Bool
    ) async throws -> ClockReport {
        // The current clocks: after two changes at once every loop has those of the later one.
        try await loops.update { [devices = core.devices] in $0.setClocks(devices.currentClocks) }
        if notesEvent { events.note(.clock(clocks[scope].mode, now: clock(ofScope: scope).now, scope: scope)) }
        // Pushes that were accepted meanwhile by the earlier time.
        var effects = done
        effects.merge(core.devices.settle(ofScope: scope, at: core.devices.time))
        let lastSequence = await journal.settled()
        func count(_ outcome: Outcome) -> Int { effects.changes.count { $0.outcome == outcome && !$0.isOnlyShown } }
        return ClockReport(
            mode: clocks[scope].mode, now: clock(ofScope: scope).now, lastSequence: lastSequence,
            delivered: count(.delivered), expired: count(.expired), coalesced: count(.coalesced))
    }

    /// Lets a scope go by the server's clock again; returns 1 if it had one of its own, else 0.
    package func removeClock(ofScope scope: String) async throws -> Int {
        var hadClock = false
        _ = fleet.changeClocks { clocks, _ in
            hadClock = clocks.hasClock(scope)
            clocks.forget(scope)
        }
        guard hadClock else { return 0 }
        try await loops.update { [fleet] in $0.setClocks(fleet.currentClocks) }
        core.look()
        return 1
    }
}
