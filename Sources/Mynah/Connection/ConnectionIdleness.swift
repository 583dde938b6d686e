internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// Notices that nothing has come on a connection for some time of the server's clock: `--idle-timeout`
/// (`ProviderAPI#Idle-connections`), or what a fault says.
///
/// Lives on its connection's loop. To hear of bytes costs a stored moment; whether they came in time is asked when the
/// time would be over.
final class ConnectionIdleness {
    private let loop: LoopState
    private let channel: any Channel
    private let timeout: Duration
    private let act: (any Channel) -> Void
    private var lastHeard: Instant
    private var ticket: LoopState.Ticket?

    /// Begins to watch; `act` is called once, when the time is over.
    init(_ channel: any Channel, loop: LoopState, timeout: Duration, _ act: @escaping (any Channel) -> Void) {
        self.loop = loop
        self.channel = channel
        self.timeout = timeout
        self.act = act
        self.lastHeard = loop.now
        lookLater()
    }

    /// The peer has sent something, whatever it is.
    func heard() { lastHeard = loop.now }

    /// Nothing is to be watched any more.
    func end() {
        if let ticket { loop.cancel(ticket) }
        ticket = nil
    }

    private func lookLater() {
        // Weak, because what falls due in an hour would hold a connection that ends before.
        ticket = loop.schedule(at: lastHeard.advanced(by: timeout)) { [weak self] in self?.look() }
    }

    private func look() {
        guard loop.now.since(lastHeard) >= timeout else { return lookLater() }
        ticket = nil
        act(channel)
    }
}
