internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// The path of every push on one connection, on whose loop it lives: it judges a request by trust and rules, has it
/// applied (see ``PushApplier``), and answers.
final class PushPath: PushResponder {
    // A request whose answer a fault withholds.
    private enum Withheld {
        case stalled(PendingPush.Ticket)
        /// Until its delay is over, which can be cancelled.
        case delayed(PendingPush.Ticket, cancel: () -> Void)
    }

    // What is known of the TLS client.
    private enum Client {
        case unknown
        case known(TrustingClients.Client)
        /// It has sent something inside TLS.
        case trusting(TrustingClients.Client)

        var named: TrustingClients.Client? {
            switch self {
            case .unknown: nil
            case .known(let client), .trusting(let client): client
            }
        }
    }

    // A struct, because a closure in generic storage is wrapped at each access.
    private struct DelayedAct { let cancel: () -> Void }

    /// The most characters of a host's name (RFC 1035 §2.3.4).
    private static let serverNameLengthMax = 255
    let loop: LoopState
    let simulation: Simulation
    private let connections: ConnectionTable
    let channel: any Channel
    private(set) var facts: ConnectionFacts
    private var environment: APNsEnvironment
    // The service that requests go to if neither port nor server name determines it.
    private let defaultEnvironment: APNsEnvironment
    // The server name of the ClientHello, cut to the length of a host's name.
    private var serverName: String?
    private var certificate: CertificateIdentity?
    var trust = ConnectionTrust()
    private var streamLimits: StreamLimitPolicy
    // The last `authorization` value, and its verdict, which may hold another connection's copy of the value.
    private var authorization: AuthorizationValue?
    private var credential = JudgedCredential.none
    // The value of `LoopState.trustGeneration` at that verdict.
    private var credentialGeneration: UInt64?
    private var shownCredential: JudgedCredential?
    // The refused requests so far (`--max-errors`).
    private var errorCount = 0
    private var random: ConnectionRandom?
    // `--idle-timeout`, and a fault's close that waits for silence.
    private var idleness: ConnectionIdleness?
    private var idleClose: ConnectionIdleness?
    // The streams whose requests wait for the order, and how many do: over HTTP/1.1 all are of stream 0.
    private var ordered: [Int32: Int] = [:]
    // The lists of channels that wait for the order: one may be large, and all of a batch are answered together.
    private var orderedListCount = 0
    // The answers to requests of one batch of the order, which are given to the wire together.
    private var ready: [(stream: Int32, response: PushResponse)] = []
    // The pushes whose answers faults withhold, by stream; 0 over HTTP/1.1.
    private var withheld: [Int32: Withheld] = [:]
    // The delayed acts, including the ones that have taken place.
    private var delayedActs: [DelayedAct] = []
    private var client = Client.unknown
    // Why the server ends the connection, if because of an error.
    private var endReason: String?

    init(
        loop: LoopState, facts: ConnectionFacts, connections: ConnectionTable, channel: any Channel,
        defaultEnvironment: APNsEnvironment? = nil
    ) {
        self.loop = loop
        self.connections = connections
        self.channel = channel
        self.facts = facts
        simulation = loop.applier.simulation
        self.defaultEnvironment = defaultEnvironment ?? simulation.settings.environment
        self.environment = self.defaultEnvironment
        self.streamLimits = StreamLimitPolicy(simulation.settings.streamLimits)
    }

    var isBusy: Bool { orderedListCount > 0 || loop.order?.isBusy ?? false }

    func answer(to request: borrowing PushRequest, stream: Int32) -> PushResponse {
        let wall = WallClock.now()
        let push = judgedPush(from: request, stream, nextRandom(), wall: wall)
        guard let waiting = loop.ordered else {
            return response(to: push, loop.applier.applyPush(push), loop.applier.removeIdleCloses())
        }
        if let refusal = waiting.submit(push, judged: loop.revision, for: self) {
            return .reply(reply(to: push, refusal.refusal, uniqueID: nil))
        }
        ordered[stream, default: 0] += 1
        if push.isList { orderedListCount += 1 }
        return .withheld
    }

