internal import APNsRules
internal import MynahCore
internal import NIOCore
internal import Synchronization

/// The state that all connections of a server share.
final class Simulation: Sendable {
    let settings: Settings
    let wall = Wall()
    let journal: JournalStore
    let devices: DeviceFleet
    let channels: ChannelStore
    let events: EventLog
    let trust: TrustStore
    let webPushAddress = WebPushAddress()
    let vapidTokens = VapidTokenUses()
    let log: ConnectionLog
    let faults: FaultStore
    /// The seed of every random choice, given or drawn.
    let seed: UInt64
    let random: ConnectionRandomSource
    let baseline: Mutex<Baseline>
    /// Whether the fixtures and scenarios of the run's first start are in it.
    var isLoaded: Bool { baseline.withLock { $0.isLoaded } }
    /// The numbers of the connections whose pushes and events are in the order of changes.
    let connectionNumbers = OrderedNumbers()
    // Held from the first step of a change of clocks to the last.
    let clockChanges = Mutex(())

    init(
        settings: Settings, seed: UInt64, journal: JournalStore, trust: TrustStore, log: ConnectionLog,
        clock: ClockState
    ) {
        self.settings = settings
        self.seed = seed
        baseline = Mutex(Baseline(clock: clock))
        self.random = ConnectionRandomSource(seed: seed)
        self.journal = journal
        self.trust = trust
        self.log = log
        var deviceSettings = DeviceSettings(settings)
        deviceSettings.webPush = webPushAddress.service
        let devices = DeviceFleet(
            settings: deviceSettings, seed: seed, clock: clock, wall: wall, journal: journal)
        let events = EventLog(journal: journal, wall: wall) { devices.time.now }
        channels = ChannelStore(seed: seed, fleet: devices, journal: journal, events: events)
        self.devices = devices
        self.events = events
        self.faults = FaultStore(hasMagicTokens: settings.hasMagicTokens, events: events)
        journal.onOutcomes { [weak events] in events?.record(outcomes: $0) }
        devices.onActivityChanges { [weak events] in events?.record(activities: $0) }
        devices.onFollower { [weak channels] in channels?.catchUp($0) }
        journal.onSettle { [weak self] in self?.look() }
    }

    /// Starts to do what falls due, until ``end()``; the loop keeps the time.
    ///
    /// - Parameter look: Called in place of ``look()``, where changes have one order.
    func begin(on loop: any EventLoop, look given: (@Sendable () async -> Void)? = nil) {
        let look = given ?? { [weak self] in _ = self?.look() }
        journal.onSettle(look)
        devices.begin(on: loop, look: look)
        events.begin { [weak devices] in devices?.scheduleLook(within: $0) }
    }

    /// Does all that has fallen due on devices and channels and in scenarios, each at its own time; returns the time up
    /// to which.
    ///
    /// Whatever reads them does this first, and then reads them as of that time, which changes nothing; so does a timer.
    /// How often it is done makes no difference but for the numbers that changes of outcomes take.
    @discardableResult
    func look() -> DeviceTime { Look().apply(to: self) }

    /// Has ``look()`` called when the next step of a scenario or the next broadcast that was held back is due.
    func watchDue() { watchDue(at: devices.time) }

    func watchDue(at time: DeviceTime) {
        let running = nextDues.filter { time.clocks[$0.scope].mode != .frozen }
        guard let delay = running.map({ $0.at.since(time.now(ofScope: $0.scope)) }).min() else { return }
        devices.scheduleLook(within: delay)
    }

    /// When something is due next on the clock of a scope, or with `nil` on the server's.
    func nextDue(ofScope scope: String?) -> Instant? {
        let clocks = devices.currentClocks
        let moments = nextDues.filter { clocks.areSame(scope, $0.scope) }.map(\.at)
        return ([devices.nextDue(ofScope: scope)] + moments).compactMap(\.self).min()
    }

    /// Whether ``look()`` would find something due at a time.
    func isDue(at time: DeviceTime) -> Bool {
        if nextDues.contains(where: { $0.at <= time.now(ofScope: $0.scope) }) { return true }
        return channels.read { $0.nextExpiry }.map { $0 <= time.now } ?? false || events.isPendingDue(at: time.wall)
            || devices.isDue(at: time)
    }

    // What is due on clocks besides what is due on devices: with `nil`, on the server's.
    private var nextDues: [(scope: String?, at: Instant)] {
        var moments = faults.nextScenarioMoments
        if let held = channels.nextHeldDue { moments.append((nil, held)) }
        return moments
    }

    func end() {
        devices.end()
        events.end()
    }
}

extension DeviceSettings {
    init(_ settings: Settings) {
        self.init()
        policy = settings.devices == .open ? .open : .strict
        unregisterDelay = settings.unregisterDelay
        backgroundBudget = settings.backgroundBudget
        activityBudget = settings.activityBudget
        deferralMax = settings.deferralMax
        requestLimit = settings.requestLimit
        reservedTokens = settings.hasMagicTokens ? Set(MagicTokens.all.map(\.token)) : []
        let allowed = settings.rules.tokenByteCounts
        issuedTokenByteCount =
            settings.issuedTokenByteCount
            ?? min(max(issuedTokenByteCount, allowed.lowerBound), allowed.upperBound)
    }
}
