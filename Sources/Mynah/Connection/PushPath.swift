internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// The way of every push of one connection: fault, trust, rules, device, journal, reply.
///
/// Lives on its connection's loop. Nothing here suspends, and no two locks are held together, except while the journal
/// reports later changes of pushes (see ``JournalStore``). Three guarantees: the journal has the entry before the reply's
/// bytes leave; an accepted push's number is taken inside its device shard's lock; tasks that wait for the entry are
/// resumed outside all locks.
///
/// So the pushes to one device are numbered in the order in which its shard accepted them, with one exception: a push
/// whose answer a fault delays is numbered when it arrives, because it is in the journal from then on, and is accepted
/// when the delay is over. It counts as old as its number: where one push replaces another, the higher number stays.
final class PushPath: PushResponder {
    let server: ServerCore
    let loop: LoopState
    let connections: ConnectionTable
    let channel: any Channel
    var facts: ConnectionFacts
    var environment: APNsEnvironment
    /// The service that requests go to if neither port nor server name says.
    let defaultEnvironment: APNsEnvironment
    /// The server name of the ClientHello, cut to the length of a host's name.
    var serverName: String? {
        didSet { serverName = serverName.map { String($0.prefix(PushPath.serverNameLengthMax)) } }
    }
    /// The most characters of a host's name (RFC 1035 §2.3.4).
    private static let serverNameLengthMax = 255

    /// The client certificate of the handshake.
    var certificate: CertificateIdentity?
    var trust = ConnectionTrust()
    var streamLimits: StreamLimitPolicy
    // The last `authorization` value, and what was found of it; the latter may hold another connection's copy.
    private var authorization: AuthorizationValue?
    private var credential = JudgedCredential.none
    // The value of `LoopState.trustGeneration` when it was found.
    private var credentialGeneration: UInt64?
    // The credential that the table of connections shows.
    private var shownCredential: JudgedCredential?
    // The refused requests so far (`--max-errors`).
    private var errorCount = 0
    private var random: ConnectionRandom?

    var idleness: ConnectionIdleness?
    var faults = ConnectionFaults()
    /// Why the server ends the connection, if because of an error.
    var endReason: String?

    init(
        server: ServerCore, loop: LoopState, facts: ConnectionFacts, connections: ConnectionTable,
        channel: any Channel, defaultEnvironment: APNsEnvironment? = nil
    ) {
        self.server = server
        self.loop = loop
        self.connections = connections
        self.channel = channel
        self.facts = facts
        self.defaultEnvironment = defaultEnvironment ?? server.settings.environment
        self.environment = self.defaultEnvironment
        self.streamLimits = StreamLimitPolicy(server.settings.streamLimits)
    }