    /// Judges a request by trust and rules.
    @inline(__always)
    private func judgedPush(
        from request: borrowing PushRequest, _ stream: Int32, _ random: RequestRandom, wall: Instant
    ) -> IncomingPush {
        if facts.service == .webPush { return judgedWebPush(from: request, stream, random, wall: wall) }
        let credential = credential(of: request.authorization)
        let now = loop.clocks.now(wall: wall)
        let candidate = Candidate(
            request, credential: credential, environment: environment, settings: simulation.settings.rules,
            receivedAt: now, clockLead: now.since(wall))
        let verdict: RuleVerdict
        if candidate.isElsewhere || facts.service == .channels, let found = self.verdict(aboutChannels: candidate) {
            verdict = found
        } else {
            verdict = self.verdict(on: candidate)
        }
        return IncomingPush(
            consume candidate, consume verdict, connection: facts.id, stream: stream, wall: wall, random: random)
    }

    private func nextRandom() -> RequestRandom {
        var current =
            random.flatMap { $0.resetCount == simulation.random.resetCount ? $0 : nil } ?? firstRandom()
        defer { random = current }
        return current.next()
    }

    private func firstRandom() -> ConnectionRandom {
        let own = loop.order?.isShared != true ? nil : simulation.random.next(for: facts.id, after: random)
        return own ?? simulation.random.next()
    }

    // MARK: Trust, rules, device

    /// The judged credential of a request: nearly always the same as of the request before.
    private func credential(of authorization: AuthorizationValue?) -> JudgedCredential {
        if certificate == nil, authorization == nil { return .none }
        if self.authorization !== authorization || credentialGeneration != loop.trustGeneration {
            credential =
                certificate.map { simulation.trust.judge($0, with: authorization) }
                ?? authorization.map { simulation.trust.judge($0) } ?? JudgedCredential.none
            self.authorization = authorization
            credentialGeneration = loop.trustGeneration
        }
        return credential
    }

    /// Judges a push by trust and rules, before a fault or a device is asked.
    private func verdict(on push: borrowing Candidate) -> RuleVerdict {
        let credential = push.credential
        let receivedAt = push.receivedAt
        do throws(Refusal) {
            let admitted = try Admission.admit(push, trust: &trust) { recordUse(of: $0, credential, at: receivedAt) }
            showIfNew(credential, nil)
            return .admitted(admitted)
        } catch {
            showIfNew(credential, error.reason)
            return .refused(error)
        }
    }

    /// Records the use of a provider token across all connections of its key; returns whether it is in time.
    func recordUse(of authorization: AuthorizationValue, _ credential: JudgedCredential, at now: Instant) -> Bool {
        guard case .token(let identity) = credential.verdict else { return true }
        return simulation.trust.recordUse(of: authorization, ofKey: identity.keyID, at: now)
    }

    // MARK: Reply

    private func response(to push: IncomingPush, _ result: PushResult, _ closes: [IdleClose]) -> PushResponse {
        for close in closes { watch(close) }
        switch result {
        case .answered(let refusal, let uniqueID): return .reply(reply(to: push, refusal, uniqueID: uniqueID))
        case .managed(let managed): return .reply(reply(to: push, managed))
        case .spreading(let broadcast):
            let id = push.id
            let stream = push.stream
            spread(broadcast) { [self] done in
                loop.applier.recordSpread(done)
                send(.reply(reply(toChannels: id, nil)), to: stream)
            }
            return .withheld
        case .faulted(let faulted): return response(to: push, faulted)
        }
    }

