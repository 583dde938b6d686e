internal import MynahCore

extension DeviceSettings {
    /// What a server's settings say of devices.
    init(_ settings: Settings) {
        self.init()
        policy = settings.devices == .open ? .open : .strict
        unregisterDelay = settings.unregisterDelay
        backgroundBudget = settings.backgroundBudget
        deferralMax = settings.deferralMax
        issuedTokenByteCount = settings.issuedTokenByteCount
    }
}
