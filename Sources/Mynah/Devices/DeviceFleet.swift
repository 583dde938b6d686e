internal import APNsRules
internal import MynahCore
internal import NIOCore
internal import Synchronization

/// The simulated devices of a server, with the clocks, the journal that records their outcomes, and their watchers;
/// every change is decided under one shard's lock, and reported after it is released.
final class DeviceFleet: Sendable {
    // The number of devices that are listed at once while many are removed.
    private static let pieceCount = 1000
    let shards: DeviceShards
    let watchers = DeviceWatchers()
    private let clocks: Mutex<ClockSet>
    private let journal: JournalStore
    private let timer = Mutex<DeviceTimer?>(nil)
    // The number of devices that were made without an id.
    private let made = Atomic<UInt64>(0)
    private let clientNumbers = Atomic<UInt64>(0)

    init(settings: DeviceSettings, seed: UInt64, clock: ClockState, journal: JournalStore) {
        self.shards = DeviceShards(settings: settings, seed: seed)
        self.clocks = Mutex(ClockSet(server: clock))
        self.journal = journal
    }

    /// Starts to process what falls due, until ``end()``; the loop keeps the time.
    func begin(on loop: any EventLoop) {
        let timer = DeviceTimer(on: loop) { [weak self] in self?.settle() }
        self.timer.withLock { $0 = timer }
    }

    func end() {
        timer.withLock { $0.take() }?.end()
        watchers.endAll()
    }

    // MARK: Time

