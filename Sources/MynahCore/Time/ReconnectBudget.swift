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
        let start: Instant
        var admitted = 0
        var hasRefused = false
    }

    /// The most addresses remembered; beyond it the older half is forgotten and begins anew.
    package static let addressesMax = 4096

    package let limit: Int
    package let period: Duration
    private let addressesMax: Int
    private var windows: [String: Window] = [:]

    package init(limit: Int, period: Duration, addressesMax: Int = ReconnectBudget.addressesMax) {
        precondition(limit > 0 && period > .zero && addressesMax > 0, "a budget admits something")
        (self.limit, self.period, self.addressesMax) = (limit, period, addressesMax)
    }

    package var addressCount: Int { windows.count }

    /// Counts a connection of an address, given without its port.
    package mutating func connect(from address: String, at now: Instant) -> Decision {
        var window = windows[address] ?? Window(start: now)
        if now.since(window.start) >= period { window = Window(start: now) }
        if windows[address] == nil { makeRoom(at: now) }
        defer { windows[address] = window }
        guard window.admitted < limit else {
            let isFirst = !window.hasRefused
            window.hasRefused = true
            return .refuse(isFirst: isFirst)
        }
        window.admitted += 1
        return .admit
    }

    private mutating func makeRoom(at now: Instant) {
        guard windows.count >= addressesMax else { return }
        windows = windows.filter { now.since($0.value.start) < period }
        guard windows.count >= addressesMax else { return }
        let byAge = windows.sorted { $0.value.start < $1.value.start }
        for (address, _) in byAge.prefix((addressesMax + 1) / 2) { windows[address] = nil }
    }
}
