internal import APNsRules
internal import MynahCore

/// Applies pushes to a simulation, on one loop or, where commands have one order, on the thread that keeps it: fault,
/// device, journal.
///
/// Nothing here suspends, and no two locks are held together, except while the journal reports later changes of pushes
/// (see ``JournalStore``). Three guarantees: the journal has the entry before the reply's bytes leave; a push's number
/// is taken inside the lock of its token's shard; tasks that wait for the entry are resumed outside all locks. So the
/// pushes to one device are numbered in the order in which its shard accepted or refused them, except one whose answer
/// a fault delays: it is numbered when it arrives, but accepted when the delay is over. Where one push replaces
/// another, the higher number stays.
final class PushApplier {
    let simulation: Simulation
    let faults: LoopFaults
    /// The clocks in force; replaced on every loop before a control call returns.
    var clocks: ClockSet
    var answers = AnswerCounts()
    // The closes that faults want on a push's connection after a silence, until the connection takes them.
    private var idleCloses: [IdleClose] = []
    /// The requests whose answers faults withhold.
    var pending = PendingPushes()
    let inlineFollowersMax: Int

    /// - Parameter inlineFollowersMax: The most followers to whom a broadcast goes at once, while other pushes wait.
    init(_ simulation: Simulation, clocks: ClockSet, inlineFollowersMax: Int = 256) {
        self.simulation = simulation
        self.clocks = clocks
        self.inlineFollowersMax = inlineFollowersMax
        faults = LoopFaults(simulation.faults, seed: simulation.seed)
    }

    // MARK: Applying

    func applyPush(_ push: IncomingPush) -> PushResult {
        if mayMeetFault(push), let firing = findFault(push) { return .faulted(applyFault(firing, to: push)) }
        if case .management(let request) = push.verdict { return manage(request, push) }
        let judgement = decide(push, wall: push.wall, takeSequence: simulation.journal.takeSequence)
        if case .broadcast(let accepted) = judgement, case .ahead = accepted.progress {
            record(push, judgement, status: nil)
            return .spreading(accepted)
        }
        let uniqueID = record(push, judgement, status: judgement.status).uniqueID
        return .answered(judgement.refusal, uniqueID: uniqueID)
    }

    /// Asks the device table, or a broadcast's channel, about a push that the rules admit.
    private func decide(
        _ push: IncomingPush, order: DeliveryOrder = .deliver, wall: Instant, takeSequence: () -> UInt64
    ) -> Judgement {
        switch push.verdict {
        case .admitted(let fields):
            let decided = simulation.devices.shards.accept(
                Push(push.candidate, fields, id: push.id, bytes: push.bytes), at: clocks.now(wall: wall),
                clock: { clocks.now(ofScope: $0, wall: wall) }, order: order, takeSequence: takeSequence)
            switch decided {
            case .accepted(let decision): return .accepted(decision)
            case .refused(let refusal, let numbered): return .refused(refusal, numbered)
            }
        case .refused(let refusal): return .refused(refusal, nil)
        case .broadcast(let broadcast):
            return acceptBroadcast(broadcast, order: order, wall: wall, takeSequence: takeSequence)
        case .web(let web):
            return .web(acceptWebPush(web, push, order: order, wall: wall, takeSequence: takeSequence))
        case .management: preconditionFailure("a call of channel management is not judged as a push")
        }
    }

    // MARK: Journal

    /// Enters a push into the journal with the `status` that is answered now, and reports a delivery to its watchers.
    @discardableResult
    private func record(
        _ push: IncomingPush, _ judgement: Judgement, status: Int?, firing: FaultFiring? = nil
    ) -> (sequence: UInt64, uniqueID: NotificationID?) {
        if push.broadcast != nil, status != nil || judgement.outcome.isFinal {
            answers.broadcasts.count(judgement.outcome, deviceCount: judgement.deviceCount)
        }
        var entry = Entry(push)
        entry.status = status.map(Int16.init)
        if let token = push.web?.token { entry.web?.topic = simulation.devices.shards.webTopic(of: token) }
        addJudgement(judgement, of: push, firing, in: &entry)
        let recorded = (entry.sequence, entry.uniqueID)
        append(consume entry)
        if let decision = judgement.decision {
            simulation.devices.reportEffects(of: decision, clocks)
            if decision.shown != nil, let follower = decision.followerID { simulation.channels.catchUp(follower) }
        }
        return recorded
    }

