internal import APNsRules
internal import MynahCore
internal import NIOCore
internal import Synchronization

/// Everything that all connections of a server share.
final class ServerCore: Sendable {
    let settings: Settings
    let journal: JournalStore
    let devices: DeviceFleet
    let channels: ChannelStore
    let events: EventLog
    let trust: TrustStore
    let log: ConnectionLog
    let faults: FaultStore
    /// The seed of every random choice, given or drawn.
    let seed: UInt64
    let random: ConnectionRandomSource
    let baseline: Mutex<Baseline>

    init(
        settings: Settings, seed: UInt64, journal: JournalStore, trust: TrustStore, log: ConnectionLog,
        clock: ClockState
    ) {
        (self.settings, self.seed) = (settings, seed)
        baseline = Mutex(Baseline(clock: clock))
        self.random = ConnectionRandomSource(seed: seed)
        (self.journal, self.trust, self.log) = (journal, trust, log)
        let devices = DeviceFleet(settings: DeviceSettings(settings), seed: seed, clock: clock, journal: journal)
        let events = EventLog(journal: journal) { devices.time.now }
        channels = ChannelStore(seed: seed, fleet: devices, journal: journal, events: events)
        (self.devices, self.events) = (devices, events)
        self.faults = FaultStore(hasMagicTokens: settings.hasMagicTokens, events: events)
        journal.onOutcomes { [weak events] in events?.note(outcomes: $0) }
        devices.onActivityChanges { [weak events] in events?.note(activities: $0) }
        devices.onFollower { [weak channels] in channels?.catchUp($0) }
        journal.onSettle { [weak self] in self?.look() }
    }

    /// Starts to do what falls due, until ``end()``; the loop keeps the time.
    func begin(on loop: any EventLoop) {
        devices.begin(on: loop) { [weak self] in self?.look() }
        events.begin(on: loop)
    }

    /// Does all that has fallen due on devices and channels, each at its own time; returns the time up to which.
    ///
    /// Whatever reads them does this first, and then reads them as of that time, which changes nothing; so does a timer.
    /// How often it is done makes no difference but for the numbers that changes of outcomes take.
    @discardableResult
    func look() -> DeviceTime {
        let time = devices.time
        devices.settle(at: time)
        channels.settle(at: time.now)
        return time
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
        // Shorter tokens would soon be exhausted.
        issuedTokenByteCount =
            settings.issuedTokenByteCount
            ?? min(max(issuedTokenByteCount, allowed.lowerBound), max(allowed.upperBound, 8))
    }
}