    func answer(to request: borrowing PushRequest, stream: Int32) -> Answer {
        let wall = WallClock.now()
        let credential = credential(of: request.authorization)
        let now = loop.clocks.now(wall: wall)
        let candidate = Candidate(
            request, credential: credential, environment: environment, settings: server.settings.rules,
            receivedAt: now, clockLead: now.since(wall))
        let random = nextRandom()
        let firing = claimFault(candidate, random)
        let push = IncomingPush(candidate, stream: stream, firing: firing, wall: wall, random: random)
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
                if let certificate {
                    server.trust.judge(certificate, with: authorization)
                } else {
                    authorization.map { server.trust.judge($0) } ?? .none
                }
            self.authorization = authorization
            credentialGeneration = loop.trustGeneration
        }
        return credential
    }

    /// Judges a push as APNs does: by trust and rules, then by the device table.
    func judge(_ push: IncomingPush, order: DeliveryOrder = .deliver, takeSequence: () -> UInt64) -> Judgement {
        let (credential, receivedAt) = (push.candidate.credential, push.candidate.receivedAt)
        let admission = Admission.judge(push.candidate, trust: &trust) { authorization in
            guard case .token(let identity) = credential.verdict else { return true }
            return server.trust.noteUse(authorization, ofKey: identity.keyID, at: receivedAt)
        }
        switch admission {
        case .refused(let refusal): return .refused(refusal)
        case .admitted(let fields):
            let admitted = Push(push.candidate, fields, id: push.id, bytes: push.bytes)
            let wall = push.wall
            let decision = server.devices.shards.accept(
                admitted, at: loop.clocks.now(wall: wall), clock: { loop.clocks.now(ofScope: $0, wall: wall) },
                order: order, takeSequence: takeSequence)
            switch decision {
            case .success(let decision): return .accepted(admitted, decision)
            case .failure(let refusal): return .refused(refusal)
            }
        }
    }

    // MARK: Journal

    /// Enters a push into the journal, and reports a delivery to its watchers.
    ///
    /// - Parameter status: What is answered now; `nil` for nothing.
    /// - Returns: The number of the entry, and the `apns-unique-id` to answer.
    @discardableResult
    func record(
        _ push: IncomingPush, _ judgement: Judgement, status: Int?
    ) -> (sequence: UInt64, uniqueID: NotificationID?) {
        let candidate = push.candidate
        var entry = Entry(
            receivedAt: candidate.receivedAt, environment: environment, connection: facts.id, stream: push.stream,
            credential: candidate.credential, token: candidate.token, notificationID: push.id,
            hasOwnID: candidate.notificationID != nil, uniqueID: nil, bytes: push.bytes,
            headerByteCount: candidate.headers.bytes.count, bodyByteCount: candidate.bodyByteCount, status: status,
            refusal: judgement.refusal, outcome: judgement.outcome)
        switch judgement {
        case .accepted(_, let decision):
            entry.sequence = decision.sequence
            entry.detail = decision.detail
            entry.label = decision.label
            if push.firing?.action.replacesReply != true { entry.uniqueID = push.uniqueID }
            if let firing = push.firing { note(firing, in: &entry) }
            if let shown = decision.shown { entry.note(shown, at: decision.at) }
            let recorded = (entry.sequence, entry.uniqueID)
            append(entry)
            server.devices.note(decision, loop.clocks)
            return recorded
        case .refused, .withheld:
            let sequence = server.journal.takeSequence()
            entry.sequence = sequence
            entry.label = candidate.token.flatMap { server.devices.shards.label(of: $0) }
            if let firing = push.firing { note(firing, in: &entry) }
            append(entry)
            return (sequence, nil)
        }
    }

    private func note(_ firing: FaultFiring, in entry: inout Entry) {
        if entry.status != nil, let reason = firing.action.answeredReason(at: loop.now) { entry.note(reason) }
        entry.note(firing, at: entry.receivedAt)
    }

    private func append(_ entry: consuming Entry) {
        let entry = entry
        // A push that is answered later is counted then.
        if entry.status != nil || entry.outcome.isFinal { loop.answers.count(entry) }
        server.journal.append(entry)
    }

    // MARK: Reply

    /// The reply that APNs gives.
    func reply(to push: IncomingPush, _ judgement: Judgement, uniqueID: NotificationID?) -> Reply {
        let refusal = judgement.refusal
        let effect = effect(of: refusal?.reason)
        guard let refusal else { return Reply(accepted: push.id, uniqueID: uniqueID, effect: effect) }
        return Reply(refused: refusal, id: push.id, settings: server.settings.rules, effect: effect)
    }

    private func effect(of reason: Reason?) -> WireEffect {
        if credential !== shownCredential { showCredential(after: reason) }
        var effect = WireEffect(streamLimit: streamLimits.note(reason))
        if let reason, exhaustsErrors(reason) { effect.goAway = reason }
        return effect
    }

    /// Counts a refused request; returns whether it is the one that ends the connection.
    ///
    /// Apple says only that too many errors do, and that 410 is not one (`ProviderAPI#GOAWAY`). Every other 4xx counts
    /// here, over the connection's whole life (inferred); 5xx, the service's own fault, does not.
    private func exhaustsErrors(_ reason: Reason) -> Bool {
        guard (400..<500).contains(reason.status), reason.status != 410 else { return false }
        errorCount += 1
        return errorCount == server.settings.maxErrors
    }

    /// Shows the credential in the table of connections, unless it was rejected or not looked at yet.
    private func showCredential(after reason: Reason?) {
        guard reason.map({ trust.team != nil && !$0.rejectsCredential }) ?? true,
            let proved = ConnectionView.Credential(credential.verdict)
        else { return }
        shownCredential = credential
        connections.note(proved, of: facts.id)
    }
}
