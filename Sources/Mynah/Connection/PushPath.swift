internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// The requests of one connection, each from wire to journal: the way that every push takes.
///
/// Lives on its connection's loop. Nothing here suspends, and no two locks are held together, except while the journal
/// reports later changes of pushes (see ``JournalStore``). Three promises: the journal has the entry before the reply's
/// bytes leave; an accepted push's number is taken inside its device shard's lock; tasks that wait for the entry are
/// resumed outside of all locks.
///
/// So the numbers of pushes to one device are in the order in which the device's side took them, with one exception: a
/// push whose answer a fault delays has the number of its arrival, because it is in the journal from then on, and the
/// device's side takes it when the delay is over. There it counts as old as its number: where one push takes another's
/// place, the one with the higher number stays.
final class PushPath: PushResponder {
    let server: ServerCore
    let loop: LoopState
    var facts: ConnectionFacts
    var environment: APNsEnvironment
    /// The server name of the ClientHello, at most as long as a host's name is.
    var serverName: String? {
        didSet { serverName = serverName.map { String($0.prefix(PushPath.serverNameLengthMax)) } }
    }
    /// The environment where neither port nor server name tells.
    let environmentUntold: APNsEnvironment
    var trust = ConnectionTrust()
    // The value that came last, and what was found of it; the latter may hold another connection's copy.
    private var authorization: AuthorizationValue?
    private var credential = JudgedCredential.none
    // The count of `LoopState.trustGeneration` at which it was found; `nil` before the first.
    private var credentialGeneration: UInt64?
    /// The client certificate that the handshake took; whoever opens the connection sets it.
    var certificate: CertificateIdentity?
    /// Why the server ends the connection, when something went wrong.
    var endReason: String?
    // Once the first request has come.
    private var chance: ConnectionChance?
    /// The most characters of a host's name (RFC 1035 §2.3.4).
    private static let serverNameLengthMax = 255
    let connections: ConnectionTable
    let channel: any Channel
    var idleness: ConnectionIdleness?
    /// What faults have left to be done on this connection.
    var faults = ConnectionFaults()
    // The credential that the table of connections knows, and how many requests were refused (`--max-errors`).
    private var shownCredential: JudgedCredential?
    private var errorCount = 0

    /// The push path of a connection, of which TLS has not told anything yet; the environment is the one where neither
    /// port nor server name tells, in place of the settings'.
    init(
        server: ServerCore, loop: LoopState, facts: ConnectionFacts, connections: ConnectionTable,
        channel: any Channel, environment: APNsEnvironment? = nil
    ) {
        self.connections = connections
        self.channel = channel
        self.server = server
        self.loop = loop
        self.facts = facts
        self.environmentUntold = environment ?? server.settings.environment
        self.environment = environmentUntold
    }

    func answer(to request: borrowing PushRequest, stream: Int32) -> Answer {
        let wall = WallClock.now()
        let credential = judge(request.authorization)
        let now = loop.clocks.now(wall: wall)
        let push = Candidate(
            request, credential: credential, environment: environment, settings: server.settings.rules,
            receivedAt: now, clockLead: now.since(wall))
        let random = nextChance()
        if let firing = claimFault(push, random) {
            return answer(to: push, firing, random, stream: stream, wall: wall)
        }

        let bytes = PushPath.journalBytes(of: push)
        let id = notificationID(of: push, random)
        let reply =
            switch decide(push, bytes, id: id, wall: wall, takeSequence: server.journal.takeSequence) {
            case .refused(let refusal): refuse(push, id, bytes, refusal, stream)
            case .accepted(_, let decision): accept(push, id, bytes, decision, stream, random)
            }
        return .reply(reply)
    }

    /// The random numbers of the request that has just come.
    private func nextChance() -> SeededGenerator {
        if chance?.resetCount != server.chances.resetCount { chance = server.chances.next() }
        guard let random = chance?.next() else { preconditionFailure("a connection without random numbers") }
        return random
    }

