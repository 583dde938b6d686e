internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// Tells a connection from which nothing has come for so long of the server's clock to end: after `--idle-timeout`
/// (`provider-api.md`, decisions, *idle timeout*), or as a fault has it.
///
/// Lives on its connection's loop. To hear of bytes costs a stored moment; whether they came in time is asked when the
/// time would be over.
final class ConnectionIdleness {
    private let loop: LoopState
    private let channel: any Channel
    private let timeout: Duration
    private let command: ConnectionCommand
    private var lastHeard: Instant
    private var ticket: LoopState.Ticket?

    /// Begins to watch.
    init(_ channel: any Channel, loop: LoopState, timeout: Duration, command: ConnectionCommand) {
        self.loop = loop
        self.channel = channel
        self.timeout = timeout
        self.command = command
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
        channel.triggerUserOutboundEvent(command, promise: nil)
    }
}
