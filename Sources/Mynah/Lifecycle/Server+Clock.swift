package import APNsRules
package import MynahCore

/// What changing a clock came to (`Documents#Clock`).
package struct ClockReport: Sendable, Equatable {
    /// How the clock runs.
    package let mode: ClockState.Mode
    /// What it says.
    package let now: Instant
    /// The last sequence number by then.
    package let lastSequence: UInt64
    /// Pushes that devices were given by it.
    package let delivered: Int
    /// Pushes whose time was over by it.
    package let expired: Int
    /// Pushes whose place a newer one with the same collapse id took.
    package let coalesced: Int
}

/// The clocks: the server's, by which trust and connections go, and those of scopes, by which devices go.
///
/// Whatever changes one answers when all that fell due by it is done, on every loop and every device.
extension Server {
    /// The server's time.
    public var now: Instant { core.devices.time.now }

    /// How a scope's clock runs and what it says; the server's with `nil`, or where the scope has none of its own.
    package func clock(ofScope scope: String? = nil) -> (mode: ClockState.Mode, now: Instant) {
        let time = core.devices.time
        return (time.clocks[scope].mode, time.clocks.now(ofScope: scope, wall: time.wall))
    }

    /// Changes the server's clock or that of a scope, which has one of its own from then on.
    ///
    /// `change` gets the clock and the wall's time.
    /// - Throws: what `change` throws; then nothing has changed.
    package func changeClock(
        ofScope scope: String? = nil,
        _ change: (inout ClockState, Instant) throws(ClockState.Backwards) -> Void
    ) async throws -> ClockReport {
        let devices = core.devices
        let wall = WallClock.now()
        let before = devices.currentClocks
        var ahead = before
        try ahead.change(ofScope: scope) { clock throws(ClockState.Backwards) in try change(&clock, wall) }
        // Before what falls due by it.
        events.note(.clock(ahead[scope].mode, ahead.now(ofScope: scope, wall: wall), scope: scope))
        let effects = devices.settle(ofScope: scope, at: DeviceTime(clocks: ahead, wall: wall))
        var isOvertaken = false
        let clocks = try devices.changeClocks { clocks, wall throws(ClockState.Backwards) in
            isOvertaken = clocks[scope] != before[scope]
            try clocks.change(ofScope: scope) { clock throws(ClockState.Backwards) in try change(&clock, wall) }
        }
        // Together with another change it came to another time than it has told.
        return try await report(clocks, scope, effects, isTold: isOvertaken)
    }

    /// Moves a clock on to the next thing that is due: something that waits for a device, or, on the server's clock, a
    /// connection that nothing has come from; `nil` when nothing is due.
    package func advanceClockToNext(ofScope scope: String? = nil) async throws -> ClockReport? {
        core.devices.settle()
        var next = core.devices.nextDue(ofScope: scope)
        if scope == nil {
            for due in try await loops.ask({ $0.earliestDue }) {
                if let due { next = min(next ?? due, due) }
            }
        }
        guard let next else { return nil }
        return try await changeClock(ofScope: scope) { clock, wall throws(ClockState.Backwards) in
            // It may have gone past meanwhile, when it runs.
            try clock.advance(to: max(next, clock.now(wall: wall)), wall: wall)
        }
    }

    /// Lets the server's clock or that of a scope follow the system's again, also where that puts it back.
    ///
    /// What it has delivered or let expire stays so; what waits for a time waits until the clock gets there again.
    package func setClockReal(ofScope scope: String? = nil) async throws -> ClockReport {
        do {
            return try await changeClock(ofScope: scope) { clock, wall throws(ClockState.Backwards) in
                try clock.set(.real, wall: wall)
            }
        } catch is ClockState.Backwards {
            return try await setClock(ClockState(), ofScope: scope)
        }
    }

    /// Puts a clock in place of the server's or a scope's, backwards or not.
    @discardableResult
    package func setClock(_ clock: ClockState, ofScope scope: String? = nil) async throws -> ClockReport {
        try await replaceClocks(ofScope: scope) { clocks in
            clocks.replace(ofScope: scope, by: clock)
            return true
        }
    }

    /// Lets all clocks run as after the start.
    ///
    /// - Returns: how many of them had been changed.
    package func resetClocks() async throws -> Int {
        var changed = 0
        _ = try await replaceClocks { clocks in
            changed = (clocks.server == clockAtStart ? 0 : 1) + clocks.scopeCount
            clocks = ClockSet(server: clockAtStart)
            return changed > 0
        }
        return changed
    }

    /// Replaces clocks, backwards or not; scenarios that run go on from where they are.
    ///
    /// - Parameter replace: Returns whether that is an event.
    private func replaceClocks(
        ofScope scope: String? = nil, _ replace: (inout ClockSet) -> Bool
    ) async throws -> ClockReport {
        var isTold = true
        let before = now
        let clocks = core.devices.changeClocks { clocks, _ in isTold = replace(&clocks) }
        let report = try await report(clocks, scope, isTold: isTold)
        // Only when every loop has the earlier time, so that no step is due too soon.
        let back = before.since(now)
        if back > .zero { try await moveScenarios(back: back) }
        return report
    }

    private func report(
        _ clocks: ClockSet, _ scope: String?, _ done: Effects = Effects(), isTold: Bool = true
    ) async throws -> ClockReport {
        // Of two changes at once the later one's clocks are right, whichever comes to a loop first.
        try await loops.update { [devices = core.devices] in $0.setClocks(devices.currentClocks) }
        // Before what falls due by it.
        if isTold {
            events.note(.clock(clocks[scope].mode, clock(ofScope: scope).now, scope: scope))
        }
        // What was accepted meanwhile by the time before.
        var effects = done
        effects.merge(core.devices.settle(ofScope: scope, at: core.devices.time))
        let lastSequence = await journal.settled()
        func count(_ outcome: Outcome) -> Int { effects.changes.count { $0.outcome == outcome && !$0.isOnlyShown } }
        return ClockReport(
            mode: clocks[scope].mode, now: clock(ofScope: scope).now, lastSequence: lastSequence,
            delivered: count(.delivered), expired: count(.expired), coalesced: count(.coalesced))
    }
}
