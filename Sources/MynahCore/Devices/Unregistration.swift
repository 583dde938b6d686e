internal import APNsRules

/// How a token ended: the app was removed or has a newer token, and APNs answers 410 once it has noticed
/// (`ProviderAPI#Storage-and-throttling`).
struct Unregistration: Sendable {
    let endedAt: Instant
    /// When APNs notices, which is the `timestamp` of the 410; `nil` until the newer token is issued.
    var noticedAt: Instant?
    /// Whether the token belonged to a Live Activity, which has ended.
    var isOfActivity = false

    /// The 410 of a registration that has ended, or `nil` while APNs has not noticed.
    func refusal(_ state: RegistrationState, at now: Instant) -> Refusal? {
        guard let noticedAt, noticedAt <= now else { return nil }
        return state == .unregistered
            ? Refusal(
                .unregistered, "APNs noticed at \(noticedAt.rfc3339) that the app was removed", timestamp: noticedAt)
            : Refusal(
                .expiredToken,
                isOfActivity
                    ? "APNs noticed at \(noticedAt.rfc3339) that the Live Activity had ended"
                    : "a newer token replaced this one at \(noticedAt.rfc3339)", timestamp: noticedAt)
    }

    /// Why a push that APNs still accepts does not arrive.
    static func discardReason(_ state: RegistrationState, isOfActivity: Bool) -> String {
        if state == .unregistered { return "the app was removed, which APNs has not noticed yet" }
        return isOfActivity
            ? "the Live Activity has ended, which APNs has not noticed yet"
            : "the app has or will get a newer token, which APNs has not noticed yet"
    }
}

extension Unregistration: ByteRecord {
    static let members = ByteMembers(Unregistration.init) { ($0.endedAt, $0.noticedAt, $0.isOfActivity) }
}