    /// The request's fields and body in one piece, which the journal's entry and a push that waits share.
    static func journalBytes(of push: borrowing Candidate) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(push.headers.bytes.count + push.body.count)
        bytes.append(contentsOf: push.headers.bytes)
        bytes.append(contentsOf: push.body)
        return bytes
    }

    /// What trust, rules and device say of a push.
    enum Judgement {
        case refused(Refusal)
        case accepted(Push, Decision)
    }

    /// Lets trust, rules and the device decide, in this order (`architecture.md`, rows 6 to 8).
    func decide(
        _ push: borrowing Candidate, _ bytes: [UInt8], id: NotificationID, order: DeliveryOrder = .deliver,
        wall: Instant, takeSequence: () -> UInt64
    ) -> Judgement {
        if let refusal = admit(push) { return .refused(refusal) }
        guard let admitted = Push(push, id: id, bytes: bytes) else {
            preconditionFailure("a push without token or topic was admitted")
        }
        let decision = server.devices.shards.accept(
            admitted, at: loop.clocks.now(wall: wall), clock: { loop.clocks.now(ofScope: $0, wall: wall) },
            order: order, takeSequence: takeSequence)
        switch decision {
        case .failure(let refusal): return .refused(refusal)
        case .success(let decision): return .accepted(admitted, decision)
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

    func accept(
        _ push: borrowing Candidate, _ id: NotificationID, _ bytes: [UInt8], _ decision: Decision, _ stream: Int32,
        _ random: SeededGenerator, fault: FaultFiring? = nil
    ) -> Reply {
        var entry = entry(
            of: push, bytes, id: id, stream: stream, status: 200, refusal: nil, outcome: decision.outcome)
        entry.sequence = decision.sequence
        entry.detail = decision.detail
        entry.label = decision.label
        if let fault { entry.note(fault, at: push.receivedAt) }
        if let shown = decision.shown { entry.note(shown, at: decision.at) }
        entry.uniqueID = uniqueID(random)
        let reply = Reply(accepted: id, uniqueID: entry.uniqueID, effect: effect(of: nil))
        loop.answers.count(entry)
        server.journal.append(entry)
        server.devices.note(decision, loop.clocks)
        return reply
    }

    func refuse(
        _ push: borrowing Candidate, _ id: NotificationID, _ bytes: [UInt8], _ refusal: Refusal, _ stream: Int32,
        fault: FaultFiring? = nil
    ) -> Reply {
        var entry = entry(
            of: push, bytes, id: id, stream: stream, status: refusal.reason.status, refusal: refusal, outcome: .refused)
        entry.label = push.token.flatMap { server.devices.shards.label(of: $0) }
        entry.sequence = server.journal.takeSequence()
        if let fault { entry.note(fault, at: push.receivedAt) }
        loop.answers.count(entry)
        server.journal.append(entry)
        return Reply(refused: refusal, id: id, settings: server.settings.rules, effect: effect(of: refusal.reason))
    }

    /// The sandbox alone names a push for the console's delivery log (`ProviderAPI#Responses`).
    func uniqueID(_ random: SeededGenerator) -> NotificationID? {
        environment == .sandbox ? NotificationID(unique: random.drawn128(for: 1)) : nil
    }

    func notificationID(of push: borrowing Candidate, _ random: SeededGenerator) -> NotificationID {
        push.notificationID ?? NotificationID(generated: random.drawn128(for: 0))
    }

    func entry(
        of push: borrowing Candidate, _ bytes: [UInt8], id: NotificationID, stream: Int32, status: Int?,
        refusal: Refusal?, outcome: Outcome
    ) -> Entry {
        Entry(
            receivedAt: push.receivedAt, environment: environment, connection: facts.id, stream: stream,
            credential: push.credential, token: push.token, notificationID: id,
            hasOwnID: push.notificationID != nil, uniqueID: nil, bytes: bytes,
            headerByteCount: push.headers.bytes.count, bodyByteCount: push.bodyByteCount, status: status,
            refusal: refusal, outcome: outcome)
    }

    func effect(of reason: Reason?) -> WireEffect {
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
    /// Apple says only that too many errors do, and that 410 is none (`ProviderAPI#GOAWAY`). Every other 4xx counts
    /// here, over the connection's whole life (inferred); 5xx, the service's own fault, does not.
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
}

extension SeededGenerator {
    /// 128 bits for one of several purposes.
    fileprivate func drawn128(for purpose: UInt64) -> UInt128 {
        var random = split(for: purpose)
        return UInt128(random.next()) << 64 | UInt128(random.next())
    }
}