    // Apart from making the entry, which could otherwise not be moved into the journal.
    private func addJudgement(
        _ judgement: Judgement, of push: IncomingPush, _ firing: FaultFiring?, in entry: inout Entry
    ) {
        entry.outcome = judgement.outcome
        switch judgement {
        case .accepted(let decision):
            entry.sequence = decision.sequence
            entry.detail = decision.detail
            entry.label = decision.label
            if firing?.action.replacesReply != true { entry.uniqueID = push.uniqueID }
        case .broadcast(let broadcast):
            entry.sequence = broadcast.sequence
            entry.detail = broadcast.detail
            entry.broadcast?.deviceCount = broadcast.deviceCount
        case .refused(let refusal, let numbered):
            entry.recordRefusal(refusal)
            number(&entry, numbered)
        case .withheld(_, let numbered):
            number(&entry, numbered)
        case .web(let web):
            entry.web = web.record
            return addJudgement(web.judgement, of: push, firing, in: &entry)
        }
        if let firing { addFiring(firing, in: &entry) }
        if let decision = judgement.decision, let shown = decision.shown { entry.recordShown(shown, at: decision.at) }
    }

    /// Gives an entry the number that its push has, or else the next one.
    private func number(_ entry: inout Entry, _ numbered: NumberedPush?) {
        let numbered =
            numbered ?? simulation.devices.shards.number(entry.token, takeSequence: simulation.journal.takeSequence)
        entry.sequence = numbered.sequence
        entry.label = numbered.label
    }

    private func addFiring(_ firing: FaultFiring, in entry: inout Entry) {
        let timestamp = entry.web == nil ? entry.receivedAt : nil
        if entry.status != nil, let reason = firing.action.answeredReason(timestamp: timestamp) {
            entry.recordReason(reason)
        }
        entry.recordFiring(firing, at: entry.receivedAt)
    }

    private func append(_ entry: consuming Entry) {
        // A push that is answered later is counted then.
        if entry.status != nil || entry.outcome.isFinal { answers.count(entry) }
        simulation.journal.append(consume entry)
    }

    func recordAnswer(_ answer: LateAnswer, of sequence: UInt64) {
        answers.count(answer)
        simulation.journal.recordAnswer(answer, of: sequence)
    }
}

// MARK: - Faults

/// A close that a fault wants when nothing has arrived on a connection for the action's time.
struct IdleClose: Sendable {
    let action: FaultAction
    let tally: FaultTally
}

/// Requests on which a fault acts: a push that it delays, stalls or cuts is in the journal as soon as its request is
/// complete (`ControlAPI#Guarantees`, 1), and its entry changes when the answer leaves or is given up.
extension PushApplier {
    /// Removes the closes that faults want after a silence on the connection of the push that was applied last.
    @inline(__always)
    func removeIdleCloses() -> [IdleClose] {
        guard !idleCloses.isEmpty else { return [] }
        defer { idleCloses = [] }
        return idleCloses
    }

    // MARK: Finding

    @inline(__always)
    private func mayMeetFault(_ push: IncomingPush) -> Bool {
        faults.mayConcern(
            push.candidate, connection: push.connection, isAboutChannels: push.concernsChannels || push.web != nil)
            || push.isMagic
    }

    private func findFault(_ push: IncomingPush) -> FaultFiring? {
        // A step after n pushes is done when the n-th is answered, which is still judged by the rules before it.
        let receivedAt = push.candidate.receivedAt
        let now: () -> (String?) -> Instant = { [simulation] in
            let time = simulation.devices.time
            return { scope in scope == nil ? min(receivedAt, time.now) : time.now(ofScope: scope) }
        }
        let counted = faults.countPush(at: now)
        defer {
            if counted.isLast { simulation.faults.advanceScenarios(at: now()) }
            if counted.isLast || counted.hasStepped { simulation.watchDue() }
        }
        if faults.hasRequestRules {
            var asked: FaultFacts
            let token = push.web?.token ?? push.candidate.token
            if let web = push.web {
                asked = facts(of: web, push)
            } else if let channels = push.channels {
                asked = FaultFacts(channels: channels.request, connection: push.connection)
            } else {
                asked = FaultFacts(push: push.candidate, connection: push.connection)
            }
            if faults.namesDevices,
                let label = token.flatMap({ simulation.devices.shards.label(of: $0) })
            {
                asked.device = label.device
                asked.scope = label.scope
            }
            let firing = faults.claim(&asked) { idleCloses.append(IdleClose(action: $0, tally: $1)) }
            if let firing { return firing }
        }
        guard simulation.faults.hasMagicTokens, let magic = push.magic else { return nil }
        return FaultFiring(ruleID: MagicTokens.ruleID, action: magic.action, random: push.random.generator)
    }

