internal import APNsRules
internal import MynahCore
internal import MynahWire

/// The requests of one connection, each from wire to journal: the way that every push takes.
///
/// Lives on its connection's loop. Nothing here suspends, and no two locks are held together. Three promises:
/// the journal has the entry before the reply's bytes leave; a push's number is taken inside its device shard's
/// lock; whoever waits for the entry is woken outside of all locks.
final class PushPath: PushResponder {
    private let server: ServerCore
    private let loop: LoopState
    private var facts: ConnectionFacts
    private var environment: APNsEnvironment
    private var trust = ConnectionTrust()
    // The value that came last, and what was found of it; the latter may hold another connection's copy.
    private var authorization: AuthorizationValue?
    private var credential = JudgedCredential.none
    // The count of `LoopState.trustGeneration` at which it was found; `nil` before the first.
    private var credentialGeneration: UInt64?
    /// The client certificate that the handshake took; whoever opens the connection sets it.
    private var certificate: CertificateIdentity?
    private var random: SeededGenerator

    /// The push path of a connection, of which TLS has not told anything yet.
    init(server: ServerCore, loop: LoopState, facts: ConnectionFacts) {
        self.server = server
        self.loop = loop
        self.facts = facts
        self.environment = server.settings.environment
        self.random = server.generator(ofConnection: facts.id)
    }

    func reply(to request: borrowing PushRequest, stream: Int32) -> Reply {
        let now = loop.clock.now(wall: WallClock.now())
        let credential = judge(request.authorization)
        let push = Candidate(
            request, credential: credential, environment: environment, settings: server.settings.rules, receivedAt: now)

        if let refusal = admit(push) { return refuse(push, refusal, stream) }

        guard let token = push.token, let topic = push.topic else {
            preconditionFailure("a push without token or topic was admitted")
        }
        let decision = server.devices.accept(
            token, topic: topic.bytes.span.extracting(topic.place), environment: environment,
            policy: server.devicePolicy, takeSequence: server.journal.takeSequence)
        switch decision {
        case .failure(let refusal): return refuse(push, refusal, stream)
        case .success(let accepted): return accept(push, accepted, stream)
        }
    }

    // MARK: Trust

    /// The credential of a request: nearly always the one of the request before.
    private func judge(_ authorization: AuthorizationValue?) -> JudgedCredential {
        if certificate == nil, authorization == nil { return .none }
        if self.authorization !== authorization || credentialGeneration != loop.trustGeneration {
            credential = credential(behind: authorization)
            self.authorization = authorization
            credentialGeneration = loop.trustGeneration
        }
        return credential
    }

    private func credential(behind authorization: AuthorizationValue?) -> JudgedCredential {
        if let certificate { return server.trust.judge(certificate, with: authorization) }
        return authorization.map { server.trust.judge($0) } ?? .none
    }

    private func admit(_ push: borrowing Candidate) -> Refusal? {
        let now = push.receivedAt
        let verdict = push.credential.verdict
        return Admission.refusal(of: push, trust: &trust) { authorization in
            guard case .token(let identity) = verdict else { return true }
            return server.trust.noteUse(authorization, ofKey: identity.keyID, at: now)
        }
    }

    // MARK: Answers

    private func accept(_ push: borrowing Candidate, _ accepted: DeviceTable.Accepted, _ stream: Int32) -> Reply {
        let id = notificationID(of: push)
        // The sandbox alone names a push for the console's delivery log (`provider-api.md` §4).
        let uniqueID = environment == .sandbox ? NotificationID(unique: random.next128()) : nil
        var entry = entry(of: push, id: id, stream: stream, status: 200, refusal: nil, outcome: accepted.outcome)
        entry.sequence = accepted.sequence
        entry.uniqueID = uniqueID
        server.journal.append(entry)
        return Reply(accepted: id, uniqueID: uniqueID, effect: effect(of: nil))
    }

    private func refuse(_ push: borrowing Candidate, _ refusal: Refusal, _ stream: Int32) -> Reply {
        let id = notificationID(of: push)
        var entry = entry(
            of: push, id: id, stream: stream, status: refusal.reason.status, refusal: refusal, outcome: .refused)
        entry.sequence = server.journal.takeSequence()
        server.journal.append(entry)
        return Reply(refused: refusal, id: id, settings: server.settings.rules, effect: effect(of: refusal.reason))
    }

    private func notificationID(of push: borrowing Candidate) -> NotificationID {
        push.notificationID ?? NotificationID(generated: random.next128())
    }

    private func entry(
        of push: borrowing Candidate, id: NotificationID, stream: Int32, status: Int, refusal: Refusal?,
        outcome: Outcome
    ) -> Entry {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(push.headers.bytes.count + push.body.count)
        bytes.append(contentsOf: push.headers.bytes)
        bytes.append(contentsOf: push.body)
        return Entry(
            receivedAt: push.receivedAt, environment: environment, connection: facts.id, stream: stream,
            credential: push.credential, token: push.token, notificationID: id,
            hasOwnID: push.notificationID != nil, uniqueID: nil, bytes: bytes,
            headerByteCount: push.headers.bytes.count, status: status, refusal: refusal, outcome: outcome)
    }

    private func effect(of reason: Reason?) -> WireEffect {
        switch trust.note(reason) {
        case .raiseStreamLimit: .streamLimit(server.settings.streamLimits.trusted)
        case .lowerStreamLimit: .streamLimit(server.settings.streamLimits.beforeTrust)
        case .nothing: .none
        }
    }

    // MARK: Life

    func connectionOpened(_ facts: ConnectionFacts) {
        self.facts = facts
        environment =
            facts.portEnvironment
            ?? facts.tls?.serverName.flatMap { APNsEnvironment(serverName: $0) }
            ?? server.settings.environment
        server.log.opened(facts)
    }

    func connectionFailed(_ problem: ConnectionProblem) {
        server.log.failed(facts, problem)
    }

    func connectionClosed() {
        server.log.closed(facts.id)
    }
}

extension SeededGenerator {
    /// The next 128 bits.
    fileprivate mutating func next128() -> UInt128 {
        UInt128(next()) << 64 | UInt128(next())
    }
}
