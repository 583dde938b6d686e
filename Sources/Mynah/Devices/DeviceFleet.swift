internal import APNsRules
internal import MynahCore
internal import NIOCore
internal import Synchronization

/// The simulated devices of a server with what they need around them: the clocks, the journal that learns what becomes
/// of pushes, and whoever watches a device.
///
/// Every change is decided under one shard's lock; the journal is told and watchers are woken after it is released.
final class DeviceFleet: Sendable {
    let shards: DeviceShards
    let settings: DeviceSettings
    let watchers = DeviceWatchers()
    private let clocks: Mutex<ClockSet>
    private let journal: JournalStore
    private let timer = Mutex<DeviceTimer?>(nil)
    // Numbers of devices that were made without an id.
    private let made = Atomic<UInt64>(0)
    private let clientNumbers = Atomic<UInt64>(0)

    init(settings: DeviceSettings, seed: UInt64, clock: ClockState, journal: JournalStore) {
        self.settings = settings
        self.shards = DeviceShards(settings: settings, seed: seed)
        self.clocks = Mutex(ClockSet(server: clock))
        self.journal = journal
    }

    /// Processes what falls due by itself, until ``end()``; the loop keeps the time.
    func begin(on loop: any EventLoop) {
        let timer = DeviceTimer(on: loop) { [weak self] in self?.settle() }
        self.timer.withLock { $0 = timer }
    }

    /// Stops processing what falls due by itself, and ends all streams of deliveries.
    func end() {
        timer.withLock { $0.take() }?.end()
        watchers.endAll()
    }

    // MARK: Time

    /// The clocks as they run now.
    var currentClocks: ClockSet { clocks.withLock { $0 } }

    /// All times at this moment.
    var time: DeviceTime { DeviceTime(clocks: currentClocks, wall: WallClock.now()) }

    /// Changes the clocks; answers how they run from then on.
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

    /// When something falls due next on the clock of a scope, or with `nil` on the server's.
    func nextDue(ofScope scope: String?) -> Instant? {
        let clocks = currentClocks
        return shards.forEachShard { table in
            table.nextDue { owner in
                guard let scope else { return owner.map { !clocks.hasClock($0) } ?? true }
                return owner == scope
            }
        }.compactMap(\.self).min()
    }

    // MARK: What happened

    /// Does all that has fallen due, and sees to it that somebody looks at what falls due next.
    @discardableResult
    func settle() -> Effects {
        settle(at: time) { _ in true }
    }

    /// Does what falls due by a change of a scope's clock, or with `nil` of the server's, before anybody sees the new
    /// time: what others do at the same moment is then neither taken from them nor done by them.
    ///
    /// - Parameter time: the times after the change.
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

    /// How long on the wall until something of a table falls due on a clock that runs.
    private static func nextDelay(_ table: inout DeviceTable, _ time: DeviceTime) -> Duration? {
        table.nextDues().filter { time.clocks[$0.scope].mode != .frozen }
            .map { $0.at.since(time.clocks.now(ofScope: $0.scope, wall: time.wall)) }.min()
    }

    /// Tells the journal what became of earlier pushes, and whoever watches a device what arrived.
    func report(_ effects: Effects) {
        guard !effects.isEmpty else { return }
        journal.apply(effects.changes)
        for delivery in effects.deliveries { watchers.wake(delivery.device ?? delivery.push.token.hex) }
        // What a service extension came to is news for who waits for something that is shown; it happens rarely, and
        // does not say where.
        if effects.changes.contains(where: \.isOnlyShown) { watchers.wakeAll() }
    }

    /// Does what follows from a push that was taken in, once it is in the journal.
    func note(_ decision: Decision, _ clocks: ClockSet) {
        report(decision.effects)
        if decision.outcome == .delivered { watchers.wake(decision) }
        if let dueAt = decision.dueAt, clocks[decision.scope].mode != .frozen {
            timer.withLock { $0 }?.lookWithin(dueAt.since(decision.at))
        }
    }

    /// The journal's entries of what arrived, once all that was delivered is there.
    func entries(_ items: [InboxItem]) async -> [Entry?] {
        _ = await journal.settled()
        return journal.read { journal in items.map { journal.entry($0.sequence) } }
    }

    /// Lets ``freshID()`` begin with the first id again.
    func numberDevicesAnew() { made.store(0, ordering: .relaxed) }

    /// Takes a number for a live client of a device.
    func takeClientNumber() -> UInt64 { clientNumbers.add(1, ordering: .relaxed).newValue }

    /// Makes an id for a device that was given none.
    func freshID() -> String {
        while true {
            let id = "device-\(made.add(1, ordering: .relaxed).newValue)"
            let isTaken = shards.withShard(ofID: id) { $0.has(id: id) }
            if !isTaken { return id }
        }
    }
}