    // MARK: Applying

    private func applyFault(_ firing: FaultFiring, to arrived: IncomingPush) -> FaultedPush {
        let action = firing.action
        let push = action.replacesReply && action.delivers != true ? arrived : aimed(arrived)
        if case .refuse = action.kind { simulation.faults.refuseConnections(untilGone: firing.ruleID) }
        guard let delay = action.delay else {
            return action.replacesReply ? replaceReply(to: push, firing) : keepReply(to: push, firing)
        }
        var random = firing.random
        let length = delay.duration(using: &random)
        if case .management = push.verdict { return withhold(push, firing, nil, .pending(length)) }
        guard action.replacesReply else {
            let sequence = record(push, .withheld(.pending, nil), status: nil, firing: firing).sequence
            return withhold(push, firing, sequence, .pending(length))
        }
        let (sequence, spreading) = recordReplaced(push, firing, status: nil, undelivered: .pending)
        return withhold(push, firing, sequence, .pending(length), spreading: spreading)
    }

    /// Answers as APNs does, with an addition.
    private func keepReply(to push: IncomingPush, _ firing: FaultFiring) -> FaultedPush {
        if case .management(let request) = push.verdict { return FaultedPush(firing, step(manage(request, push))) }
        let judgement = decide(
            push, order: firing.action.order, wall: push.wall, takeSequence: simulation.journal.takeSequence)
        let uniqueID = record(push, judgement, status: judgement.status, firing: firing).uniqueID
        return finish(push, judgement, firing, uniqueID: uniqueID, wall: push.wall)
    }

    /// Gives a judged push's broadcast to its followers, and the fault's copies to its device.
    private func finish(
        _ push: IncomingPush, _ judgement: Judgement, _ firing: FaultFiring, uniqueID: NotificationID?, wall: Instant
    ) -> FaultedPush {
        let spreading = spreadLate(judgement, furtherCopies: firing.action.furtherCopies)
        deliverCopies(of: push, judgement, firing.action, wall: wall)
        return FaultedPush(firing, .answered(judgement.refusal, uniqueID: uniqueID), spreading: spreading)
    }

    private func step(_ result: PushResult) -> FaultedPush.Step {
        switch result {
        case .answered(let refusal, let uniqueID): .answered(refusal, uniqueID: uniqueID)
        case .managed(let managed): .managed(managed)
        case .spreading, .faulted: preconditionFailure("a call of channel management is answered at once")
        }
    }

    /// Answers differently from APNs, or not at all; the device may still get the push.
    private func replaceReply(to push: IncomingPush, _ firing: FaultFiring) -> FaultedPush {
        let action = firing.action
        if case .management = push.verdict {
            guard case .stall = action.kind else {
                return FaultedPush(firing, .replaced(at: push.candidate.receivedAt))
            }
            return withhold(push, firing, nil, .stalled)
        }
        let (sequence, spreading) = recordReplaced(
            push, firing, status: action.status, undelivered: action.outcomeUndelivered)
        guard case .stall = action.kind else {
            return FaultedPush(firing, .replaced(at: push.candidate.receivedAt), spreading: spreading)
        }
        return withhold(push, firing, sequence, .stalled, spreading: spreading)
    }

    /// Records a push whose answer a fault gives or prevents, as `undelivered` unless the fault has it delivered.
    private func recordReplaced(
        _ push: IncomingPush, _ firing: FaultFiring, status: Int?, undelivered: Outcome
    ) -> (sequence: UInt64, spreading: (AcceptedBroadcast, Int)?) {
        var judgement = Judgement.withheld(undelivered, nil)
        if firing.action.delivers == true {
            let found = decide(push, wall: push.wall, takeSequence: simulation.journal.takeSequence)
            judgement = found.refusal == nil ? found : .withheld(undelivered, found.numbered)
        }
        let sequence = record(push, judgement, status: status, firing: firing).sequence
        return (sequence, spreadLate(judgement))
    }

