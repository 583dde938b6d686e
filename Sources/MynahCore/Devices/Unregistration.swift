internal import APNsRules

/// How a token ended: the app was removed or has a newer token, and APNs answers 410 once it has noticed
/// (`ProviderAPI#Storage-and-throttling`).
struct Unregistration: Sendable {
    let endedAt: Instant
    /// When APNs notices, which is the `timestamp` of the 410; `nil` until the newer token is issued.
    var noticedAt: Instant?
    /// Whether the token was registered as one that has ended, and is refused whatever the time.
    var isRefusedAtOnce = false

    /// The 410 of a registration that has ended, or `nil` while APNs has not noticed.
    func refusal(_ state: RegistrationState, at now: Instant) -> Refusal? {
        guard let noticedAt, noticedAt <= now || isRefusedAtOnce else { return nil }
        return state == .unregistered
            ? Refusal(
                .unregistered, "APNs noticed at \(noticedAt.rfc3339) that the app was removed", timestamp: noticedAt)
            : Refusal(.expiredToken, "a newer token replaced this one at \(noticedAt.rfc3339)", timestamp: noticedAt)
    }

    /// Why a push that APNs still accepts does not arrive.
    static func discardReason(_ state: RegistrationState) -> String {
        state == .unregistered
            ? "the app was removed, which APNs has not noticed yet"
            : "the app has or will get a newer token, which APNs has not noticed yet"
    }
}

extension DeviceTable {
    /// Ends a registration's token; what waits for it is discarded.
    ///
    /// - Parameter isNoticed: Whether APNs notices by itself, or only after the app has a newer token.
    mutating func end(
        _ slot: Int32, _ state: RegistrationState, at now: Instant, isNoticed: Bool, _ effects: inout Effects
    ) {
        let why = state == .unregistered ? "the app was removed" : "the app needs another token"
        discardWaiting(slot, at: now, why, &effects)
        tokens[slot].state = state
        tokens[slot].detail.orDefault.unregistration = Unregistration(
            endedAt: now, noticedAt: isNoticed ? tokens.noticed(slot, after: now) : nil)
    }

    /// Lets APNs notice that the app's older tokens have ended, now that it has a newer one or is gone.
    mutating func noticePredecessors(of slot: Int32, at now: Instant) {
        for other in tokens.siblings(of: slot, on: devices[tokens[slot].device])
        where tokens[other].state == .expired && tokens[other].detail.value?.unregistration?.noticedAt == nil {
            let noticedAt = tokens.noticed(other, after: now)
            tokens[other].detail.orDefault.unregistration?.noticedAt = noticedAt
        }
    }
}
