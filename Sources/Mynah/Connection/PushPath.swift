internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// The path of every push on one connection: trust, rules, fault, device, journal, reply.
///
/// Lives on its connection's loop. Nothing here suspends, and no two locks are held together, except while the journal
/// reports later changes of pushes (see ``JournalStore``). Three guarantees: the journal has the entry before the
/// reply's bytes leave; a push's number is taken inside the lock of its token's shard; tasks that wait for the entry are
/// resumed outside all locks. So the pushes to one device are numbered in the order in which its shard accepted or
/// refused them, except one whose answer a fault delays: it is numbered when it arrives, but accepted when the delay
/// is over. Where one push replaces another, the higher number stays.
final class PushPath: PushResponder {
    private struct Withheld {
        // `nil` for a call of channel management, which the journal doesn't have.
        let sequence: UInt64?
        var isBroadcast = false
        var cancel: (() -> Void)?
    }

    // A struct, because a closure in generic storage is wrapped at each access.
    private struct DelayedAct { let cancel: () -> Void }

    /// The most characters of a host's name (RFC 1035 §2.3.4).
    private static let serverNameLengthMax = 255
    let server: ServerCore
    let loop: LoopState
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
    // The pushes whose answers faults withhold, by stream; 0 over HTTP/1.1.
    private var withheld: [Int32: Withheld] = [:]
    // Includes those that have taken place.
    private var delayedActs: [DelayedAct] = []
    // Why the server ends the connection, if because of an error.
    private var endReason: String?

    init(
        server: ServerCore, loop: LoopState, facts: ConnectionFacts, connections: ConnectionTable,
        channel: any Channel, defaultEnvironment: APNsEnvironment? = nil
    ) {
        (self.server, self.loop, self.connections) = (server, loop, connections)
        (self.channel, self.facts) = (channel, facts)
        self.defaultEnvironment = defaultEnvironment ?? server.settings.environment
        self.environment = self.defaultEnvironment
        self.streamLimits = StreamLimitPolicy(server.settings.streamLimits)
    }

    func answer(to request: borrowing PushRequest, stream: Int32) -> PushResponse {
        let wall = WallClock.now()
        let credential = credential(of: request.authorization)
        let now = loop.clocks.now(wall: wall)
        let candidate = Candidate(
            request, credential: credential, environment: environment, settings: server.settings.rules,
            receivedAt: now, clockLead: now.since(wall))
        let random = nextRandom()
        if candidate.isElsewhere || facts.service == .channels,
            let response = answer(aboutChannels: candidate, stream: stream, wall: wall, random: random)
        {
            return response
        }
        let verdict = verdict(on: candidate)
        let firing = claimFault(candidate, random)
        let push = IncomingPush(
            consume candidate, consume verdict, stream: stream, firing: firing, wall: wall, random: random)
        if let firing = push.firing { return answer(to: push, by: firing) }

        let judgement = judge(push, takeSequence: server.journal.takeSequence)
        let uniqueID = record(push, judgement, status: judgement.status).uniqueID
        return .reply(reply(to: push, judgement, uniqueID: uniqueID))
    }

    private func nextRandom() -> SeededGenerator {
        if random?.resetCount != server.random.resetCount { random = server.random.next() }
        guard let next = random?.next() else { preconditionFailure("a connection without random numbers") }
        return next
    }

    // MARK: Trust, rules, device

    /// The judged credential of a request: nearly always that of the request before.
    private func credential(of authorization: AuthorizationValue?) -> JudgedCredential {
        if certificate == nil, authorization == nil { return .none }
        if self.authorization !== authorization || credentialGeneration != loop.trustGeneration {
            credential =
                certificate.map { server.trust.judge($0, with: authorization) }
                ?? authorization.map { server.trust.judge($0) } ?? JudgedCredential.none
            self.authorization = authorization
            credentialGeneration = loop.trustGeneration
        }
        return credential
    }

    /// Judges a push by trust and rules, before a fault or a device is asked.
    private func verdict(on push: borrowing Candidate) -> RuleVerdict {
        let (credential, receivedAt) = (push.credential, push.receivedAt)
        do throws(Refusal) {
            let admitted = try Admission.judge(push, trust: &trust) { noteUse(of: $0, credential, at: receivedAt) }
            noteJudged(credential, nil)
            return .admitted(admitted)
        } catch {
            noteJudged(credential, error.reason)
            return .refused(error)
        }
    }

