internal import APNsRules
internal import MynahCore
internal import Synchronization

/// Changes the server's clock, or the clock of a scope, which has one of its own from then on, and does what falls due
/// by it; returns what that did to pushes.
struct ChangeClock: Command {
    static let changesVerdicts = true
    let scope: String?
    let change: ClockState.Change

    func apply(to simulation: Simulation) throws(InputError) -> Effects {
        try simulation.changeClocks(ofScope: scope) { clocks, wall throws(InputError) in
            try clocks.change(ofScope: scope) { clock throws(InputError) in
                try clock.apply(change, wall: wall)
            }
        }
    }
}

/// Replaces a clock, even by an earlier time, with scenarios going on; returns what fell due by it.
struct ReplaceClock: Command {
    static let changesVerdicts = true
    let scope: String?
    let clock: ClockState

    func apply(to simulation: Simulation) -> Effects {
        simulation.changeClocks(ofScope: scope) { clocks, _ in clocks.replace(ofScope: scope, by: clock) }
    }
}

/// Does what has fallen due by a clock; returns what that did to pushes.
struct SettleClock: Command {
    let scope: String?

    func apply(to simulation: Simulation) -> Effects {
        let effects = simulation.devices.settle(ofScope: scope, at: simulation.devices.time)
        simulation.settle()
        return effects
    }
}

extension Simulation {
    /// The time of the server's clock.
    var now: Instant { devices.time.now }

    /// Changes clocks, and does what falls due by the one of a scope, or with `nil` by the server's, before it is
    /// visible; returns what that did to pushes.
    func changeClocks<Failure: Error>(
        ofScope scope: String?, notesEvent: Bool = true,
        _ change: (inout ClockSet, Instant) throws(Failure) -> Void
    ) throws(Failure) -> Effects {
        try clockChanges.withLock { _ throws(Failure) in
            // A clock that is set back has no more of what was due by it.
            settle()
            let before = devices.currentClocks
            let wall = wall.now
            var clocks = before
            try change(&clocks, wall)
            // The clock's event comes before the events of what falls due by it.
            if notesEvent {
                events.record(.clock(clocks[scope].mode, now: clocks.now(ofScope: scope, wall: wall), scope: scope))
            }
            let effects = devices.settle(ofScope: scope, at: DeviceTime(clocks: clocks, wall: wall))
            devices.setClocks(clocks)
            faults.moveScenarios { scope in
                before.now(ofScope: scope, wall: wall).since(clocks.now(ofScope: scope, wall: wall))
            }
            settle()
            return effects
        }
    }

    /// Lets a scope go by the server's clock again; returns 1 if it had one of its own, else 0.
    func removeClock(ofScope scope: String) -> Int {
        guard devices.currentClocks.hasClock(scope) else { return 0 }
        _ = changeClocks(ofScope: scope, notesEvent: false) { clocks, _ in clocks.forget(scope) }
        return 1
    }

    /// Restores the clocks of the start, which is an event if one had been changed; returns how many had been.
    func resetClocks() -> Int {
        let start = ClockSet(server: baseline.withLock { $0.clock })
        let clocks = devices.currentClocks
        let changed = (clocks.server == start.server ? 0 : 1) + clocks.scopeCount
        if changed > 0 { _ = changeClocks(ofScope: nil) { clocks, _ in clocks = start } }
        return changed
    }
}

extension CommandKind {
    static let clocks: Numbered = [
        40: ChangeClock.self,
        41: ReplaceClock.self,
        42: SettleClock.self,
    ]
}