    private func deliverCopies(
        of push: IncomingPush, _ judgement: Judgement, _ action: FaultAction, wall: Instant
    ) {
        guard action.furtherCopies > 0, let first = judgement.decision else { return }
        let admitted: Push
        switch (push.verdict, judgement) {
        case (.admitted(let fields), _): admitted = Push(push.candidate, fields, id: push.id, bytes: push.bytes)
        case (.web, .web(let web)):
            guard let delivered = web.push else { return }
            admitted = delivered
        default: return
        }
        for _ in 0..<action.furtherCopies {
            let decision = simulation.devices.shards.redeliver(
                admitted, sequence: first.sequence, at: clocks.now(wall: wall),
                clock: { clocks.now(ofScope: $0, wall: wall) })
            if let decision { simulation.devices.reportEffects(of: decision, clocks) }
        }
    }

    // MARK: Withholding

    private func withhold(
        _ push: IncomingPush, _ firing: FaultFiring, _ sequence: UInt64?, _ step: FaultedPush.Step,
        spreading: (AcceptedBroadcast, Int)? = nil
    ) -> FaultedPush {
        let ticket = pending.add(PendingPush(push: push, firing: firing, sequence: sequence))
        return FaultedPush(firing, step, ticket: ticket, spreading: spreading)
    }

    /// Answers a pending request, whose delay is over.
    func release(_ ticket: PendingPush.Ticket) -> (push: IncomingPush, result: FaultedPush)? {
        guard let released = pending.take(ticket) else { return nil }
        return (released.push, release(released, wall: simulation.wall.now))
    }

    private func release(_ released: PendingPush, wall: Instant) -> FaultedPush {
        let push = released.push
        let firing = released.firing
        let action = firing.action
        let now = clocks.now(wall: wall)
        guard let sequence = released.sequence else {
            guard !action.replacesReply, case .management(let request) = push.verdict else {
                return FaultedPush(firing, .replaced(at: now))
            }
            return FaultedPush(firing, step(manage(request, push)))
        }
        let isBroadcast = push.broadcast != nil
        guard !action.replacesReply else {
            recordAnswer(
                LateAnswer(
                    at: now, status: action.status,
                    reason: action.answeredReason(timestamp: push.web == nil ? now : nil),
                    outcome: action.outcomeUndelivered, isOfBroadcast: isBroadcast),
                of: sequence)
            return FaultedPush(firing, .replaced(at: now))
        }
        let judgement = decide(push, order: action.order, wall: wall, takeSequence: { sequence })
        recordAnswer(
            LateAnswer(
                at: now, status: judgement.status, refusal: judgement.refusal, outcome: judgement.outcome,
                decision: judgement.decision, isOfBroadcast: isBroadcast, deviceCount: judgement.deviceCount,
                webPush: judgement.webPush),
            of: sequence)
        if let decision = judgement.decision { simulation.devices.reportEffects(of: decision, clocks) }
        return finish(push, judgement, firing, uniqueID: push.uniqueID, wall: wall)
    }

    /// Gives up a withheld request, because its stream or connection has ended.
    func abandon(_ ticket: PendingPush.Ticket) {
        guard let abandoned = pending.take(ticket), let sequence = abandoned.sequence else { return }
        let answer = LateAnswer(
            at: clocks.now(wall: simulation.wall.now), status: nil, outcome: .unanswered,
            isOfBroadcast: abandoned.push.broadcast != nil)
        recordAnswer(answer, of: sequence)
    }
}

extension Entry {
    /// The entry of a push that is not answered yet.
    @inline(__always)
    fileprivate init(_ push: IncomingPush) {
        if let web = push.web {
            self.init(
                web: push.candidate, WebPushRecord(web.judgement.findings), token: web.token, id: push.id,
                bytes: push.bytes, connection: push.connection, stream: push.stream)
            return
        }
        guard let broadcast = push.broadcast else {
            self.init(
                push.candidate, id: push.id, bytes: push.bytes, connection: push.connection, stream: push.stream)
            return
        }
        self.init(
            broadcast: broadcast.request, id: push.id, bytes: push.bytes, connection: push.connection,
            stream: push.stream)
    }
}

extension IncomingPush {
    /// Whether the push's token or channel begins as a magic one.
    @inline(__always)
    fileprivate var isMagic: Bool {
        // A path of APNs means nothing to the Web Push service.
        if let web { return web.magic != nil }
        if let token = candidate.token { return token.leadingWord == MagicTokens.leadingWord }
        guard concernsChannels, let channel = channels?.request.channelID else { return false }
        return channel.high == MagicTokens.leadingWord
    }

    /// What the push's token, channel or endpoint does if it is a magic one.
    fileprivate var magic: MagicToken? {
        if let web { return web.magic }
        return candidate.token.flatMap { MagicTokens.magic($0) }
            ?? channels?.request.channelID.flatMap { MagicTokens.magic($0) }
    }
}
