internal import APNsRules
internal import Logging
internal import MynahWire
internal import NIOCore
internal import Synchronization

/// The proxy of a server (`ControlAPI#Proxy`): which targets lead to the server, and the tunnels to others; a
/// connection that leads to the server belongs to it from then on.
final class Proxy: ProxyOwner {
    private struct State {
        // The tunnels' channels, without connections that belong to the server.
        var channels: [ObjectIdentifier: any Channel] = [:]
        var tunnelCount = 0
    }

    private let names: ProxyNames
    private let limits: ProxyLimits
    private let acceptor: @Sendable (Acceptor.Binding) -> Acceptor
    private let logger: Logger
    private let warnings: ClientWarnings
    private let state = Mutex(State())

    init(
        names: ProxyNames, handshakeTimeout: Duration, logger: Logger, warnings: ClientWarnings,
        acceptor: @escaping @Sendable (Acceptor.Binding) -> Acceptor
    ) {
        self.names = names
        var limits = ProxyLimits()
        limits.headTimeout = TimeAmount(handshakeTimeout)
        self.limits = limits
        self.acceptor = acceptor
        self.logger = logger
        self.warnings = warnings
    }

    func begin(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ConnectProxy(owner: self, limits: limits))
            let id = ObjectIdentifier(channel)
            state.withLock { $0.channels[id] = channel }
            channel.closeFuture.whenComplete { [weak self] _ in self?.forget(id) }
        }
    }

    private func forget(_ id: ObjectIdentifier) { state.withLock { _ = $0.channels.removeValue(forKey: id) } }
    var tunnelCount: Int { state.withLock { $0.tunnelCount } }

    func destination(of target: ConnectTarget, for channel: any Channel) throws(ProxyRefusal) -> ProxyDestination {
        if names.binding(of: target) != nil { return .server }
        // The address that the listener is bound to, not the one that this client used.
        let bound = channel.parent?.localAddress
        guard let bound, bound.isLoopback else { throw .otherTarget(target, bound: Acceptor.text(of: bound)) }
        guard FileDescriptors.hasUnreserved else { throw .noDescriptors }
        let isAdmitted = state.withLock { state in
            guard state.tunnelCount < limits.tunnelsMax else { return false }
            state.tunnelCount += 1
            return true
        }
        guard isAdmitted else { throw .tooManyTunnels(limits.tunnelsMax) }
        logger.debug("the proxy tunnels to \(target)", metadata: metadata(channel))
        return .tunnel
    }

    func accept(_ channel: any Channel, for target: ConnectTarget) {
        guard let binding = names.binding(of: target) else {
            preconditionFailure("only what leads to this server is accepted by it")
        }
        forget(ObjectIdentifier(channel))
        acceptor(binding).accept(channel).whenFailure { _ in channel.close(promise: nil) }
    }

    func tunnelEnded() { state.withLock { $0.tunnelCount -= 1 } }

    func refused(_ refusal: ProxyRefusal, _ channel: any Channel) {
        warnings.warn("the proxy answered \(refusal.status): \(refusal)", metadata(channel))
    }

    private func metadata(_ channel: any Channel) -> Logger.Metadata {
        ["peer": "\(Acceptor.text(of: channel.remoteAddress))"]
    }

    /// Ends the connections that are not tunnels yet, once nothing more is accepted.
    func stop() async {
        for channel in state.withLock({ Array($0.channels.values) }) {
            // A tunnel ignores the command to stop.
            try? await channel.triggerUserOutboundEvent(ProxyCommand.stop)
        }
    }

    func end() async {
        for channel in state.withLock({ Array($0.channels.values) }) {
            // Fails only if the channel is closed already.
            try? await channel.close()
        }
    }
}
