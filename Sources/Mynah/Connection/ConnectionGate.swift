internal import APNsRules
internal import MynahCore
internal import NIOCore
internal import Synchronization

/// Refuses connections of clients that connect too often (`--reconnect-limit`), before anything is read.
final class ConnectionGate: Sendable {
    /// A connection was refused.
    struct Refused: Error {}

    private let budget: Mutex<ReconnectBudget>
    private let warnings: ClientWarnings

    init?(_ limit: Settings.ReconnectLimit?, warnings: ClientWarnings) {
        guard let limit else { return nil }
        self.budget = Mutex(ReconnectBudget(limit: limit.count, period: limit.period))
        self.warnings = warnings
    }

    /// Counts a connection, from a loopback address too; returns whether it is accepted.
    func admits(_ address: SocketAddress?, at now: Instant) -> Bool {
        let ip = address?.ipAddress ?? "unknown"
        let (decision, limit, period) = budget.withLock {
            ($0.connect(from: ip, at: now), $0.limit, $0.period)
        }
        switch decision {
        case .admit: return true
        case .refuse(let isFirst):
            if isFirst {
                let allowed = "\(limit) connections within \(DurationText.text(period))"
                warnings.warn(
                    "\(ip) opened more than \(allowed): further ones are reset until then (--reconnect-limit)")
            }
            return false
        }
    }
}
