internal import APNsRules
internal import MynahCore

extension DeviceSettings {
    init(_ settings: Settings) {
        self.init()
        policy = settings.devices == .open ? .open : .strict
        unregisterDelay = settings.unregisterDelay
        backgroundBudget = settings.backgroundBudget
        deferralMax = settings.deferralMax
        reservedTokens = settings.hasMagicTokens ? Set(MagicTokens.all.map(\.token)) : []
        let allowed = settings.rules.tokenByteCounts
        // Shorter tokens would soon be exhausted.
        issuedTokenByteCount =
            settings.issuedTokenByteCount
            ?? min(max(issuedTokenByteCount, allowed.lowerBound), max(allowed.upperBound, 8))
    }
}
