internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// Requests on which a fault acts.
///
/// A push that a fault delays, stalls or cuts is in the journal as soon as its request is complete
/// (`ControlAPI#Guarantees`, 1), and its entry changes when the answer leaves or is given up.
extension PushPath {
    // MARK: Finding

    /// Finds the rule or the magic token that acts on a request.
    @inline(__always)
    func claimFault(_ push: borrowing Candidate, _ random: SeededGenerator) -> FaultFiring? {
        guard loop.faults.concernRequests || push.token?.leadingWord == MagicTokens.leadingWord else {
            return nil
        }
        return findFault(push, random)
    }

    private func findFault(_ push: borrowing Candidate, _ random: SeededGenerator) -> FaultFiring? {
        let now = push.receivedAt
        let counted = loop.faults.countPush(at: now)
        // A step after n pushes is done when the n-th is answered, which is still judged by the rules before it.
        defer {
            if counted.isLast { loop.faults.advanceScenarios(at: now) }
            if counted.isLast || counted.hasStepped { loop.watchScenarios() }
        }
        if loop.faults.hasRequestRules {
            var asked = FaultFacts(push: push, connection: facts.id)
            if loop.faults.namesDevices, let label = push.token.flatMap({ server.devices.shards.label(of: $0) }) {
                asked.device = label.device
                asked.scope = label.scope
            }
            if let firing = claim(&asked) { return firing }
        }
        guard server.faults.hasMagicTokens, let magic = push.token.flatMap({ MagicTokens.magic($0) }) else {
            return nil
        }
        return FaultFiring(ruleID: MagicTokens.ruleID, action: magic.action, random: random)
    }

    /// Finds the first rule that acts on a request of the connection, or on the connection.
    func claim(_ facts: inout FaultFacts) -> FaultFiring? {
        loop.faults.claim(&facts) { watch($0, counting: $1) }
    }

    /// Carries out an action when nothing has arrived on the connection for as long as it says.
    func watch(_ action: FaultAction, counting tally: FaultTally) {
        guard let time = action.idleTime, case .close(let close) = action.kind else { return }
        faults.idleClose?.end()
        faults.idleClose = ConnectionIdleness(channel, loop: loop, timeout: time) { [loop] channel in
            guard loop.faults.fire(tally) else { return }
            channel.triggerUserOutboundEvent(
                ConnectionCommand.act(.close(close.how, afterBytes: nil)), promise: nil)
        }
    }

    // MARK: Answering

    /// Answers a request on which a fault acts.
    func answer(to push: IncomingPush, by firing: FaultFiring) -> Answer {
        let action = firing.action
        if case .refuse = action.kind { server.faults.refuseConnections(untilGone: firing.ruleID) }
        guard let delay = action.delay else {
            return action.replacesReply ? replaceReply(to: push, action) : judge(push, with: action)
        }
        var random = firing.random
        let length = delay.duration(using: &random)
        guard action.replacesReply else {
            let sequence = record(push, .withheld(.pending), status: nil).sequence
            return withhold(push.stream, sequence, for: length, on: delay.clock) { [self] in
                judgeLate(push, sequence, with: action)
            }
        }
        let sequence = recordReplaced(push, action, status: nil, undelivered: .pending)
        return withhold(push.stream, sequence, for: length, on: delay.clock) { [self] in
            let answer = LateAnswer(
                at: loop.now, status: action.status, reason: action.answeredReason(at: loop.now),
                outcome: action.outcomeUndelivered)
            note(answer, of: sequence)
            return act(action, with: replacement(for: push, action))
        }
    }

    /// Answers as APNs does, with an addition.
    private func judge(_ push: IncomingPush, with action: FaultAction) -> Answer {
        let judgement = judge(push, order: action.order, takeSequence: server.journal.takeSequence)
        let recorded = record(push, judgement, status: judgement.status)
        deliverCopies(of: push, judgement, action)
        return act(action, with: reply(to: push, judgement, uniqueID: recorded.uniqueID))
    }

    private func judgeLate(_ push: IncomingPush, _ sequence: UInt64, with action: FaultAction) -> Answer {
        var push = push
        push.wall = WallClock.now()
        let judgement = judge(push, order: action.order, takeSequence: { sequence })
        let reply = reply(to: push, judgement, uniqueID: push.uniqueID)
        let answer = LateAnswer(
            at: loop.clocks.now(wall: push.wall), status: judgement.status, refusal: judgement.refusal,
            outcome: judgement.outcome, decision: judgement.decision)
        note(answer, of: sequence)
        if let decision = judgement.decision { server.devices.note(decision, loop.clocks) }
        deliverCopies(of: push, judgement, action)
        return act(action, with: reply)
    }

    /// Answers otherwise than APNs does, or not at all; the device may get the push nevertheless.
    private func replaceReply(to push: IncomingPush, _ action: FaultAction) -> Answer {
        let sequence = recordReplaced(push, action, status: action.status, undelivered: action.outcomeUndelivered)
        guard case .stall = action.kind else { return act(action, with: replacement(for: push, action)) }
        faults.withheld[push.stream] = ConnectionFaults.Withheld(sequence: sequence)
        return .stalled
    }

    /// Records a push whose answer a fault gives or prevents, after delivering it if the fault says so.
    ///
    /// - Parameter undelivered: The outcome unless the device gets it.
    private func recordReplaced(
        _ push: IncomingPush, _ action: FaultAction, status: Int?, undelivered: Outcome
    ) -> UInt64 {
        var judgement = Judgement.withheld(undelivered)
        if action.delivers == true {
            let found = judge(push, takeSequence: server.journal.takeSequence)
            if case .accepted = found { judgement = found }
        }
        return record(push, judgement, status: status).sequence
    }

    /// The reply that is sent instead of APNs', or whose HEADERS are.
    private func replacement(for push: IncomingPush, _ action: FaultAction) -> Reply? {
        switch action.kind {
        case .respond(let response): response.reply(to: push.id, at: loop.now, settings: server.settings.rules)
        case .truncate, .resetStream(_, when: .afterHeaders): Reply(accepted: push.id, uniqueID: nil)
        default: nil
        }
    }

    private func act(_ action: FaultAction, with reply: Reply?) -> Answer {
        if let act = action.wireAct { return .act(act, reply) }
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

    private func withhold(
        _ stream: Int32, _ sequence: UInt64, for time: Duration, on clock: FaultDelay.Clock,
        answer: @escaping () -> Answer
    ) -> Answer {
        let channel = channel
        // A strong reference: the connection's end cancels it.
        let cancel = schedule(after: time, on: clock) {
            self.faults.withheld[stream] = nil
            channel.triggerUserOutboundEvent(ConnectionCommand.answer(stream: stream, answer()), promise: nil)
        }
        faults.withheld[stream] = ConnectionFaults.Withheld(sequence: sequence, cancel: cancel)
        return .withheld
    }

    func requestAbandoned(stream: Int32) {
        guard let withheld = faults.withheld.removeValue(forKey: stream) else { return }
        giveUp(withheld)
    }

    /// Records that a push will not be answered any more.
    func giveUp(_ withheld: ConnectionFaults.Withheld) {
        withheld.cancel?()
        note(LateAnswer(at: loop.now, status: nil, outcome: .unanswered), of: withheld.sequence)
    }

    private func note(_ answer: LateAnswer, of sequence: UInt64) {
        loop.answers.count(answer)
        server.journal.note(answer, of: sequence)
    }
}
