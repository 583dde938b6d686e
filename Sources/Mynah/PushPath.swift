internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

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
    private let connections: ConnectionTable
    private let channel: any Channel
    private var idleness: ConnectionIdleness?
    // The credential that the table of connections knows, and how many requests were refused (`--max-errors`).
    private var shownCredential: JudgedCredential?
    private var errorCount = 0

    /// The push path of a connection, of which TLS has not told anything yet.
    init(
        server: ServerCore, loop: LoopState, facts: ConnectionFacts, connections: ConnectionTable,
        channel: any Channel
    ) {
        self.connections = connections
        self.channel = channel
        self.server = server
        self.loop = loop
        self.facts = facts
        self.environment = server.settings.environment
        self.random = server.generator(ofConnection: facts.id)
    }

    func reply(to request: borrowing PushRequest, stream: Int32) -> Reply {
        let wall = WallClock.now()
        let now = loop.clocks.now(wall: wall)
        let credential = judge(request.authorization)
        let push = Candidate(
            request, credential: credential, environment: environment, settings: server.settings.rules, receivedAt: now)

        // The journal's entry and a push that waits share these.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(push.headers.bytes.count + push.body.count)
        bytes.append(contentsOf: push.headers.bytes)
        bytes.append(contentsOf: push.body)
        if let refusal = admit(push) { return refuse(push, bytes, refusal, stream) }

        let id = notificationID(of: push)
        guard let admitted = Push(push, id: id, bytes: bytes) else {
            preconditionFailure("a push without token or topic was admitted")
        }
        let decision = server.devices.shards.accept(
            admitted, at: now, clock: { loop.clocks.now(ofScope: $0, wall: wall) },
            takeSequence: server.journal.takeSequence)
        switch decision {
        case .failure(let refusal): return refuse(push, bytes, refusal, stream)
        case .success(let decision): return accept(push, id, bytes, decision, stream)
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

    private func accept(
        _ push: borrowing Candidate, _ id: NotificationID, _ bytes: [UInt8], _ decision: Decision, _ stream: Int32
    ) -> Reply {
        // The sandbox alone names a push for the console's delivery log (`provider-api.md` §4).
        let uniqueID = environment == .sandbox ? NotificationID(unique: random.next128()) : nil
        var entry = entry(
            of: push, bytes, id: id, stream: stream, status: 200, refusal: nil, outcome: decision.outcome)
        entry.sequence = decision.sequence
        entry.detail = decision.detail
        entry.label = decision.label
        if let shown = decision.shown { entry.note(shown, at: decision.at) }
        entry.uniqueID = uniqueID
        server.journal.append(entry)
        server.devices.note(decision, loop.clocks)
        return Reply(accepted: id, uniqueID: uniqueID, effect: effect(of: nil))
    }

    private func refuse(
        _ push: borrowing Candidate, _ bytes: [UInt8], _ refusal: Refusal, _ stream: Int32
    ) -> Reply {
        let id = notificationID(of: push)
        var entry = entry(
            of: push, bytes, id: id, stream: stream, status: refusal.reason.status, refusal: refusal, outcome: .refused)
        entry.label = push.token.flatMap { server.devices.shards.label(of: $0) }
        entry.sequence = server.journal.takeSequence()
        server.journal.append(entry)
        return Reply(refused: refusal, id: id, settings: server.settings.rules, effect: effect(of: refusal.reason))
    }

    private func notificationID(of push: borrowing Candidate) -> NotificationID {
        push.notificationID ?? NotificationID(generated: random.next128())
    }

    private func entry(
        of push: borrowing Candidate, _ bytes: [UInt8], id: NotificationID, stream: Int32, status: Int,
        refusal: Refusal?, outcome: Outcome
    ) -> Entry {
        Entry(
            receivedAt: push.receivedAt, environment: environment, connection: facts.id, stream: stream,
            credential: push.credential, token: push.token, notificationID: id,
            hasOwnID: push.notificationID != nil, uniqueID: nil, bytes: bytes,
            headerByteCount: push.headers.bytes.count, status: status, refusal: refusal, outcome: outcome)
    }

    private func effect(of reason: Reason?) -> WireEffect {
        if credential !== shownCredential { showCredential(after: reason) }
        var effect = WireEffect.none
        switch trust.note(reason) {
        case .raiseStreamLimit: effect.streamLimit = server.settings.streamLimits.trusted
        case .lowerStreamLimit: effect.streamLimit = server.settings.streamLimits.beforeTrust
        case .nothing: break
        }
        if let reason, spendsErrorBudget(reason) { effect.goAway = reason }
        return effect
    }

    /// Counts a refused request; whether it is the one that ends the connection.
    ///
    /// Apple says only that too many errors do, and that 410 is none (`provider-api.md` §1.5). Every other 4xx counts
    /// here, over the connection's whole life (INF); 5xx, the service's own fault, does not.
    private func spendsErrorBudget(_ reason: Reason) -> Bool {
        guard (400..<500).contains(reason.status), reason.status != 410 else { return false }
        errorCount += 1
        return errorCount == server.settings.maxErrors
    }

    /// Makes a credential known that is not, unless the request was refused before it was found good.
    private func showCredential(after reason: Reason?) {
        guard reason.map({ trust.team != nil && !$0.rejectsCredential }) ?? true,
            let proved = ConnectionView.Credential(credential.verdict)
        else { return }
        shownCredential = credential
        connections.note(proved, of: facts.id)
    }

    // MARK: Life

    func judgeCertificate(_ chain: [[UInt8]]) -> CertificateVerdict {
        server.trust.judgeCertificate(chain: chain, at: loop.now)
    }

    func connectionOpened(_ facts: ConnectionFacts) -> OpeningDecision {
        self.facts = facts
        environment =
            facts.portEnvironment
            ?? facts.tls?.serverName.flatMap { APNsEnvironment(serverName: $0) }
            ?? server.settings.environment
        server.log.opened(facts)
        certificate = facts.tls?.clientCertificate
        if let certificate, !certificate.environment.contains(environment) {
            return .refuse(.badCertificateEnvironment)
        }
        idleness = ConnectionIdleness(
            channel, loop: loop, timeout: server.settings.idleTimeout, grace: server.settings.shutdownGrace)
        connections.opened(
            ConnectionEntry(
                id: facts.id, peer: facts.peer, openedAt: loop.now, tls: facts.tls, environment: environment,
                credential: certificate.flatMap { ConnectionView.Credential(.certificate($0)) }))
        guard certificate != nil else { return .serve(streamLimit: server.settings.streamLimits.beforeTrust) }
        // Proved already: the first SETTINGS carry what follows the first accepted push of others (`provider-api.md`
        // §1.3).
        trust = ConnectionTrust(startsTrusted: true)
        return .serve(streamLimit: server.settings.streamLimits.trusted)
    }

    func bytesArrived() {
        idleness?.heard()
    }

    func connectionFailed(_ problem: ConnectionProblem) {
        server.log.failed(facts, problem)
    }

    func connectionClosed(_ traffic: ConnectionTraffic) {
        idleness?.end()
        idleness = nil
        connections.closed(facts.id, traffic)
        server.log.closed(facts.id)
    }
}

extension SeededGenerator {
    /// The next 128 bits.
    fileprivate mutating func next128() -> UInt128 {
        UInt128(next()) << 64 | UInt128(next())
    }
}