    /// Asks the device table, or a broadcast's channel, about a push that the rules admit.
    private func judge(_ push: IncomingPush, order: DeliveryOrder = .deliver, takeSequence: () -> UInt64) -> Judgement {
        let fields: AdmittedPush
        switch push.verdict {
        case .admitted(let admitted): fields = admitted
        case .refused(let refusal): return .refused(refusal, nil)
        case .broadcast(let broadcast):
            return judge(broadcast, order: order, wall: push.wall, takeSequence: takeSequence)
        }
        let admitted = Push(push.candidate, fields, id: push.id, bytes: push.bytes)
        let wall = push.wall
        let decided = server.devices.shards.accept(
            admitted, at: loop.clocks.now(wall: wall), clock: { loop.clocks.now(ofScope: $0, wall: wall) },
            order: order, takeSequence: takeSequence)
        switch decided {
        case .success(let decision): return .accepted(admitted, decision)
        case .failure(let refused): return .refused(refused.refusal, refused.numbered)
        }
    }

    /// Notes the use of a provider token across all connections of its key; returns whether it is in time.
    func noteUse(of authorization: AuthorizationValue, _ credential: JudgedCredential, at now: Instant) -> Bool {
        guard case .token(let identity) = credential.verdict else { return true }
        return server.trust.noteUse(authorization, ofKey: identity.keyID, at: now)
    }

    // MARK: Journal

    /// Enters a push into the journal with the `status` that is answered now, and reports a delivery to its watchers.
    @discardableResult
    func record(
        _ push: IncomingPush, _ judgement: Judgement, status: Int?
    ) -> (sequence: UInt64, uniqueID: NotificationID?) {
        var entry: Entry
        if let broadcast = push.broadcast {
            entry = Entry(
                broadcast: broadcast.request, id: push.id, bytes: push.bytes, connection: facts.id, stream: push.stream)
            if status != nil || judgement.outcome.isFinal {
                loop.answers.broadcasts.count(judgement.outcome, deviceCount: judgement.deviceCount)
            }
        } else {
            entry = Entry(
                push.candidate, id: push.id, bytes: push.bytes, connection: facts.id, stream: push.stream)
        }
        entry.status = status.map(Int16.init)
        entry.outcome = judgement.outcome
        if let refusal = judgement.refusal { entry.note(refusal) }
        let decision = judgement.decision
        if let decision {
            entry.sequence = decision.sequence
            entry.detail = decision.detail
            entry.label = decision.label
            if push.firing?.action.replacesReply != true { entry.uniqueID = push.uniqueID }
        } else if case .broadcast(let broadcast) = judgement {
            entry.sequence = broadcast.sequence
            entry.detail = broadcast.detail
            entry.broadcast?.deviceCount = broadcast.deviceCount
        } else {
            let numbered =
                judgement.numbered
                ?? server.devices.shards.number(entry.token, takeSequence: server.journal.takeSequence)
            entry.sequence = numbered.sequence
            entry.label = numbered.label
        }
        if let firing = push.firing { note(firing, in: &entry) }
        if let decision, let shown = decision.shown { entry.note(shown, at: decision.at) }
        let recorded = (entry.sequence, entry.uniqueID)
        append(entry)
        if let decision {
            server.devices.note(decision, loop.clocks)
            if decision.shown != nil, let follower = decision.followerID { server.channels.catchUp(follower) }
        }
        return recorded
    }

    private func note(_ firing: FaultFiring, in entry: inout Entry) {
        if entry.status != nil, let reason = firing.action.answeredReason(at: entry.receivedAt) { entry.note(reason) }
        entry.note(firing, at: entry.receivedAt)
    }

    private func append(_ entry: consuming Entry) {
        // A push that is answered later is counted then.
        if entry.status != nil || entry.outcome.isFinal { loop.answers.count(entry) }
        server.journal.append(consume entry)
    }

    // MARK: Reply

    func reply(to push: IncomingPush, _ judgement: Judgement, uniqueID: NotificationID?) -> Reply {
        let refusal = judgement.refusal
        let effect = effect(of: refusal?.reason)
        if push.broadcast != nil { return reply(toChannels: push.id, refusal, effect) }
        guard let refusal else { return Reply(accepted: push.id, uniqueID: uniqueID, effect: effect) }
        return Reply(refused: refusal, id: push.id, settings: server.settings.rules, effect: effect)
    }

