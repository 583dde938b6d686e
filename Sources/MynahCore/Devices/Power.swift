internal import APNsRules

/// How much power a device has to spend (`DeviceBehaviour#From-APNs-to-the-device`).
public enum Power: String, CaseIterable, Sendable {
    /// Power doesn't hold back any push.
    case normal
    /// Low Power Mode holds back priorities 5 and 1, and background pushes.
    case low
    /// A sleeping device holds back priorities 5 and 1; priority 10 wakes it for that push alone.
    case asleep

    /// Why power holds a push back, and when it is delivered in any case (at priority 1 never, since that does not wake a
    /// device); `nil` if it is delivered now.
    func deferral(
        of priority: Priority, isBackground: Bool, acceptedAt: Instant, deferralMax: Duration?, at now: Instant
    ) -> (reason: String, until: Instant?)? {
        switch self {
        case .normal: return nil
        case .low where priority == .immediate && !isBackground: return nil
        case .asleep where priority == .immediate: return nil
        default: break
        }
        let end = priority == .powerConsiderate ? deferralMax.map { acceptedAt.advanced(by: $0) } : nil
        if let end, end <= now { return nil }
        return (self == .low ? "low power mode" : "device asleep", end)
    }
}

extension Power: DocumentValue {}
