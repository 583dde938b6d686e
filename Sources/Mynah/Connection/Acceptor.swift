internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// Puts the handlers into each connection that one listener accepts, on the connection's own loop.
struct Acceptor: Sendable {
    /// What the listener speaks.
    enum Binding: Sendable {
        /// HTTP/2 over TLS, maybe bound to an environment; one that came through the proxy goes to the environment of
        /// the name that it asked the proxy for, where neither port nor server name tells.
        case tls(APNsEnvironment?, asked: APNsEnvironment? = nil)
        /// HTTP/2 with prior knowledge, or HTTP/1.1.
        case cleartext
    }

    let core: ServerCore
    let loops: LoopStates
    let connections: ConnectionTable
    let gate: ConnectionGate?
    let binding: Binding

    /// Sets a new connection up.
    func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let loop = loops.current(channel.eventLoop)
            if let gate, !gate.admits(channel.remoteAddress, at: loop.now) { try refuse(channel) }
            let number = connections.takeNumber()
            var idleFaults: [(action: FaultAction, tally: FaultTally)] = []
            let firing = claimFault(number, loop) { idleFaults.append(($0, $1)) }
            if case .refuse? = firing?.action.kind { try refuse(channel) }
            if core.faults.refusesConnections { try refuse(channel) }
            let peer = channel.remoteAddress.map { Acceptor.text(of: $0) } ?? "unknown"
            var limits = ConnectionLimits(
                handshakeTimeout: TimeAmount(core.settings.handshakeTimeout),
                streams: core.settings.streamLimits.beforeTrust, grace: TimeAmount(core.settings.shutdownGrace))
            limits.requestTimeout = TimeAmount(core.settings.requestTimeout)
            switch binding {
            case .tls(let environment, let asked):
                let facts = ConnectionFacts(id: number, peer: peer, portEnvironment: environment, tls: nil)
                let path = PushPath(
                    server: core, loop: loop, facts: facts, connections: connections, channel: channel,
                    environment: asked)
                let handler = try ConnectionHandler(
                    loop: loop.wire, usesTLS: true, responder: path, facts: facts, limits: limits)
                try channel.pipeline.syncOperations.addHandler(handler)
                begin(path, firing, idleFaults)
            case .cleartext:
                let facts = ConnectionFacts(id: number, peer: peer, portEnvironment: nil, tls: nil)
                let path = PushPath(
                    server: core, loop: loop, facts: facts, connections: connections, channel: channel)
                let handler = CleartextHandler(loop: loop.wire, responder: path, facts: facts, limits: limits)
                try channel.pipeline.syncOperations.addHandler(handler)
                begin(path, firing, idleFaults)
            }
            connections.add(channel, number)
        }
    }

    /// Does what faults want of a connection as soon as it is accepted.
    private func begin(
        _ path: PushPath, _ firing: FaultFiring?, _ idleFaults: [(action: FaultAction, tally: FaultTally)]
    ) {
        for fault in idleFaults { path.watch(fault.action, fault.tally) }
        if let act = firing.flatMap({ path.carryOut($0) }) {
            path.channel.pipeline.triggerUserOutboundEvent(ConnectionCommand.act(act), promise: nil)
        }
    }

    /// Resets a connection before anything is read from it.
    private func refuse(_ channel: any Channel) throws {
        connections.noteRefused()
        channel.resetAndClose()
        throw ConnectionGate.Refused()
    }

    /// The rule that acts on a connection as soon as it is accepted.
    private func claimFault(
        _ number: UInt64, _ loop: LoopState, watch: (FaultAction, FaultTally) -> Void
    ) -> FaultFiring? {
        guard loop.faults.contains(.accept) else { return nil }
        var environment: APNsEnvironment?
        if case .tls(let bound, let named) = binding { environment = bound ?? named }
        var asked = FaultFacts(.accept, connection: number, environment: environment, now: loop.now)
        return loop.faults.claim(&asked, watch: watch)
    }

    static func text(of address: SocketAddress) -> String {
        let port = address.port.map { ":\($0)" } ?? ""
        guard let ip = address.ipAddress else { return "unknown" }
        return ip.contains(":") ? "[\(ip)]\(port)" : "\(ip)\(port)"
    }
}