    var currentClocks: ClockSet { clocks.withLock { $0 } }
    var time: DeviceTime { DeviceTime(clocks: currentClocks, wall: WallClock.now()) }

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
        return shards.forEachShard { $0.nextDue { clocks.areSame(scope, $0) } }.compactMap(\.self).min()
    }

    // MARK: Effects

    @discardableResult
    func settle() -> Effects { settle(at: time) { _ in true } }

    /// Processes what a change of a scope's clock, or with `nil` of the server's, makes due, before it is visible.
    func settle(ofScope scope: String?, at time: DeviceTime) -> Effects {
        settle(at: time) { time.clocks.areSame(scope, $0) }
    }

    private func settle(at time: DeviceTime, on isAsked: (String?) -> Bool) -> Effects {
        let found = shards.forEachShard { table in
            let effects = table.advance(to: time.now, clock: time.now(ofScope:), on: isAsked)
            return (effects, nextDelay: DeviceFleet.nextDelay(&table, time))
        }
        let effects = report(found.map(\.0))
        if let delay = found.compactMap(\.nextDelay).min() { timer.withLock { $0 }?.lookWithin(delay) }
        return effects
    }

    /// The system's time until something of a table is due on a running clock.
    private static func nextDelay(_ table: inout DeviceTable, _ time: DeviceTime) -> Duration? {
        table.nextDues().filter { time.clocks[$0.scope].mode != .frozen }
            .map { $0.at.since(time.clocks.now(ofScope: $0.scope, wall: time.wall)) }.min()
    }

    @discardableResult
    private func report(_ parts: [Effects]) -> Effects {
        var effects = Effects()
        for part in parts { effects.merge(part) }
        effects.sort()
        report(effects)
        return effects
    }

    func report(_ effects: Effects) {
        guard !effects.isEmpty else { return }
        journal.apply(effects.changes)
        for device in effects.receivers { watchers.wake(device) }
        // Readers of any device may wait for a service extension's result, which is rare and names no device.
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

    // MARK: One device

    /// Changes a device at the present times, and reports the effects.
    func change(
        _ id: String, _ body: (inout DeviceTable, DeviceTime) throws(InputError) -> Effects
    ) throws(InputError) {
        let time = time
        report(try shards.withShard(ofID: id) { table throws(InputError) in try body(&table, time) })
    }

    /// Reads a device at the present times, and reports what has fallen due until then.
    func read<Value: Sendable>(
        _ id: String, _ body: (inout DeviceTable, DeviceTime) throws(InputError) -> DeviceTable.Reading<Value>
    ) throws(InputError) -> Value {
        let time = time
        let reading = try shards.withShard(ofID: id) { table throws(InputError) in try body(&table, time) }
        report(reading.effects)
        return reading.value
    }

    /// Claims tokens for a device, calls `body`, and reports the effects; if `body` throws, the tokens are free again.
    func claiming<Value: Sendable>(
        _ tokens: [DeviceToken], for id: String,
        _ body: (inout DeviceTable, DeviceTime) throws(InputError) -> (Value, Effects)
    ) throws(InputError) -> Value {
        let time = time
        var (claimed, effects) = try shards.claim(tokens, for: id, at: time.now)
        do throws(InputError) {
            let (value, more) = try shards.withShard(ofID: id) { table throws(InputError) in try body(&table, time) }
            effects.merge(more)
            report(effects)
            return value
        } catch {
            shards.unclaim(claimed)
            throw error
        }
    }

    /// Makes one device; if its id or a token is taken, nothing changes.
    func create(_ specification: DeviceSpecification, id: String, wantsView: Bool) throws(InputError) -> DeviceView? {
        let given = specification.registrations.compactMap(\.token)
        if !given.isEmpty {
            // Checked before an unnamed device loses its token to a device that can't be made.
            try shards.withShard(ofID: id) { table throws(InputError) in try table.check(specification, id: id) }
        }
        return try claiming(given, for: id) { table, time throws(InputError) in
            let effects = try table.create(specification, id: id, at: time.now, clock: time.now(ofScope:))
            guard wantsView else { return (nil, effects) }
            return (try table.view(of: id, at: time.now, clock: time.now(ofScope:)).value, effects)
        }
    }

    /// Throws if a device could not replace the one with its id.
    func check(_ specification: DeviceSpecification, inPlaceOf id: String) throws(InputError) {
        try shards.withShard(ofID: id) { table throws(InputError) in
            try table.check(specification, id: id, isReplacing: true)
        }
        try shards.checkClaims(of: specification.registrations.compactMap(\.token), for: id)
    }

    @discardableResult
    func removeIfThere(_ id: String) -> Bool {
        let time = time
        let removal = shards.withShard(ofID: id) { $0.remove(id, at: time.now, clock: time.now(ofScope:)) }
        guard let removal else { return false }
        finish(removal)
        watchers.wake(id)
        return true
    }

    private func finish(_ removal: DeviceTable.Removal) {
        shards.unclaim(removal.foreignTokens)
        report(removal.effects)
    }

    /// Makes the screen of a device that has none, before a change of what is seen, from the journal's deliveries.
    func ensureScreen(of id: String) async throws(InputError) {
        var isMade = false
        while !isMade {
            let items = try shards.withShard(ofID: id) { table throws(InputError) in
                try table.inboxWithoutScreen(of: id)
            }
            guard let items else { return }
            let past = zip(items, await entries(items)).map { ($0, $1.flatMap { Push($0) }) }
            isMade = try shards.withShard(ofID: id) { table throws(InputError) in
                try table.makeScreen(of: id, from: past)
            }
        }
    }

    /// The journal's entries of arrived pushes, once all deliveries are recorded.
    func entries(_ items: [InboxItem]) async -> [Entry?] {
        _ = await journal.settled()
        return journal.read { journal in items.map { journal.entry($0.sequence) } }
    }

    func takeClientNumber() -> UInt64 { clientNumbers.add(1, ordering: .relaxed).newValue }

    func freshID() -> String {
        while true {
            let id = "device-\(made.add(1, ordering: .relaxed).newValue)"
            if !shards.withShard(ofID: id, { $0.has(id: id) }) { return id }
        }
    }

    func numberDevicesAnew() { made.store(0, ordering: .relaxed) }

    // MARK: Many devices

    func removeAll(scope: String? = nil) -> Int {
        let time = time
        let removals = shards.forEachShard { table in
            table.removeAll(scope: scope, at: time.now, clock: time.now(ofScope:))
        }
        for removal in removals { finish(removal) }
        watchers.wakeAll()
        return removals.reduce(0) { $0 + $1.count }
    }

    /// Removes the devices that a filter matches, and calls `report` with each; returns how many there were.
    func remove(where filter: DeviceFilter, report: (DeviceView) -> Void) -> Int {
        var count = 0
        var last: String?
        while true {
            let (devices, _) = list(where: filter, after: last, limit: DeviceFleet.pieceCount)
            guard let end = devices.last?.id else { return count }
            for device in devices where removeIfThere(device.id) {
                count += 1
                report(device)
            }
            last = end
        }
    }

    /// The ids of the devices that a filter matches, in order.
    func ids(where filter: DeviceFilter) -> [String] {
        var ids: [String] = []
        while true {
            let (devices, _) = list(where: filter, after: ids.last, limit: DeviceFleet.pieceCount)
            guard !devices.isEmpty else { return ids }
            ids += devices.map(\.id)
        }
    }

    /// Lists up to `limit` devices by id, those after `after`, and counts all that match.
    func list(where filter: DeviceFilter, after: String?, limit: Int) -> (devices: [DeviceView], matched: Int) {
        let time = time
        let readings = shards.forEachShard { table in
            table.list(after: after, limit: limit, where: filter, at: time.now, clock: time.now(ofScope:))
        }
        report(readings.map(\.effects))
        let found = readings.flatMap(\.value.devices).sorted { $0.id < $1.id }
        return (Array(found.prefix(limit)), readings.reduce(0) { $0 + $1.value.matched })
    }

    func scopeCounts() -> [String: Int] {
        shards.forEachShard { $0.scopeCounts() }.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
}

extension ClockSet {
    /// Whether the scope `owner` uses the clock of `scope`, or with `nil` the server's.
    fileprivate func areSame(_ scope: String?, _ owner: String?) -> Bool {
        guard let scope else { return owner.map { !hasClock($0) } ?? true }
        return owner == scope
    }
}
