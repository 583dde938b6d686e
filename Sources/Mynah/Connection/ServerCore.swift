internal import APNsRules
internal import MynahCore

/// Everything that all connections of a server share.
final class ServerCore: Sendable {
    let settings: Settings
    let journal: JournalStore
    let devices: DeviceFleet
    let events: EventLog
    let trust: TrustStore
    let log: ConnectionLog
    let faults: FaultStore
    /// The seed of every random choice, given or drawn.
    let seed: UInt64
    let random: ConnectionRandomSource

    init(
        settings: Settings, seed: UInt64, journal: JournalStore, trust: TrustStore, log: ConnectionLog,
        clock: ClockState
    ) {
        (self.settings, self.seed) = (settings, seed)
        self.random = ConnectionRandomSource(seed: seed)
        (self.journal, self.trust, self.log) = (journal, trust, log)
        let devices = DeviceFleet(settings: DeviceSettings(settings), seed: seed, clock: clock, journal: journal)
        let events = EventLog(journal: journal) { devices.time.now }
        (self.devices, self.events) = (devices, events)
        self.faults = FaultStore(hasMagicTokens: settings.hasMagicTokens, events: events)
        journal.onOutcomes { [weak events] in events?.note(outcomes: $0) }
        // Reading the journal first processes what is due.
        journal.onSettle { [weak devices] in _ = devices?.settle() }
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
        deferralMax = settings.deferralMax
        requestLimit = settings.requestLimit.map { RequestLimit(count: $0.count, period: $0.period) }
        reservedTokens = settings.hasMagicTokens ? Set(MagicTokens.all.map(\.token)) : []
        let allowed = settings.rules.tokenByteCounts
        // Shorter tokens would soon be exhausted.
        issuedTokenByteCount =
            settings.issuedTokenByteCount
            ?? min(max(issuedTokenByteCount, allowed.lowerBound), max(allowed.upperBound, 8))
    }
}