    func effect(of reason: Reason?) -> WireEffect {
        var effect = WireEffect(streamLimit: streamLimits.note(reason))
        if let reason, exhaustsErrors(reason) { effect.goAway = reason }
        return effect
    }

    /// Counts a refused request; returns whether it ends the connection: Apple says only that too many errors do, and
    /// that 410 is not one (`ProviderAPI#GOAWAY`); here every other 4xx of the connection's life counts (inferred);
    /// 5xx, the service's own fault, does not.
    private func exhaustsErrors(_ reason: Reason) -> Bool {
        guard (400..<500).contains(reason.status), reason.status != 410 else { return false }
        errorCount += 1
        return errorCount == server.settings.maxErrors
    }

    /// Shows the credential of a request in the table of connections, unless the reason for which the rules refuse it
    /// says that it was rejected or had not been judged yet.
    @inline(__always)
    func noteJudged(_ credential: JudgedCredential, _ reason: Reason?) {
        if credential !== shownCredential { show(credential, after: reason) }
    }

    private func show(_ credential: JudgedCredential, after reason: Reason?) {
        guard reason.map({ trust.team != nil && !$0.rejectsCredential }) ?? true,
            let proved = ConnectionView.Credential(credential.verdict)
        else { return }
        shownCredential = credential
        connections.note(proved, of: facts.id)
    }
}

// MARK: - The connection

extension PushPath {
    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict {
        server.trust.judgeCertificate(chain: chain, at: loop.now)
    }

    func handshakeBegins(serverName: String?) -> HandshakeDecision {
        self.serverName = serverName.map { String($0.prefix(PushPath.serverNameLengthMax)) }
        environment = environment(ofServerName: serverName)
        guard loop.faults.contains(.handshake) else { return .proceed }
        var asked = FaultFacts(.handshake, connection: facts.id, environment: environment, now: loop.now)
        guard let firing = claim(&asked) else { return .proceed }
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

    private func environment(ofServerName name: String?) -> APNsEnvironment {
        facts.portEnvironment ?? name.flatMap { APNsEnvironment(serverName: $0) } ?? defaultEnvironment
    }

    func connectionOpened(_ tls: TLSFacts?) -> OpeningDecision {
        facts.tls = tls
        environment = environment(ofServerName: tls?.serverName)
        if facts.service == .pushes, let service = tls?.serverName.flatMap({ APNsService(serverName: $0) }) {
            facts.service = service
        }
        server.log.opened(facts)
        certificate = tls?.clientCertificate
        if let certificate, !certificate.environment.contains(environment) {
            return .refuse(.badCertificateEnvironment)
        }
        let idleEnd = ConnectionCommand.shutDown(reason: .idleTimeout, grace: server.settings.shutdownGrace)
        idleness = ConnectionIdleness(on: loop, timeout: server.settings.idleTimeout) { [channel] in
            channel.triggerUserOutboundEvent(idleEnd, promise: nil)
        }
        connections.opened(
            ConnectionView(
                facts, openedAt: loop.now, environment: environment,
                credential: certificate.flatMap { ConnectionView.Credential(.certificate($0)) }))
        streamLimits = StreamLimitPolicy(server.settings.streamLimits, startsTrusted: certificate != nil)
        return .serve(streamLimit: streamLimits.limit)
    }

    func bytesArrived() {
        idleness?.heard()
        idleClose?.heard()
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
        idleClose?.end()
        idleClose = nil
        for act in delayedActs { act.cancel() }
        delayedActs = []
        for push in withheld.values { giveUp(push) }
        withheld = [:]
        connections.closed(facts.id, traffic, at: loop.now, reason: endReason)
        server.log.closed(facts.id)
    }
}

// MARK: - Faults

/// Requests on which a fault acts: a push that it delays, stalls or cuts is in the journal as soon as its request is
/// complete (`ControlAPI#Guarantees`, 1), and its entry changes when the answer leaves or is given up.
extension PushPath {
    // MARK: Finding

    @inline(__always)
    private func claimFault(_ push: borrowing Candidate, _ random: SeededGenerator) -> FaultFiring? {
        guard loop.faults.concernRequests || push.token?.leadingWord == MagicTokens.leadingWord else { return nil }
        return findFault(push, random)
    }

