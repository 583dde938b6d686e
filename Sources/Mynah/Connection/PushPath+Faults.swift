internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore

/// Requests on which a fault acts.
///
/// A push that a fault delays, stalls or cuts is in the journal as soon as its request is complete
/// (`ControlAPI#Guarantees`, 1), and its entry is changed when an answer leaves, or none can any more.
extension PushPath {
    /// A request whose fault has been found.
    private struct FaultedPush {
        let push: Candidate
        let bytes: [UInt8]
        let id: NotificationID
        let stream: Int32
        let firing: FaultFiring
        let random: SeededGenerator

        var action: FaultAction { firing.action }
    }

    // MARK: Finding

    /// The rule that acts on a request, or its magic token; nearly always nobody asks for either.
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
        // What the last push before a step is answered does not depend on the step, which is done before it is.
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

    /// The first rule that acts on a request of the connection, or on the connection.
    func claim(_ facts: inout FaultFacts) -> FaultFiring? {
        loop.faults.claim(&facts) { watch($0, $1) }
    }

    /// Lets an action take place when nothing has come on the connection for as long as it says.
    func watch(_ action: FaultAction, _ tally: FaultTally) {
        guard let time = action.idleTime, case .close(let close) = action.kind else { return }
        faults.idleClose?.end()
        faults.idleClose = ConnectionIdleness(channel, loop: loop, timeout: time) { [loop] channel in
            guard loop.faults.fire(tally) else { return }
            channel.triggerUserOutboundEvent(
                ConnectionCommand.act(.close(close.how, afterBytes: nil)), promise: nil)
        }
    }

    // MARK: Answering

    /// What becomes of a request on which a fault acts.
    func answer(
        to push: Candidate, _ firing: FaultFiring, _ random: SeededGenerator, stream: Int32, wall: Instant
    ) -> Answer {
        let faulted = FaultedPush(
            push: push, bytes: PushPath.journalBytes(of: push), id: notificationID(of: push, random), stream: stream,
            firing: firing, random: random)
        if case .refuse = firing.action.kind { server.faults.refuseConnections(untilGone: firing.ruleID) }
        if let delay = firing.action.delay {
            var dice = firing.random
            let length = delay.duration(using: &dice)
            return firing.action.replacesReply
                ? replaceLater(faulted, length, delay.clock, wall) : judgeLater(faulted, length, delay.clock)
        }
        return firing.action.replacesReply ? replace(faulted, wall) : judge(faulted, wall)
    }

    /// As APNs would, with something besides.
    private func judge(_ faulted: FaultedPush, _ wall: Instant) -> Answer {
        let action = faulted.action
        switch decide(
            faulted.push, faulted.bytes, id: faulted.id, order: action.order, wall: wall,
            takeSequence: server.journal.takeSequence)
        {
        case .refused(let refusal):
            let reply = refuse(
                faulted.push, faulted.id, faulted.bytes, refusal, faulted.stream, fault: faulted.firing)
            return acting(action, with: reply)
        case .accepted(let push, let decision):
            let reply = accept(
                faulted.push, faulted.id, faulted.bytes, decision, faulted.stream, faulted.random,
                fault: faulted.firing)
            deliverCopies(action.furtherCopies, of: push, decision.sequence, wall)
            return acting(action, with: reply)
        }
    }

    private func judgeLater(_ faulted: FaultedPush, _ delay: Duration, _ clock: FaultDelay.Clock) -> Answer {
        let sequence = append(faulted, status: nil, outcome: .pending)
        withhold(faulted.stream, sequence, delay, clock) { [weak self] in
            guard let self else { return .withheld }
            return acting(faulted.action, with: judgedLate(faulted, sequence))
        }
        return .withheld
    }

    private func judgedLate(_ faulted: FaultedPush, _ sequence: UInt64) -> Reply {
        let wall = WallClock.now()
        let now = loop.clocks.now(wall: wall)
        switch decide(
            faulted.push, faulted.bytes, id: faulted.id, order: faulted.action.order, wall: wall,
            takeSequence: { sequence })
        {
        case .refused(let refusal):
            note(LateAnswer(at: now, status: refusal.reason.status, refusal: refusal, outcome: .refused), of: sequence)
            return Reply(
                refused: refusal, id: faulted.id, settings: server.settings.rules, effect: effect(of: refusal.reason))
        case .accepted(let push, let decision):
            let reply = Reply(accepted: faulted.id, uniqueID: uniqueID(faulted.random), effect: effect(of: nil))
            note(LateAnswer(at: now, status: 200, outcome: decision.outcome, decision: decision), of: sequence)
            server.devices.note(decision, loop.clocks)
            deliverCopies(faulted.action.furtherCopies, of: push, sequence, wall)
            return reply
        }
    }

    /// Otherwise than APNs would, or not at all; the device may get the push all the same.
    private func replace(_ faulted: FaultedPush, _ wall: Instant) -> Answer {
        let action = faulted.action
        let sequence = append(faulted, status: action.status, outcome: action.outcomeUndelivered, wall: wall)
        guard case .stall = action.kind else { return acting(action, with: replacement(faulted)) }
        faults.withheld[faulted.stream] = ConnectionFaults.Withheld(sequence: sequence)
        return .stalled
    }

