internal import APNsRules
internal import MynahCore

/// Notices that nothing has arrived on a connection for a time of the server's clock, `--idle-timeout`
/// (`ProviderAPI#Idle-connections`) or a fault's; arriving bytes only store a moment, which is checked when the time
/// would be over.
final class ConnectionIdleness {
    private let loop: LoopState
    private let timeout: Duration
    private let act: () -> Void
    private var lastHeard: Instant
    private var ticket: LoopState.Ticket?

    /// Starts watching; `act` is called once, when the time is over.
    init(on loop: LoopState, timeout: Duration, _ act: @escaping () -> Void) {
        self.loop = loop
        self.timeout = timeout
        self.act = act
        self.lastHeard = loop.now
        scheduleCheck()
    }

    func recordInput() { lastHeard = loop.now }

    func end() {
        if let ticket { loop.cancel(ticket) }
        ticket = nil
    }

    private func scheduleCheck() {
        // Weak, so that a task in an hour doesn't keep alive a connection that ends earlier.
        ticket = loop.schedule(at: lastHeard.advanced(by: timeout)) { [weak self] in self?.checkIdleness() }
    }

    private func checkIdleness() {
        guard loop.now.since(lastHeard) >= timeout else { return scheduleCheck() }
        ticket = nil
        act()
    }
}