    /// Finds the fault that acts on a request, which `channels` is if it concerns channels.
    func findFault(
        _ push: borrowing Candidate, channels: IncomingChannelRequest? = nil, _ random: SeededGenerator
    ) -> FaultFiring? {
        let now = push.receivedAt
        let counted = loop.faults.countPush(at: now)
        // A step after n pushes is done when the n-th is answered, which is still judged by the rules before it.
        defer {
            if counted.isLast { server.faults.advanceScenarios(at: now) }
            if counted.isLast || counted.hasStepped { loop.watchScenarios() }
        }
        if loop.faults.hasRequestRules {
            var asked: FaultFacts
            if let channels {
                asked = FaultFacts(channels: channels.request, connection: facts.id)
            } else {
                asked = FaultFacts(push: push, connection: facts.id)
            }
            if loop.faults.namesDevices, let label = push.token.flatMap({ server.devices.shards.label(of: $0) }) {
                asked.device = label.device
                asked.scope = label.scope
            }
            if let firing = claim(&asked) { return firing }
        }
        guard server.faults.hasMagicTokens,
            let magic = push.token.flatMap({ MagicTokens.magic($0) })
                ?? channels?.request.channelID.flatMap({ MagicTokens.magic($0) })
        else {
            return nil
        }
        return FaultFiring(ruleID: MagicTokens.ruleID, action: magic.action, random: random)
    }

    private func claim(_ facts: inout FaultFacts) -> FaultFiring? {
        loop.faults.claim(&facts) { watch($0, counting: $1) }
    }

    /// Carries out a close when nothing has arrived on the connection for the action's time.
    func watch(_ action: FaultAction, counting tally: FaultTally) {
        guard case .closeWhenIdle(let how, let time) = action.kind else { return }
        idleClose?.end()
        idleClose = ConnectionIdleness(on: loop, timeout: time) { [channel] in
            guard tally.fire() else { return }
            channel.triggerUserOutboundEvent(ConnectionCommand.act(.close(how, afterBytes: nil)), promise: nil)
        }
    }

    // MARK: Answering

    func answer(to push: IncomingPush, by firing: FaultFiring) -> PushResponse {
        let action = firing.action
        if case .refuse = action.kind { server.faults.refuseConnections(untilGone: firing.ruleID) }
        guard let delay = action.delay else {
            return action.replacesReply ? replaceReply(to: push, action) : judge(push, with: action)
        }
        var random = firing.random
        let length = delay.duration(using: &random)
        let isBroadcast = push.broadcast != nil
        guard action.replacesReply else {
            let sequence = record(push, .withheld(.pending, nil), status: nil).sequence
            return withhold(push.stream, sequence, isBroadcast, for: length, on: delay.clock) { [self] in
                judgeLate(push, sequence, with: action)
            }
        }
        let sequence = recordReplaced(push, action, status: nil, undelivered: .pending)
        return withhold(push.stream, sequence, isBroadcast, for: length, on: delay.clock) { [self] in
            let now = loop.now
            let answer = LateAnswer(
                at: now, status: action.status, reason: action.answeredReason(at: now),
                outcome: action.outcomeUndelivered, isOfBroadcast: isBroadcast)
            note(answer, of: sequence)
            return act(action, with: replacement(for: push, action, at: now))
        }
    }

    /// Answers as APNs does, with an addition.
    private func judge(_ push: IncomingPush, with action: FaultAction) -> PushResponse {
        let judgement = judge(push, order: action.order, takeSequence: server.journal.takeSequence)
        let recorded = record(push, judgement, status: judgement.status)
        spreadLate(judgement, furtherCopies: action.furtherCopies)
        deliverCopies(of: push, judgement, action)
        return act(action, with: reply(to: push, judgement, uniqueID: recorded.uniqueID))
    }

    private func judgeLate(_ push: IncomingPush, _ sequence: UInt64, with action: FaultAction) -> PushResponse {
        var push = push
        push.wall = WallClock.now()
        let judgement = judge(push, order: action.order, takeSequence: { sequence })
        let reply = reply(to: push, judgement, uniqueID: push.uniqueID)
        let answer = LateAnswer(
            at: loop.clocks.now(wall: push.wall), status: judgement.status, refusal: judgement.refusal,
            outcome: judgement.outcome, decision: judgement.decision, isOfBroadcast: push.broadcast != nil,
            deviceCount: judgement.deviceCount)
        note(answer, of: sequence)
        spreadLate(judgement, furtherCopies: action.furtherCopies)
        if let decision = judgement.decision { server.devices.note(decision, loop.clocks) }
        deliverCopies(of: push, judgement, action)
        return act(action, with: reply)
    }

