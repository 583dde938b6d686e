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
    private let wall: Wall
    private let journal: JournalStore
    // A struct, because a closure in generic storage is wrapped at each access.
    private struct Listener {
        var activityChanges: (@Sendable ([ActivityChange]) -> Void)?
        var follower: (@Sendable (String) -> Void)?
    }
    private let listener = Mutex(Listener())
    private let timer = Mutex<DeviceTimer?>(nil)
    // The number of devices that were made without an id.
    private let made = Atomic<UInt64>(0)
    /// The numbers of live clients.
    let clientNumbers = OrderedNumbers()

    init(settings: DeviceSettings, seed: UInt64, clock: ClockState, wall: Wall, journal: JournalStore) {
        self.shards = DeviceShards(settings: settings, seed: seed)
        self.clocks = Mutex(ClockSet(server: clock))
        self.wall = wall
        self.journal = journal
    }

    /// Calls `look` when something falls due, until ``end()``; the loop keeps the time.
    func begin(on loop: any EventLoop, look: @escaping @Sendable () async -> Void) {
        let timer = DeviceTimer(on: loop, look: look)
        self.timer.withLock { $0 = timer }
    }

    /// Sees to it that `look` is called within a time, unless time is not kept.
    func scheduleLook(within delay: Duration) { timer.withLock { $0 }?.scheduleLook(within: delay) }

    func end() {
        timer.withLock { $0.take() }?.end()
        watchers.endAll()
    }

    /// Calls `listener` with the Live Activities whose state has changed by time, outside all locks.
    func onActivityChanges(_ listener: @escaping @Sendable ([ActivityChange]) -> Void) {
        self.listener.withLock { $0.activityChanges = listener }
    }

    /// Calls `listener` with each device on which a push that had waited has started an activity that follows a channel,
    /// outside all locks.
    func onFollower(_ listener: @escaping @Sendable (String) -> Void) {
        self.listener.withLock { $0.follower = listener }
    }

    // MARK: Time

    var currentClocks: ClockSet { clocks.withLock { $0 } }
    var time: DeviceTime { DeviceTime(clocks: currentClocks, wall: wall.now) }

    func setClocks(_ clocks: ClockSet) { self.clocks.withLock { $0 = clocks } }

    func changeClocks<Failure: Error>(
        _ change: (inout ClockSet, Instant) throws(Failure) -> Void
    ) throws(Failure) -> ClockSet {
        try clocks.withLock { clocks throws(Failure) in
            var changed = clocks
            try change(&changed, wall.now)
            clocks = changed
            return changed
        }
    }

    /// When something is due next on the clock of a scope, or with `nil` on the server's.
    func nextDue(ofScope scope: String?) -> Instant? {
        let clocks = currentClocks
        return shards.forEachShard { $0.nextDue { clocks.areSame(scope, $0) } }.compactMap(\.self).min()
    }

    /// Whether something is due on a device at a time.
    func isDue(at time: DeviceTime) -> Bool {
        shards.contains { table in
            table.nextDues().contains { due in due.at <= (due.scope.map(time.now(ofScope:)) ?? time.now) }
        }
    }

    // MARK: Effects

    @discardableResult
    func settle(at time: DeviceTime) -> Effects { settle(at: time) { _ in true } }

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
        if let delay = found.compactMap(\.nextDelay).min() { scheduleLook(within: delay) }
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
        if effects.activityChanges.isEmpty { journal.apply(effects.changes) } else { reportInOrder(effects) }
        for device in effects.receivers { watchers.wake(device) }
        for device in effects.followers { listener.withLock { $0 }.follower?(device) }
        // Readers of any device may wait for a service extension's result, which is rare and names no device.
        if effects.changes.contains(where: \.isOnlyShown) { watchers.wakeAll() }
    }

    /// Reports changes of pushes and of activities in the order in which they were due.
    private func reportInOrder(_ effects: Effects) {
        var pushes = effects.changes[...]
        var activities = effects.activityChanges[...]
        while let next = activities.first {
            let earlier = pushes.prefix { $0.at <= next.at }
            journal.apply(Array(earlier))
            pushes = pushes.dropFirst(earlier.count)
            let end = pushes.first?.at
            let due = activities.prefix { activity in end.map { activity.at < $0 } ?? true }
            listener.withLock { $0 }.activityChanges?(Array(due))
            activities = activities.dropFirst(due.count)
        }
        journal.apply(Array(pushes))
    }

    /// Reports the effects of an accepted push that is in the journal.
    func reportEffects(of decision: Decision, _ clocks: ClockSet) {
        report(decision.effects)
        if decision.outcome == .delivered { watchers.wake(decision) }
        if let dueAt = decision.dueAt, clocks[decision.scope].mode != .frozen {
            scheduleLook(within: dueAt.since(decision.at))
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

    /// Reads a device at the present times or at given ones, and reports what has fallen due until then.
    func read<Value: Sendable>(
        _ id: String, at time: DeviceTime? = nil,
        _ body: (inout DeviceTable, DeviceTime) throws(InputError) -> DeviceTable.Reading<Value>
    ) throws(InputError) -> Value {
        let time = time ?? self.time
        let reading = try shards.withShard(ofID: id) { table throws(InputError) in try body(&table, time) }
        report(reading.effects)
        return reading.value
    }

    /// Claims tokens for a device, calls `body`, and reports the effects; if `body` throws or returns `nil`, the tokens
    /// are free again.
    private func claiming<Value: Sendable>(
        _ tokens: [DeviceToken], for id: String, at time: DeviceTime,
        _ body: (inout DeviceTable, DeviceTime) throws(InputError) -> (Value, Effects)?
    ) throws(InputError) -> Value? {
        var (claimed, effects) = try shards.claim(tokens, for: id, at: time.now)
        do throws(InputError) {
            let changed = try shards.withShard(ofID: id) { table throws(InputError) in try body(&table, time) }
            if let changed { effects.merge(changed.1) } else { shards.unclaim(claimed) }
            report(effects)
            return changed?.0
        } catch {
            shards.unclaim(claimed)
            throw error
        }
    }

    /// Makes one device; if its id or a token is taken, nothing changes.
    func create(
        _ specification: DeviceSpecification, id: String, wantsView: Bool, at time: DeviceTime? = nil
    ) throws(InputError) -> DeviceView? {
        try checkBeforeClaiming(specification, id: id)
        let view: DeviceView?? = try claiming(specification.tokens, for: id, at: time ?? self.time) {
            table, time throws(InputError) in
            let effects = try table.create(specification, id: id, at: time.now, clock: time.now(ofScope:))
            guard wantsView else { return (nil, effects) }
            return (try table.view(of: id, at: time.now, clock: time.now(ofScope:)).value, effects)
        }
        return view ?? nil
    }

    /// Makes a device in place of the one with its id, if there is one, which stays if this throws; a push to the device
    /// meets one of them.
    func replace(
        _ specification: DeviceSpecification, id: String
    ) throws(InputError) -> (view: DeviceView, isNew: Bool) {
        try checkBeforeClaiming(specification, id: id, isReplacing: true)
        try shards.checkClaims(of: specification.tokens, for: id)
        let replaced = try claiming(specification.tokens, for: id, at: time) { table, time throws(InputError) in
            let replaced = try table.replace(specification, id: id, at: time.now, clock: time.now(ofScope:))
            var effects = replaced.former?.effects ?? Effects()
            effects.merge(replaced.effects)
            return (replaced, effects)
        }
        guard let replaced else { preconditionFailure("a device was neither made nor refused") }
        shards.unclaim(replaced.former?.foreignTokens ?? [])
        if replaced.former != nil { watchers.wake(id) }
        return (replaced.made, replaced.former == nil)
    }

    /// Checks a device with tokens of its own before an unnamed device loses one of them to it.
    private func checkBeforeClaiming(
        _ specification: DeviceSpecification, id: String, isReplacing: Bool = false
    ) throws(InputError) {
        guard !specification.tokens.isEmpty else { return }
        try shards.withShard(ofID: id) { table throws(InputError) in
            try table.check(specification, id: id, isReplacing: isReplacing)
        }
    }

    func has(_ id: String) -> Bool { shards.withShard(ofID: id) { $0.has(id) } }

    func view(of id: String, at time: DeviceTime) throws(InputError) -> DeviceView {
        try read(id, at: time) { table, time throws(InputError) in
            try table.view(of: id, at: time.now, clock: time.now(ofScope:))
        }
    }

    /// Removes a device, if it is there; returns what it was like.
    @discardableResult
    func remove(_ id: String) -> DeviceView? {
        let time = time
        let removal = shards.withShard(ofID: id) { $0.remove(id, at: time.now, clock: time.now(ofScope:)) }
        guard let removal else { return nil }
        finish(removal)
        watchers.wake(id)
        return removal.last
    }

    private func finish(_ removal: DeviceTable.Removal) {
        shards.unclaim(removal.foreignTokens)
        report(removal.effects)
    }

    /// Installs an app on a device, or lets it register again, and reports the effects.
    func register(
        _ app: RegistrationSpecification, on id: String
    ) throws(InputError) -> DeviceTable.Registered {
        let register = { (table: inout DeviceTable, time: DeviceTime) throws(InputError) in
            let registered = try table.register(app, on: id, at: time.now, clock: time.now(ofScope:))
            return (registered, registered.effects)
        }
        let tokens = app.token.map { [$0] } ?? []
        while true {
            // A deleted app's notifications go with it.
            let isSetUp = app.app != AppPatch()
            let isDeleted = app.rotation == .reinstall
            let past = isSetUp || isDeleted ? try pastWithoutScreen(of: id) : nil
            let needsScreen = isSetUp || past?.isEmpty == false
            let registered: DeviceTable.Registered? = try claiming(tokens, for: id, at: time) {
                table, time throws(InputError) in
                if !needsScreen, past != nil, try !table.hasReceivedNothing(id) { return nil }
                guard needsScreen else { return try register(&table, time) }
                return try table.withScreen(of: id, from: past, at: time.now, clock: time.now(ofScope:)) {
                    table throws(InputError) in
                    try register(&table, time)
                }
            }
            if let registered { return registered }
        }
    }

    /// Changes a device that has a screen, which is made from the journal's deliveries if the device had none, at the
    /// present times, and reports the effects; if `body` throws, the device has no screen, as before.
    ///
    /// With `ifReceived` a device on which nothing has arrived needs none.
    func withScreen<Value: Sendable>(
        of id: String, ifReceived: Bool = false,
        _ body: (inout DeviceTable, DeviceTime) throws(InputError) -> DeviceTable.Reading<Value>
    ) throws(InputError) -> Value {
        while true {
            let past = try pastWithoutScreen(of: id)
            let time = time
            let reading = try shards.withShard(ofID: id) { table throws(InputError) in
                if ifReceived, past?.isEmpty == true {
                    return try table.hasReceivedNothing(id) ? try body(&table, time) : nil
                }
                return try table.withScreen(of: id, from: past, at: time.now, clock: time.now(ofScope:)) {
                    table throws(InputError) in
                    try body(&table, time)
                }
            }
            guard let reading else { continue }
            report(reading.effects)
            return reading.value
        }
    }

    /// What a device's screen is to be made from; `nil` if it has one.
    private func pastWithoutScreen(of id: String) throws(InputError) -> [DeviceTable.PastPush]? {
        let items = try shards.withShard(ofID: id) { table throws(InputError) in try table.inboxWithoutScreen(of: id) }
        guard let items else { return nil }
        journal.waitUntilAppended()
        return past(items)
    }

    /// The pushes of items of an inbox, as far as the journal has them by now.
    func past(_ items: [InboxItem]) -> [DeviceTable.PastPush] {
        zip(items, entries(items)).map { ($0, $1.flatMap { Push($0) }) }
    }

    /// The entries of arrived pushes, as far as the journal has them by now.
    func entries(_ items: [InboxItem]) -> [Entry?] {
        journal.read { journal in items.map { journal.entry($0.sequence) } }
    }

    private func freshID() -> String {
        while true {
            let id = "device-\(made.add(1, ordering: .relaxed).newValue)"
            if !shards.withShard(ofID: id, { $0.has(id: id) }) { return id }
        }
    }

    func numberDevicesAnew() { made.store(0, ordering: .relaxed) }
    /// The number of devices that were made without an id.
    var madeCount: UInt64 { made.load(ordering: .relaxed) }

    /// Goes on with the devices of a snapshot.
    func restore(_ tables: [DeviceTable], madeCount: UInt64, _ clocks: ClockSet) {
        shards.restore(tables)
        made.store(madeCount, ordering: .relaxed)
        setClocks(clocks)
    }

    /// Has everything that a state or a budget holds back tried again by the next look, by other settings than before.
    func retryDeferred() {
        let time = time
        for shard in 0..<shards.shardCount {
            shards.withShard(shard) { $0.retryDeferred(at: time.now, clock: time.now(ofScope:)) }
        }
    }

    // MARK: Many devices

    /// Makes the devices of specifications, all or none; returns the specifications, with the ids that were given to
    /// those without, and the first of the devices; errors are below `place`, if one is given.
    func createAll(
        _ specifications: [DeviceSpecification], viewsMax: Int = 0, place: String? = nil
    ) throws(InputError) -> (specifications: [DeviceSpecification], views: [DeviceView]) {
        var made: [DeviceSpecification] = []
        var views: [DeviceView] = []
        for (index, specification) in specifications.enumerated() {
            var specification = specification
            if specification.id == nil { specification.id = freshID() }
            do throws(InputError) {
                views += try create(specification, viewsMax: viewsMax - views.count)
            } catch {
                for specification in made { for id in specification.ids { remove(id) } }
                throw place.map { error.within("\($0)/\(index)") } ?? error
            }
            made.append(specification)
        }
        return (made, views)
    }

    /// Makes the devices of a specification with an id, all or none; returns the first of them, up to `viewsMax`.
    ///
    /// The shards are filled on all processors, each in the order of the ids, so that the result is always the same.
    private func create(_ specification: DeviceSpecification, viewsMax: Int) throws(InputError) -> [DeviceView] {
        let ids = specification.ids
        let time = time
        var views: [DeviceView] = []
        for (index, id) in ids.prefix(viewsMax).enumerated() {
            do throws(InputError) {
                if let view = try create(specification, id: id, wantsView: true, at: time) { views.append(view) }
            } catch {
                for id in ids[..<index] { remove(id) }
                throw error
            }
        }
        var places = Array(repeating: [Int](), count: shards.shardCount)
        for index in ids.indices.dropFirst(viewsMax) { places[shards.home(ofID: ids[index])].append(index) }
        let parts = WorkThreads.map(places) { [self] places -> (made: ArraySlice<Int>, error: InputError?) in
            for (count, place) in places.enumerated() {
                do throws(InputError) {
                    _ = try create(specification, id: ids[place], wantsView: false, at: time)
                } catch {
                    return (places[..<count], error)
                }
            }
            return (places[...], nil)
        }
        // The error of the first device that can't be made.
        let failures = zip(places, parts).compactMap { places, part in
            part.error.map { (place: places[part.made.count], error: $0) }
        }
        if let failure = failures.min(by: { $0.place < $1.place }) {
            for id in ids.prefix(viewsMax) { remove(id) }
            for part in parts { for place in part.made { remove(ids[place]) } }
            throw failure.error
        }
        return views
    }

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
        forEach(where: filter) { device in
            guard let removed = remove(device.id) else { return }
            count += 1
            report(removed)
        }
        return count
    }

    /// The ids of the devices that a filter matches, in order.
    func ids(where filter: DeviceFilter) -> [String] {
        let time = time
        let readings = shards.forEachShard { table in
            table.ids(where: filter, at: time.now, clock: time.now(ofScope:))
        }
        report(readings.map(\.effects))
        return readings.flatMap(\.value).sorted()
    }

    // Visits the devices by id, in pieces, so that no shard is locked for long.
    private func forEach(where filter: DeviceFilter, _ body: (DeviceView) -> Void) {
        var last: DevicePlace?
        while true {
            let (devices, _) = list(where: filter, after: last, limit: DeviceFleet.pieceCount)
            guard let end = devices.last?.place else { return }
            devices.forEach(body)
            last = end
        }
    }

    /// Lists up to `limit` devices, those after a place in the order, and counts all that match.
    func list(
        in order: DeviceOrder = DeviceOrder(), where filter: DeviceFilter, after start: DevicePlace?, limit: Int,
        at time: DeviceTime? = nil
    ) -> (devices: [DeviceView], matched: Int) {
        let time = time ?? self.time
        var found: [DeviceView] = []
        var matched: Int = 0
        var effects: [Effects] = []
        for shard in 0..<shards.shardCount {
            // When devices of earlier shards fill the list, later ones need not be read.
            let end = found.count == limit ? found.last?.place : nil
            let reading = shards.withShard(shard) { table in
                table.list(
                    in: order, after: start, before: end, limit: limit, where: filter, at: time.now,
                    clock: time.now(ofScope:))
            }
            effects.append(reading.effects)
            matched += reading.value.matched
            guard !reading.value.devices.isEmpty else { continue }
            found = Array(
                (found + reading.value.devices).sorted { order.isBefore($0.place, $1.place) }.prefix(limit))
        }
        report(effects)
        return (found, matched)
    }

    /// The fleets by ID.
    func fleets() -> [DeviceFleetView] {
        shards.forEachShard { $0.fleets() }.reduce(into: [String: DeviceFleetView]()) { all, part in
            all.merge(part) { one, other in
                var sum = one
                sum.add(other)
                return sum
            }
        }.values.sorted { $0.id < $1.id }
    }

    func scopeCounts() -> [String: Int] {
        shards.forEachShard { $0.scopeCounts() }.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
}

extension ClockSet {
    /// Whether the scope `owner` uses the clock of `scope`, or with `nil` the server's.
    func areSame(_ scope: String?, _ owner: String?) -> Bool {
        guard let scope else { return owner.map { !hasClock($0) } ?? true }
        return owner == scope
    }
}