    private func reply(to push: IncomingPush, _ refusal: Refusal?, uniqueID: NotificationID?) -> Reply {
        if push.concernsChannels {
            if let refusal, push.broadcast == nil { simulation.log.refused(facts, refusal) }
            return reply(toChannels: push.id, refusal)
        }
        if push.web != nil { return reply(toWebPush: push.id, refusal) }
        let effect = effect(of: refusal?.reason)
        guard let refusal else { return Reply(accepted: push.id, uniqueID: uniqueID, effect: effect) }
        return Reply(refused: refusal, id: push.id, settings: simulation.settings.rules, effect: effect)
    }

    /// The answer to a web push; its connection has no limit that credentials change.
    private func reply(toWebPush id: NotificationID, _ refusal: Refusal?) -> Reply {
        guard let refusal else {
            return Reply(status: WebPushJudgement.acceptedStatus, id: id, fields: nil, body: [])
        }
        let effect = WireEffect(goAway: exhaustsErrors(refusal.reason) ? refusal.reason : nil)
        return Reply(refused: refusal, id: id, settings: simulation.settings.rules, effect: effect)
    }

    /// The answer to a broadcast, or a refusal of channel management.
    private func reply(toChannels id: NotificationID, _ refusal: Refusal?) -> Reply {
        let effect = effect(of: refusal?.reason)
        guard let refusal else { return Reply(channels: 200, requestID: id, effect: effect) }
        return Reply(channels: refusal, requestID: id, settings: simulation.settings.rules, effect: effect)
    }

    private func reply(to push: IncomingPush, _ managed: ManagedChannel) -> Reply {
        Reply(
            channels: managed.status, requestID: push.id, channelID: managed.channel, body: managed.body,
            effect: effect(of: nil))
    }

    /// Gives the answer to a request that waits for it.
    private func send(_ response: PushResponse, to stream: Int32) {
        channel.triggerUserOutboundEvent(ConnectionCommand.answer(stream: stream, response), promise: nil)
    }

    private func effect(of reason: Reason?) -> WireEffect {
        // Nearly no push changes the limit, and writing to a member of a class is checked at run time.
        var effect = WireEffect(
            streamLimit: streamLimits.changes(after: reason) ? streamLimits.recordOutcome(reason) : nil)
        if let reason, exhaustsErrors(reason) { effect.goAway = reason }
        return effect
    }

    /// Counts a refused request; returns whether it ends the connection: Apple says only that too many errors do, and
    /// that 410 is not one (`ProviderAPI#GOAWAY`); here every other 4xx of the connection's life counts (inferred);
    /// 5xx, the service's own fault, does not.
    private func exhaustsErrors(_ reason: Reason) -> Bool {
        guard (400..<500).contains(reason.status), reason.status != 410 else { return false }
        errorCount += 1
        return errorCount == simulation.settings.maxErrors
    }

    /// Shows the credential of a request in the table of connections, unless the reason for which the rules refuse it
    /// says that it was rejected or had not been judged yet.
    @inline(__always)
    func showIfNew(_ credential: JudgedCredential, _ reason: Reason?) {
        if credential !== shownCredential { show(credential, after: reason) }
    }

    private func show(_ credential: JudgedCredential, after reason: Reason?) {
        guard reason.map({ trust.team != nil && !$0.rejectsCredential }) ?? true,
            let proved = ConnectionView.Credential(credential.verdict)
        else { return }
        shownCredential = credential
        connections.recordCredential(proved, of: facts.id)
    }
}

// MARK: - The connection

extension PushPath {
    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict {
        simulation.trust.judgeCertificate(chain: chain, at: loop.now)
    }

    var speaksHTTP1: Bool { facts.service == .webPush }

