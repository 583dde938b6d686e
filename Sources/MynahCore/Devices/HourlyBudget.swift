internal import APNsRules

/// The pushes of a limited kind that an app was given within the last hour: background pushes
/// (`DeviceBehaviour#From-APNs-to-the-device`), or the updates of its Live Activities with priority 10
/// (`DeviceBehaviour#Live-Activities`).
struct HourlyBudget: Sendable {
    // Oldest first; never more than the budget was at the last one.
    private var deliveries: [Instant] = []

    /// When the app may get another one: now, or an hour after the oldest that the budget counts.
    func nextFree(budget: Int, at now: Instant) -> Instant? {
        guard deliveries.count >= budget else { return now }
        return deliveries.suffix(budget).first.map { max(now, $0.advanced(by: DeviceSettings.budgetWindow)) }
    }

    mutating func count(at now: Instant, budget: Int) {
        deliveries.append(now)
        if deliveries.count > budget { deliveries.removeFirst(deliveries.count - budget) }
    }
}

extension HourlyBudget: ByteRecord {
    static let members = ByteMembers(HourlyBudget.init) { $0.deliveries }
}
