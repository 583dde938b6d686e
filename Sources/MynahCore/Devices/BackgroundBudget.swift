internal import APNsRules

/// The background pushes that an app was given within the last hour (`DeviceBehaviour#From-APNs-to-the-device`).
struct BackgroundBudget: Sendable {
    // Oldest first; never more than the budget.
    private var deliveries: [Instant] = []

    /// When the app may get another background push: now, or an hour after the oldest counted one.
    func nextFree(budget: Int, at now: Instant) -> Instant? {
        guard deliveries.count >= budget else { return now }
        return deliveries.first.map { max(now, $0.advanced(by: DeviceSettings.backgroundBudgetWindow)) }
    }

    mutating func count(at now: Instant, budget: Int) {
        deliveries.append(now)
        if deliveries.count > budget { deliveries.removeFirst(deliveries.count - budget) }
    }
}