    func handshakeBegins(serverName: String?, clientKind: Int?) -> HandshakeDecision {
        client = clientKind.map { .known(TrustingClients.Client(peer: facts.peer, kind: $0)) } ?? .unknown
        if facts.service == .pushes, let service = serverName.flatMap({ APNsService(serverName: $0) }) {
            facts.service = service
        }
        self.serverName = serverName.map { String($0.prefix(PushPath.serverNameLengthMax)) }
        environment = environment(ofServerName: serverName)
        guard loop.faults.contains(.handshake) else { return .proceed }
        var asked = FaultFacts(.handshake, connection: facts.id, environment: environment, now: loop.now)
        guard let firing = loop.claim(&asked, watch: { watch(IdleClose(action: $0, tally: $1)) }) else {
            return .proceed
        }
        if case .tls(let fault) = firing.action.kind { return .tls(fault) }
        return carryOut(firing).map { .act($0) } ?? .proceed
    }

    /// Carries out a fault of a connection that has sent no request; returns what the wire does at once.
    func carryOut(_ firing: FaultFiring) -> WireFault? {
        guard let act = firing.action.wireFault else { return nil }
        guard let delay = firing.action.delay else { return act }
        var random = firing.random
        let length = delay.duration(using: &random)
        // Cancelled when the connection ends; a frozen clock would keep it alive forever.
        let cancel = schedule(after: length, on: delay.clock) { [channel] in
            channel.triggerUserOutboundEvent(ConnectionCommand.act(act), promise: nil)
        }
        delayedActs.append(DelayedAct(cancel: cancel))
        return nil
    }

    /// Calls `work` on this loop after a time of a fault's clock; returns a closure that cancels it.
    private func schedule(
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

    private var listsNoHTTP2: Bool { facts.tls?.listsNoHTTP2 ?? false }

    private func environment(ofServerName name: String?) -> APNsEnvironment {
        if facts.service == .webPush { return .production }
        return facts.portEnvironment ?? name.flatMap { APNsEnvironment(serverName: $0) } ?? defaultEnvironment
    }

    func connectionOpened(_ tls: TLSFacts?) -> OpeningDecision {
        facts.tls = tls
        environment = environment(ofServerName: tls?.serverName)
        simulation.log.opened(facts)
        if listsNoHTTP2 { simulation.log.failed(facts, ConnectionLog.noHTTP2) }
        certificate = tls?.clientCertificate
        if let certificate, !certificate.environment.contains(environment) {
            return .refuse(.badCertificateEnvironment)
        }
        let idleEnd = ConnectionCommand.shutDown(reason: .idleTimeout, grace: simulation.settings.shutdownGrace)
        idleness = ConnectionIdleness(on: loop, timeout: simulation.settings.idleTimeout) { [channel] in
            channel.triggerUserOutboundEvent(idleEnd, promise: nil)
        }
        connections.opened(
            ConnectionView(
                facts, openedAt: loop.now, environment: environment,
                credential: certificate.flatMap { ConnectionView.Credential(.certificate($0)) }))
        streamLimits = StreamLimitPolicy(
            simulation.settings.streamLimits, startsTrusted: certificate != nil || facts.service == .webPush)
        return .serve(streamLimit: streamLimits.limit)
    }

    func clientTrusts() {
        guard case .known(let trusting) = client else { return }
        connections.trustingClients.enter(trusting)
        client = .trusting(trusting)
    }

    func bytesArrived() {
        idleness?.recordInput()
        idleClose?.recordInput()
    }

    func connectionFailed(_ problem: ConnectionProblem) {
        // The end of the connection says so.
        if listsNoHTTP2, problem.handshakeCause == .hungUp { return }
        let isTrusted = client.named.map { connections.trustingClients.contains($0) } ?? false
        let sentence = simulation.log.sentence(
            problem, service: facts.service, serverName: serverName, listsNoHTTP2: listsNoHTTP2, isTrusted: isTrusted)
        simulation.log.failed(facts, sentence, stream: problem.stream)
        if problem.endsConnection { endReason = sentence }
        if let cause = problem.handshakeCause { recordFailedHandshake(cause, sentence) }
    }

    private func recordFailedHandshake(_ cause: HandshakeFailure.Cause, _ reason: String) {
        connections.failed(
            FailedHandshake(
                id: facts.id, at: loop.now, peer: facts.peer, serverName: serverName, environment: environment,
                cause: cause, reason: reason))
    }

    func connectionClosed(_ traffic: ConnectionTraffic) {
        idleness?.end()
        idleness = nil
        idleClose?.end()
        idleClose = nil
        if case .trusting(let client) = client { connections.trustingClients.leave(client) }
        for act in delayedActs { act.cancel() }
        delayedActs = []
        for push in withheld.values { giveUp(push) }
        withheld = [:]
        ordered = [:]
        if listsNoHTTP2, traffic.totalStreams == 0 {
            let reason = endReason ?? ConnectionLog.noHTTP2
            endReason = reason
            recordFailedHandshake(.noHTTP2, reason)
        }
        connections.closed(facts.id, traffic, at: loop.now, reason: endReason)
        simulation.log.closed(facts.id)
    }
}

// MARK: - Faults

extension PushPath {
    /// Carries out a close when nothing has arrived on the connection for the action's time.
    func watch(_ close: IdleClose) {
        guard case .closeWhenIdle(let how, let time) = close.action.kind else { return }
        idleClose?.end()
        idleClose = ConnectionIdleness(on: loop, timeout: time) { [channel, loop] in
            loop.fire(close.tally) {
                channel.triggerUserOutboundEvent(ConnectionCommand.act(.close(how, afterBytes: nil)), promise: nil)
            }
        }
    }

