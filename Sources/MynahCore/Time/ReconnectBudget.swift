package import APNsRules

/// How many connections an address may open within a time (`ProviderAPI#GOAWAY`).
///
/// The time of an address begins with its first connection; when it is over, the next connection begins a new one.
/// Connections that were refused count for nothing.
package struct ReconnectBudget: Sendable {
    /// What is to be done with a connection.
    package enum Decision: Sendable, Equatable {
        /// Let it in.
        case admit
        /// Close it; `isFirst` with the first one of the address in this time.
        case refuse(isFirst: Bool)
    }

    private struct Window {
        let start: Instant
        var admitted = 0
        var hasRefused = false
    }

    /// Addresses that are remembered; beyond it the older half is forgotten, which lets them begin anew.
    package static let addressesMax = 4096

    /// Connections within ``period``.
    package let limit: Int
    /// The length of time.
    package let period: Duration
    private let addressesMax: Int
    private var windows: [String: Window] = [:]

    /// A budget of `limit` connections per address within `period`.
    package init(limit: Int, period: Duration, addressesMax: Int = ReconnectBudget.addressesMax) {
        precondition(limit > 0 && period > .zero && addressesMax > 0, "a budget admits something")
        self.limit = limit
        self.period = period
        self.addressesMax = addressesMax
    }

    /// How many addresses are remembered.
    package var addressCount: Int { windows.count }

    /// An address, without its port, opens a connection.
    package mutating func connect(from address: String, at now: Instant) -> Decision {
        var window = windows[address] ?? Window(start: now)
        if now.since(window.start) >= period { window = Window(start: now) }
        let decision: Decision
        if window.admitted < limit {
            window.admitted += 1
            decision = .admit
        } else {
            decision = .refuse(isFirst: !window.hasRefused)
            window.hasRefused = true
        }
        if windows[address] == nil { makeRoom(at: now) }
        windows[address] = window
        return decision
    }

    private mutating func makeRoom(at now: Instant) {
        guard windows.count >= addressesMax else { return }
        windows = windows.filter { now.since($0.value.start) < period }
        guard windows.count >= addressesMax else { return }
        let byAge = windows.sorted { $0.value.start < $1.value.start }
        for (address, _) in byAge.prefix((addressesMax + 1) / 2) { windows[address] = nil }
    }
}
