package import APNsRules

/// Limits how many connections an address may open within a period (`ProviderAPI#GOAWAY`), which begins with its first
/// connection, or the first one after the last period's end; refused connections do not count.
package struct ReconnectBudget: Sendable {
    package enum Decision: Sendable, Equatable {
        case admit
        /// `isFirst` for the first refusal of the address in this period.
        case refuse(isFirst: Bool)
    }

    private struct Window {
        var period: RateLimitPeriod
        var hasRefused = false
    }

    /// The most addresses remembered; beyond it the older half is forgotten and begins anew.
    package static let addressesMax = 4096

    private let rate: RateLimit
    private let addressesMax: Int
    private var windows: [String: Window] = [:]

    package init(limit: Int, period: Duration, addressesMax: Int = ReconnectBudget.addressesMax) {
        precondition(limit > 0 && period > .zero && addressesMax > 0, "a budget admits something")
        rate = RateLimit(count: limit, period: period)
        self.addressesMax = addressesMax
    }

    package var limit: Int { rate.count }
    package var period: Duration { rate.period }
    package var addressCount: Int { windows.count }

    /// Counts a connection of an address, given without its port.
    package mutating func connect(from address: String, at now: Instant) -> Decision {
        var window = windows[address] ?? Window(period: RateLimitPeriod(start: now))
        if windows[address] == nil { makeRoom(at: now) }
        defer { windows[address] = window }
        let isAccepted = window.period.accept(at: now, rate)
        let isFirst = !window.hasRefused
        window.hasRefused = !isAccepted
        return isAccepted ? .admit : .refuse(isFirst: isFirst)
    }

    private mutating func makeRoom(at now: Instant) {
        guard windows.count >= addressesMax else { return }
        windows = windows.filter { now.since($0.value.period.start) < period }
        guard windows.count >= addressesMax else { return }
        let byAge = windows.sorted { $0.value.period.start < $1.value.period.start }
        for (address, _) in byAge.prefix((addressesMax + 1) / 2) { windows[address] = nil }
    }
}