    private func response(to push: IncomingPush, _ faulted: FaultedPush) -> PushResponse {
        let action = faulted.firing.action
        if let (broadcast, furtherCopies) = faulted.spreading {
            spread(broadcast, furtherCopies: furtherCopies) { [simulation] in
                simulation.channels.recordOutcome(of: $0)
            }
        }
        switch faulted.step {
        case .answered(let refusal, let uniqueID):
            return act(action, with: reply(to: push, refusal, uniqueID: uniqueID))
        case .managed(let managed): return act(action, with: reply(to: push, managed))
        case .replaced(let now): return act(action, with: replacement(for: push, action, at: now))
        case .stalled:
            if let ticket = faulted.ticket { withheld[push.stream] = .stalled(ticket) }
            return .stalled
        case .pending(let length):
            guard let ticket = faulted.ticket, let delay = action.delay else {
                preconditionFailure("a pending request has a delay, and a ticket to release it by")
            }
            // A strong reference: the connection's end cancels it.
            let cancel = schedule(after: length, on: delay.clock) { [self] in release(ticket, push.stream) }
            withheld[push.stream] = .delayed(ticket, cancel: cancel)
            return .withheld
        }
    }

    private func release(_ ticket: PendingPush.Ticket, _ stream: Int32) {
        withheld[stream] = nil
        if let waiting = loop.ordered {
            ordered[stream, default: 0] += 1
            waiting.release(ticket, stream: stream, for: self)
        } else if let (push, faulted) = loop.applier.release(ticket) {
            send(response(to: push, faulted), to: stream)
        }
    }

    /// The reply that replaces APNs' own, or that only sends its HEADERS.
    private func replacement(for push: IncomingPush, _ action: FaultAction, at now: Instant) -> Reply? {
        switch action.kind {
        case .respond(let response):
            response.reply(
                to: push.id, named: push.concernsChannels ? .apnsRequestID : .apnsID,
                timestamp: push.web == nil ? now : nil,
                settings: simulation.settings.rules)
        case .wire(.truncate), .wire(.resetStream(_, afterHeaders: true)):
            push.concernsChannels
                ? Reply(channels: 200, requestID: push.id)
                : push.web == nil ? Reply(accepted: push.id, uniqueID: nil) : reply(toWebPush: push.id, nil)
        default: nil
        }
    }

