internal import APNsRules
internal import MynahCore
internal import NIOCore
internal import Synchronization

/// The simulated devices of a server, with the clocks, the journal that records their outcomes, and their watchers.
///
/// Every change is decided under one shard's lock; journal and watchers are informed after it is released.
final class DeviceFleet: Sendable {
    let shards: DeviceShards
    let settings: DeviceSettings
    let watchers = DeviceWatchers()
    private let clocks: Mutex<ClockSet>
    private let journal: JournalStore
    private let timer = Mutex<DeviceTimer?>(nil)
    // The number of devices that were made without an id.
    private let made = Atomic<UInt64>(0)
    private let clientNumbers = Atomic<UInt64>(0)

    init(settings: DeviceSettings, seed: UInt64, clock: ClockState, journal: JournalStore) {
        self.settings = settings
        self.shards = DeviceShards(settings: settings, seed: seed)
        self.clocks = Mutex(ClockSet(server: clock))
        self.journal = journal
    }

    /// Starts to process what falls due, until ``end()``; the loop keeps the time.
    func begin(on loop: any EventLoop) {
        let timer = DeviceTimer(on: loop) { [weak self] in self?.settle() }
        self.timer.withLock { $0 = timer }
    }

    /// Stops processing what falls due, and ends all streams of deliveries.
    func end() {
        timer.withLock { $0.take() }?.end()
        watchers.endAll()
    }

    // MARK: Time

    var currentClocks: ClockSet { clocks.withLock { $0 } }

    var time: DeviceTime { DeviceTime(clocks: currentClocks, wall: WallClock.now()) }

    /// Changes the clocks; returns the new ones.
    func changeClocks<Failure: Error>(
        _ change: (inout ClockSet, Instant) throws(Failure) -> Void
    ) throws(Failure) -> ClockSet {
        try clocks.withLock { clocks throws(Failure) in
            var changed = clocks
            try change(&changed, WallClock.now())
            clocks = changed
            return changed
        }
    }

    /// When something is due next on the clock of a scope, or with `nil` on the server's.
    func nextDue(ofScope scope: String?) -> Instant? {
        let clocks = currentClocks
        return shards.forEachShard { table in
            table.nextDue { owner in
                guard let scope else { return owner.map { !clocks.hasClock($0) } ?? true }
                return owner == scope
            }
        }.compactMap(\.self).min()
    }

    // MARK: Effects

    /// Processes everything that is due and schedules the next check.
    @discardableResult
    func settle() -> Effects {
        settle(at: time) { _ in true }
    }

    /// Processes what falls due by a change of a scope's clock, or with `nil` of the server's, before the new time is
    /// visible.
    ///
    /// - Parameter time: The times after the change.
    func settle(ofScope scope: String?, at time: DeviceTime) -> Effects {
        settle(at: time) { owner in
            guard let scope else { return owner.map { !time.clocks.hasClock($0) } ?? true }
            return owner == scope
        }
    }

    private func settle(at time: DeviceTime, on isAsked: (String?) -> Bool) -> Effects {
        var effects = Effects()
        var delay: Duration?
        for (found, next) in shards.forEachShard({ table in
            let found = table.advance(to: time.now, clock: time.now(ofScope:), on: isAsked)
            return (found, DeviceFleet.nextDelay(&table, time))
        }) {
            effects.merge(found)
            if let next { delay = min(delay ?? next, next) }
        }
        effects.sort()
        report(effects)
        if let delay { timer.withLock { $0 }?.lookWithin(delay) }
        return effects
    }

    /// The system's time until something of a table is due on a running clock.
    private static func nextDelay(_ table: inout DeviceTable, _ time: DeviceTime) -> Duration? {
        table.nextDues().filter { time.clocks[$0.scope].mode != .frozen }
            .map { $0.at.since(time.clocks.now(ofScope: $0.scope, wall: time.wall)) }.min()
    }

    /// Reports later outcomes to the journal, and deliveries to watchers.
    func report(_ effects: Effects) {
        guard !effects.isEmpty else { return }
        journal.apply(effects.changes)
        for delivery in effects.deliveries { watchers.wake(delivery.device ?? delivery.push.token.hex) }
        // A service extension's result is of interest to all who wait for a notification; it is rare and names no device.
        if effects.changes.contains(where: \.isOnlyShown) { watchers.wakeAll() }
    }

    /// Reports the effects of an accepted push that is in the journal.
    func note(_ decision: Decision, _ clocks: ClockSet) {
        report(decision.effects)
        if decision.outcome == .delivered { watchers.wake(decision) }
        if let dueAt = decision.dueAt, clocks[decision.scope].mode != .frozen {
            timer.withLock { $0 }?.lookWithin(dueAt.since(decision.at))
        }
    }

    /// The journal's entries of arrived pushes, once all deliveries are recorded.
    func entries(_ items: [InboxItem]) async -> [Entry?] {
        _ = await journal.settled()
        return journal.read { journal in items.map { journal.entry($0.sequence) } }
    }

    /// Lets ``freshID()`` start over.
    func numberDevicesAnew() { made.store(0, ordering: .relaxed) }

    func takeClientNumber() -> UInt64 { clientNumbers.add(1, ordering: .relaxed).newValue }

    func freshID() -> String {
        while true {
            let id = "device-\(made.add(1, ordering: .relaxed).newValue)"
            let isTaken = shards.withShard(ofID: id) { $0.has(id: id) }
            if !isTaken { return id }
        }
    }
}
