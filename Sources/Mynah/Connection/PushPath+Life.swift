internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// The connection around its requests: handshake, opening, failure, end.
extension PushPath {
    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict {
        server.trust.judgeCertificate(chain: chain, at: loop.now)
    }

    func handshakeBegins(serverName: String?) -> HandshakeAnswer {
        self.serverName = serverName
        environment = environment(ofServerName: serverName)
        guard loop.faults.contains(.handshake) else { return .proceed }
        var asked = FaultFacts(.handshake, connection: facts.id, environment: environment, now: loop.now)
        guard let firing = claim(&asked) else { return .proceed }
        if case .tls(let fault) = firing.action.kind { return .tls(fault) }
        return carryOut(firing).map { .act($0) } ?? .proceed
    }

    /// Carries out a fault of a connection that has sent no request; returns what the wire does at once.
    func carryOut(_ firing: FaultFiring) -> WireAct? {
        guard let act = firing.action.wireAct else { return nil }
        guard let delay = firing.action.delay else { return act }
        var random = firing.random
        let length = delay.duration(using: &random)
        let channel = channel
        // Cancelled when the connection ends; a frozen clock would keep it alive forever.
        let cancel = schedule(after: length, on: delay.clock) {
            channel.triggerUserOutboundEvent(ConnectionCommand.act(act), promise: nil)
        }
        faults.delayedActs.append(ConnectionFaults.DelayedAct(cancel: cancel))
        return nil
    }

    /// Calls `work` on this loop after a time of a fault's clock; returns a closure that cancels it.
    func schedule(
        after delay: Duration, on clock: FaultDelay.Clock, _ work: @escaping () -> Void
    ) -> () -> Void {
        switch clock {
        case .wall:
            let task = channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay), work)
            return { task.cancel() }
        case .virtual:
            let ticket = loop.schedule(at: loop.now.advanced(by: delay), work)
            return { [loop] in loop.cancel(ticket) }
        }
    }

    private func environment(ofServerName name: String?) -> APNsEnvironment {
        facts.portEnvironment ?? name.flatMap { APNsEnvironment(serverName: $0) } ?? defaultEnvironment
    }

    func connectionOpened(_ facts: ConnectionFacts) -> OpeningDecision {
        self.facts = facts
        environment = environment(ofServerName: facts.tls?.serverName)
        server.log.opened(facts)
        certificate = facts.tls?.clientCertificate
        if let certificate, !certificate.environment.contains(environment) {
            return .refuse(.badCertificateEnvironment)
        }
        let idleEnd = ConnectionCommand.shutDown(reason: .idleTimeout, grace: server.settings.shutdownGrace)
        idleness = ConnectionIdleness(channel, loop: loop, timeout: server.settings.idleTimeout) {
            $0.triggerUserOutboundEvent(idleEnd, promise: nil)
        }
        connections.opened(
            ConnectionEntry(
                id: facts.id, peer: facts.peer, openedAt: loop.now, tls: facts.tls, environment: environment,
                credential: certificate.flatMap { ConnectionView.Credential(.certificate($0)) }))
        streamLimits = StreamLimitPolicy(server.settings.streamLimits, startsTrusted: certificate != nil)
        return .serve(streamLimit: streamLimits.limit)
    }

    func bytesArrived() {
        idleness?.heard()
        faults.idleClose?.heard()
    }

    func connectionFailed(_ problem: ConnectionProblem) {
        let sentence = server.log.sentence(problem, serverName: serverName)
        server.log.failed(facts, sentence)
        if problem.endsConnection { endReason = sentence }
        guard let cause = problem.handshakeCause else { return }
        connections.failedHandshakes.note(
            FailedHandshake(
                id: facts.id, at: loop.now, peer: facts.peer, serverName: serverName, environment: environment,
                cause: cause, reason: sentence))
    }

    func connectionClosed(_ traffic: ConnectionTraffic) {
        idleness?.end()
        idleness = nil
        faults.idleClose?.end()
        for act in faults.delayedActs { act.cancel() }
        for withheld in faults.withheld.values { giveUp(withheld) }
        faults = ConnectionFaults()
        connections.closed(facts.id, traffic, reason: endReason)
        server.log.closed(facts.id)
    }
}
