internal import APNsRules
internal import MynahCore

extension DeviceSettings {
    /// What a server's settings say of devices.
    init(_ settings: Settings) {
        self.init()
        policy = settings.devices == .open ? .open : .strict
        unregisterDelay = settings.unregisterDelay
        backgroundBudget = settings.backgroundBudget
        deferralMax = settings.deferralMax
        reservedTokens = settings.hasMagicTokens ? Set(MagicTokens.all.map(\.token)) : []
        let allowed = settings.rules.tokenByteCounts
        // Shorter than this, different ones would soon run out.
        issuedTokenByteCount =
            settings.issuedTokenByteCount
            ?? min(max(issuedTokenByteCount, allowed.lowerBound), max(allowed.upperBound, 8))
    }
}
