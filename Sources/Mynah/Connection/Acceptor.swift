internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore
internal import Synchronization

/// Sets up the connections that one listener accepts, on each connection's own loop.
struct Acceptor: Sendable {
    enum Binding: Sendable {
        /// HTTP/2 over TLS, possibly bound to an environment; `asked`, the environment of a proxy's target, counts
        /// after the server name.
        case tls(APNsEnvironment?, asked: APNsEnvironment? = nil)
        /// Channel management over TLS, with the environments as for pushes.
        case channels(APNsEnvironment?, asked: APNsEnvironment? = nil)
        /// HTTP/2 or HTTP/1.1 over TLS, for web pushes.
        case webPush
        /// HTTP/2 with prior knowledge, or HTTP/1.1, for everything.
        case cleartext
    }

    let simulation: Simulation
    let loops: LoopStates
    let connections: ConnectionTable
    let gate: ConnectionGate?
    let binding: Binding

    func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            guard try !setUp(channel) else { return }
            connections.countRefused()
            channel.resetAndClose()
            throw ChannelError.ioOnClosedChannel
        }
    }

    /// Sets up a connection; returns whether it is accepted.
    private func setUp(_ channel: any Channel) throws -> Bool {
        let loop = loops.current(channel.eventLoop)
        if gate?.admits(channel.remoteAddress, at: loop.now) == false { return false }
        guard loop.order?.isFull != true, let number = connections.takeNumber() else { return false }
        var portEnvironment: APNsEnvironment? = nil
        var asked: APNsEnvironment? = nil
        var service: APNsService?
        switch binding {
        case .tls(let port, let name):
            portEnvironment = port
            asked = name
            service = .pushes
        case .channels(let port, let name):
            portEnvironment = port
            asked = name
            service = .channels
        case .webPush: service = .webPush
        case .cleartext: break
        }
        var idleCloses: [IdleClose] = []
        var firing: FaultFiring?
        if loop.faults.contains(.accept) {
            var facts = FaultFacts(
                .accept, connection: number, environment: portEnvironment ?? asked, now: loop.now)
            firing = loop.claim(&facts) { idleCloses.append(IdleClose(action: $0, tally: $1)) }
        }
        if case .refuse? = firing?.action.kind { return false }
        if simulation.faults.refusesConnections { return false }

        let peer = Acceptor.text(of: channel.remoteAddress)
        let facts = ConnectionFacts(id: number, peer: peer, portEnvironment: portEnvironment, service: service)
        let path = PushPath(
            loop: loop, facts: facts, connections: connections, channel: channel,
            defaultEnvironment: asked)
        var limits = ConnectionLimits(
            handshakeTimeout: TimeAmount(simulation.settings.handshakeTimeout),
            streams: simulation.settings.streamLimits.beforeTrust,
            grace: TimeAmount(simulation.settings.shutdownGrace))
        limits.requestTimeout = TimeAmount(simulation.settings.requestTimeout)
        let handler: any ChannelHandler =
            switch binding {
            case .tls, .channels, .webPush:
                try ConnectionHandler(loop: loop.wire, usesTLS: true, responder: path, limits: limits)
            case .cleartext: CleartextHandler(loop: loop.wire, responder: path, limits: limits)
            }
        // HTTP/1.1 keeps what it has read of a request.
        if case .cleartext = binding {} else { try loop.wire.readBuffer.serve(channel) }
        try channel.pipeline.syncOperations.addHandler(handler)
        for close in idleCloses { path.watch(close) }
        if let act = firing.flatMap({ path.carryOut($0) }) {
            channel.pipeline.triggerUserOutboundEvent(ConnectionCommand.act(act), promise: nil)
        }
        connections.add(channel, number)
        return true
    }

    static func text(of address: SocketAddress?) -> String {
        guard let address, let ip = address.ipAddress else { return "unknown" }
        let port = address.port.map { ":\($0)" } ?? ""
        return ip.contains(":") ? "[\(ip)]\(port)" : "\(ip)\(port)"
    }
}

/// Refuses connections of clients that connect too often (`--reconnect-limit`), before anything is read.
final class ConnectionGate: Sendable {
    private let budget: Mutex<ReconnectBudget>
    private let warnings: ClientWarnings

    init?(_ limit: Settings.RateLimit?, warnings: ClientWarnings) {
        guard let limit else { return nil }
        self.budget = Mutex(ReconnectBudget(limit: limit.count, period: limit.period))
        self.warnings = warnings
    }

    /// Counts a connection, from a loopback address too; returns whether it is accepted.
    func admits(_ address: SocketAddress?, at now: Instant) -> Bool {
        let ip = address?.ipAddress ?? "unknown"
        let (decision, limit, period) = budget.withLock { ($0.connect(from: ip, at: now), $0.limit, $0.period) }
        guard case .refuse(let isFirst) = decision else { return true }
        if isFirst {
            let allowed = "\(limit) connections within \(DurationText.text(period))"
            warnings.warn("\(ip) opened more than \(allowed): further ones are reset until then (--reconnect-limit)")
        }
        return false
    }
}