    /// Answers differently from APNs, or not at all; the device may still get the push.
    private func replaceReply(to push: IncomingPush, _ action: FaultAction) -> PushResponse {
        let sequence = recordReplaced(push, action, status: action.status, undelivered: action.outcomeUndelivered)
        guard case .stall = action.kind else {
            return act(action, with: replacement(for: push, action, at: push.candidate.receivedAt))
        }
        withheld[push.stream] = Withheld(sequence: sequence, isBroadcast: push.broadcast != nil)
        return .stalled
    }

    /// Records a push whose answer a fault gives or prevents, as `undelivered` unless the fault has it delivered.
    private func recordReplaced(
        _ push: IncomingPush, _ action: FaultAction, status: Int?, undelivered: Outcome
    ) -> UInt64 {
        var judgement = Judgement.withheld(undelivered, nil)
        if action.delivers == true {
            let found = judge(push, takeSequence: server.journal.takeSequence)
            judgement = found.refusal == nil ? found : .withheld(undelivered, found.numbered)
        }
        defer { spreadLate(judgement) }
        return record(push, judgement, status: status).sequence
    }

    /// The reply that replaces APNs' own, or that only sends its HEADERS.
    private func replacement(for push: IncomingPush, _ action: FaultAction, at now: Instant) -> Reply? {
        replacement(push.id, named: push.broadcast == nil ? .apnsID : .apnsRequestID, action, at: now)
    }

    /// The reply with an id in the field `name`: `apnsRequestID` where the request concerns channels.
    func replacement(_ id: NotificationID, named name: FieldName, _ action: FaultAction, at now: Instant) -> Reply? {
        switch action.kind {
        case .respond(let response):
            response.reply(to: id, named: name, at: now, settings: server.settings.rules)
        case .wire(.truncate), .wire(.resetStream(_, afterHeaders: true)):
            name == .apnsID ? Reply(accepted: id, uniqueID: nil) : Reply(channels: 200, requestID: id)
        default: nil
        }
    }

    func act(_ action: FaultAction, with reply: Reply?) -> PushResponse {
        if let act = action.wireFault { return .act(act, reply) }
        return reply.map { .reply($0) } ?? .stalled
    }

    private func deliverCopies(of push: IncomingPush, _ judgement: Judgement, _ action: FaultAction) {
        guard action.furtherCopies > 0, case .accepted(let admitted, let first) = judgement else { return }
        let wall = push.wall
        for _ in 0..<action.furtherCopies {
            let decision = server.devices.shards.redeliver(
                admitted, sequence: first.sequence, at: loop.clocks.now(wall: wall),
                clock: { loop.clocks.now(ofScope: $0, wall: wall) })
            if let decision { server.devices.note(decision, loop.clocks) }
        }
    }

    // MARK: Withholding

    func withhold(
        _ stream: Int32, _ sequence: UInt64?, _ isBroadcast: Bool, for time: Duration, on clock: FaultDelay.Clock,
        answer: @escaping () -> PushResponse
    ) -> PushResponse {
        // A strong reference: the connection's end cancels it.
        let cancel = schedule(after: time, on: clock) { [self] in
            withheld[stream] = nil
            channel.triggerUserOutboundEvent(ConnectionCommand.answer(stream: stream, answer()), promise: nil)
        }
        withheld[stream] = Withheld(sequence: sequence, isBroadcast: isBroadcast, cancel: cancel)
        return .withheld
    }

    func requestAbandoned(stream: Int32) { withheld.removeValue(forKey: stream).map(giveUp) }

    private func giveUp(_ push: Withheld) {
        push.cancel?()
        guard let sequence = push.sequence else { return }
        let answer = LateAnswer(
            at: loop.now, status: nil, outcome: .unanswered, isOfBroadcast: push.isBroadcast)
        note(answer, of: sequence)
    }

    func note(_ answer: LateAnswer, of sequence: UInt64) {
        loop.answers.count(answer)
        server.journal.note(answer, of: sequence)
    }
}