    private func act(_ action: FaultAction, with reply: Reply?) -> PushResponse {
        if let act = action.wireFault { return .act(act, reply) }
        return reply.map { .reply($0) } ?? .stalled
    }

    func requestAbandoned(stream: Int32) {
        ordered[stream] = nil
        withheld.removeValue(forKey: stream).map(giveUp)
    }

    private func giveUp(_ request: Withheld) {
        switch request {
        case .stalled(let ticket): abandon(ticket)
        case .delayed(let ticket, let cancel):
            cancel()
            abandon(ticket)
        }
    }

    private func abandon(_ ticket: PendingPush.Ticket) {
        if let order = loop.order { order.abandon(ticket) } else { loop.applier.abandon(ticket) }
    }
}

// MARK: - Order

/// Requests that wait for the order of a server with a log; a request whose stream has ended meanwhile gets no answer.
extension PushPath: OrderedPath {
    func decided(_ push: IncomingPush, _ outcome: ChangeOutcome, taken: NIODeadline) {
        switch outcome {
        case .push(let result, let closes): applied(push, result, closes, taken: taken)
        case .stale: resubmit(push, taken: taken)
        case .refused(let unavailable): refused(push, unavailable)
        case .released, .command, .numbers, .done: assertionFailure("the outcome of a push is \(outcome)")
        }
    }

    private func applied(_ push: IncomingPush, _ result: PushResult, _ closes: [IdleClose], taken: NIODeadline) {
        if push.isList { orderedListCount -= 1 }
        guard removeOrdered(push.stream) else {
            if case .faulted(let faulted) = result, let ticket = faulted.ticket { abandon(ticket) }
            return
        }
        let response = response(to: push, result, closes)
        // The wire measures replies that it gets at once.
        if case .answered = result {
            loop.wire.latency.record(UInt64((NIODeadline.now() - taken).nanoseconds), count: 1)
        }
        addReady(response, to: push.stream)
    }

    func released(_ released: (push: IncomingPush, result: FaultedPush)?, stream: Int32) {
        guard removeOrdered(stream), let released else { return }
        addReady(response(to: released.push, released.result), to: stream)
    }

    private func refused(_ push: IncomingPush, _ unavailable: Order.Unavailable) {
        if push.isList { orderedListCount -= 1 }
        guard removeOrdered(push.stream) else { return }
        addReady(.reply(reply(to: push, unavailable.refusal, uniqueID: nil)), to: push.stream)
    }

    func sendAnswers() {
        guard !ready.isEmpty else { return }
        let answers = ready
        ready.removeAll(keepingCapacity: true)
        channel.triggerUserOutboundEvent(ConnectionCommand.answers(answers), promise: nil)
    }

    /// Judges a push again by keys, certificates or clocks that have changed, and submits it.
    private func resubmit(_ push: IncomingPush, taken: NIODeadline) {
        if push.isList { orderedListCount -= 1 }
        guard ordered[push.stream] != nil, let waiting = loop.ordered else { return }
        let candidate = push.candidate
        let wall = WallClock.now()
        var request = PushRequest(
            headers: candidate.headers, authorization: candidate.credential.authorization,
            body: Array(push.bytes[candidate.headers.byteCount...]))
        if candidate.bodyByteCount > candidate.body.count { request.excessiveBodyByteCount = candidate.bodyByteCount }
        let judged = judgedPush(from: request, push.stream, push.random, wall: wall)
        if judged.isList { orderedListCount += 1 }
        if let refusal = waiting.submit(judged, judged: loop.revision, for: self, taken: taken) {
            refused(judged, refusal)
        }
    }

    private func removeOrdered(_ stream: Int32) -> Bool {
        guard let count = ordered[stream] else { return false }
        ordered[stream] = count > 1 ? count - 1 : nil
        return true
    }

    // A request that stays withheld is waited for already.
    private func addReady(_ response: PushResponse, to stream: Int32) {
        if case .withheld = response { return }
        ready.append((stream, response))
    }
}