    private func replaceLater(
        _ faulted: FaultedPush, _ delay: Duration, _ clock: FaultDelay.Clock, _ wall: Instant
    ) -> Answer {
        let action = faulted.action
        let sequence = append(faulted, status: nil, outcome: .pending, wall: wall)
        withhold(faulted.stream, sequence, delay, clock) { [weak self] in
            guard let self else { return .withheld }
            var reason: AnsweredReason?
            if case .respond(let response) = action.kind { reason = response.answeredReason(at: loop.now) }
            note(
                LateAnswer(at: loop.now, status: action.status, reason: reason, outcome: action.outcomeUndelivered),
                of: sequence)
            return acting(action, with: replacement(faulted))
        }
        return .withheld
    }

    /// The reply that goes out in place of APNs' own, or whose HEADERS do.
    private func replacement(_ faulted: FaultedPush) -> Reply? {
        switch faulted.action.kind {
        case .respond(let response):
            response.reply(to: faulted.id, at: loop.now, settings: server.settings.rules)
        case .truncate, .resetStream(_, when: .afterHeaders): Reply(accepted: faulted.id, uniqueID: nil)
        default: nil
        }
    }

    // MARK: Acting

    private func acting(_ action: FaultAction, with reply: Reply?) -> Answer {
        if let act = action.wireAct { return .act(act, reply) }
        return reply.map { .reply($0) } ?? .stalled
    }

    private func withhold(
        _ stream: Int32, _ sequence: UInt64, _ delay: Duration, _ clock: FaultDelay.Clock,
        _ answer: @escaping () -> Answer
    ) {
        let channel = channel
        // Strong: the connection's end takes it back.
        let cancel = schedule(after: delay, on: clock) {
            self.faults.withheld[stream] = nil
            channel.triggerUserOutboundEvent(ConnectionCommand.answer(stream: stream, answer()), promise: nil)
        }
        faults.withheld[stream] = ConnectionFaults.Withheld(sequence: sequence, cancel: cancel)
    }

    func requestAbandoned(stream: Int32) {
        guard let withheld = faults.withheld.removeValue(forKey: stream) else { return }
        giveUp(withheld)
    }

    /// No answer to this push can leave any more.
    func giveUp(_ withheld: ConnectionFaults.Withheld) {
        withheld.cancel?()
        note(LateAnswer(at: loop.now, status: nil, outcome: .unanswered), of: withheld.sequence)
    }

    private func note(_ answer: LateAnswer, of sequence: UInt64) {
        loop.answers.count(answer)
        server.journal.note(answer, of: sequence)
    }

    // MARK: Journal and device

    /// Writes a push down whose answer a fault gives or prevents; where the fault says so, the device gets it.
    ///
    /// - Parameters:
    ///   - status: What is answered now.
    ///   - outcome: What becomes of it unless the device gets it.
    @discardableResult
    private func append(
        _ faulted: FaultedPush, status: Int?, outcome: Outcome, wall: Instant
    ) -> UInt64 {
        guard faulted.action.delivers == true,
            case .accepted(_, let decision) = decide(
                faulted.push, faulted.bytes, id: faulted.id, wall: wall, takeSequence: server.journal.takeSequence)
        else { return append(faulted, status: status, outcome: outcome) }
        append(faulted, status: status, outcome: decision.outcome, decision: decision)
        server.devices.note(decision, loop.clocks)
        return decision.sequence
    }

    @discardableResult
    private func append(
        _ faulted: FaultedPush, status: Int?, outcome: Outcome, decision: Decision? = nil
    ) -> UInt64 {
        let push = faulted.push
        var entry = entry(
            of: push, faulted.bytes, id: faulted.id, stream: faulted.stream, status: status, refusal: nil,
            outcome: outcome)
        entry.sequence = decision?.sequence ?? server.journal.takeSequence()
        entry.label = decision?.label ?? push.token.flatMap { server.devices.shards.label(of: $0) }
        entry.detail = decision?.detail
        if status != nil, case .respond(let response) = faulted.action.kind,
            let reason = response.answeredReason(at: loop.now)
        {
            entry.note(reason)
        }
        let sequence = entry.sequence
        entry.note(faulted.firing, at: push.receivedAt)
        if let decision, let shown = decision.shown { entry.note(shown, at: decision.at) }
        // One that is not answered yet is counted when it is.
        if status != nil || outcome.isFinal { loop.answers.count(entry) }
        server.journal.append(entry)
        return sequence
    }

    private func deliverCopies(_ count: Int, of push: Push, _ sequence: UInt64, _ wall: Instant) {
        guard count > 0 else { return }
        for _ in 0..<count {
            let decision = server.devices.shards.redeliver(
                push, sequence: sequence, at: loop.clocks.now(wall: wall),
                clock: { loop.clocks.now(ofScope: $0, wall: wall) })
            if let decision { server.devices.note(decision, loop.clocks) }
        }
    }
}
