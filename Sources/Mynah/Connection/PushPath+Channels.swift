internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore
internal import NIOPosix

/// Requests that concern channels (`ProviderAPI#Broadcasts`). A broadcast takes the steps of a push; a call of channel
/// management changes the channels, and isn't in the journal.
extension PushPath {
    /// The most followers to whom a broadcast goes on the connection's loop, where other connections' pushes wait for it.
    private static let inlineFollowersMax = 256

    /// Answers a request that concerns channels; `nil` if the service of this connection takes it for a push.
    func answer(
        aboutChannels candidate: Candidate, stream: Int32, wall: Instant, random: SeededGenerator
    ) -> PushResponse? {
        let request = ChannelRequest(candidate)
        let isBroadcast = request?.resource == .broadcasts
        switch facts.service {
        case .channels:
            return manage(isBroadcast ? nil : request, candidate, stream: stream, random: random)
        case .pushes where !isBroadcast: return nil
        case .pushes, nil:
            guard let request else { return nil }
            guard isBroadcast else { return manage(request, candidate, stream: stream, random: random) }
            return broadcast(judged(request), stream: stream, wall: wall, random: random)
        }
    }

    /// The answer to a broadcast, or a refusal of channel management.
    func reply(toChannels id: NotificationID, _ refusal: Refusal?, _ effect: WireEffect) -> Reply {
        guard let refusal else { return Reply(channels: 200, requestID: id, effect: effect) }
        return Reply(channels: refusal, requestID: id, settings: server.settings.rules, effect: effect)
    }

    private func findFault(
        _ candidate: Candidate, _ request: IncomingChannelRequest?, _ random: SeededGenerator
    ) -> FaultFiring? {
        guard loop.faults.concernRequests || request?.request.channelID?.high == MagicTokens.leadingWord else {
            return nil
        }
        return findFault(candidate, channels: request, random)
    }

    // MARK: Broadcasts

    private func broadcast(
        _ incoming: IncomingChannelRequest, stream: Int32, wall: Instant, random: SeededGenerator
    ) -> PushResponse {
        let push = IncomingPush(
            incoming.request.candidate, .broadcast(incoming), stream: stream,
            firing: findFault(incoming.request.candidate, incoming, random), wall: wall, random: random)
        if let firing = push.firing { return answer(to: push, by: firing) }
        let judgement = judge(incoming, order: .deliver, wall: wall, takeSequence: server.journal.takeSequence)
        guard case .broadcast(let accepted) = judgement, case .ahead(let broadcast) = accepted.progress else {
            record(push, judgement, status: judgement.status)
            return .reply(reply(to: push, judgement, uniqueID: nil))
        }
        record(push, judgement, status: nil)
        spread(broadcast, accepted) { [self] done in
            let late = LateAnswer(
                at: loop.now, status: 200, outcome: done.outcome, isOfBroadcast: true, deviceCount: done.deviceCount)
            note(late, of: accepted.sequence)
            let reply = reply(to: push, .broadcast(done), uniqueID: nil)
            channel.triggerUserOutboundEvent(ConnectionCommand.answer(stream: stream, .reply(reply)), promise: nil)
        }
        return .withheld
    }

    /// Asks the channel of a broadcast that the rules admit, and gives it to the devices if they are few.
    func judge(
        _ incoming: IncomingChannelRequest, order: DeliveryOrder, wall: Instant, takeSequence: () -> UInt64
    ) -> Judgement {
        do throws(Refusal) {
            guard case .broadcast(let id) = try incoming.admission.get() else {
                preconditionFailure("only a broadcast is judged as one")
            }
            let now = loop.clocks.now(wall: wall)
            let accepted = try server.channels.accept(
                incoming.request, to: id, order: order, at: now, takeSequence: takeSequence)
            return .broadcast(AcceptedBroadcast(accepted: accepted, progress: begin(accepted, id, order)))
        } catch {
            return .refused(error, nil)
        }
    }

    private func begin(
        _ accepted: ChannelStore.Accepted, _ id: ChannelID, _ order: DeliveryOrder
    ) -> AcceptedBroadcast.Progress {
        let broadcast: Broadcast
        switch accepted.content {
        case .success(let content): broadcast = content
        case .failure(let problem): return .ended(.discarded, problem.text)
        }
        switch order {
        case .drop: return .ended(.lost, "a fault accepted it and dropped it")
        case .hold(let time): return .held(broadcast, time)
        case .deliver: break
        }
        guard server.devices.followerCount(of: id) <= PushPath.inlineFollowersMax else { return .ahead(broadcast) }
        return .done(server.channels.deliver(broadcast, storedUntil: accepted.storedUntil))
    }

    /// Gives a broadcast to its followers on a thread of its own, and calls `then` on this loop.
    private func spread(
        _ broadcast: Broadcast, _ accepted: AcceptedBroadcast, furtherCopies: Int = 0,
        then: @escaping (AcceptedBroadcast) -> Void
    ) {
        let (channels, storedUntil) = (server.channels, accepted.accepted.storedUntil)
        NIOSingletons.posixBlockingThreadPool
            .runIfActive(eventLoop: channel.eventLoop) {
                channels.deliver(broadcast, furtherCopies: furtherCopies, storedUntil: storedUntil)
            }
            .assumeIsolated().whenComplete { result in
                guard case .success(let reach) = result else {
                    preconditionFailure("the threads of the process ended before it")
                }
                then(accepted.done(reach))
            }
    }

    /// Gives a broadcast on which a fault acts to its devices after it was answered, if it still has to be, and the
    /// fault's copies to those that have it.
    func spreadLate(_ judgement: Judgement, furtherCopies: Int = 0) {
        guard case .broadcast(let accepted) = judgement else { return }
        let note = { [self] (done: AcceptedBroadcast) in
            server.journal.apply([
                EntryChange(
                    broadcast: done.sequence, done.outcome, at: loop.now, detail: done.detail,
                    deviceCount: done.deviceCount)
            ])
        }
        switch accepted.progress {
        case .ahead(let broadcast): spread(broadcast, accepted, furtherCopies: furtherCopies, then: note)
        case .held(let broadcast, let time):
            // On this loop however many they are, so that a call that advances the clock is answered when they have it.
            _ = loop.schedule(at: accepted.accepted.at.advanced(by: time)) { [server] in
                note(
                    accepted.done(
                        server.channels.deliverHeld(broadcast, accepted.accepted, furtherCopies: furtherCopies)))
            }
        case .done:
            guard case .success(let broadcast) = accepted.accepted.content else { return }
            server.channels.deliverCopies(furtherCopies, of: broadcast)
        case .ended: break
        }
    }

    /// Judges a request by trust and rules.
    private func judged(_ request: ChannelRequest) -> IncomingChannelRequest {
        let (credential, receivedAt) = (request.candidate.credential, request.candidate.receivedAt)
        let admission = Result { () throws(Refusal) in
            try ChannelAdmission.judge(request, trust: &trust) { noteUse(of: $0, credential, at: receivedAt) }
        }
        if case .failure(let refusal) = admission {
            noteJudged(credential, refusal.reason)
        } else {
            noteJudged(credential, nil)
        }
        return IncomingChannelRequest(request, admission)
    }

    // MARK: Channel management

    /// Answers a call of channel management; `request` is `nil` for a path that it doesn't have.
    private func manage(
        _ request: ChannelRequest?, _ candidate: Candidate, stream: Int32, random: SeededGenerator
    ) -> PushResponse {
        let id = random.requestID(of: candidate)
        let incoming = request.map(judged)
        guard let firing = findFault(candidate, incoming, random) else {
            return .reply(reply(to: incoming, candidate, id: id))
        }
        let action = firing.action
        if case .refuse = action.kind { server.faults.refuseConnections(untilGone: firing.ruleID) }
        let answer = { [self] in
            act(
                action,
                with: action.replacesReply
                    ? replacement(id, named: .apnsRequestID, action, at: loop.now)
                    : reply(to: incoming, candidate, id: id))
        }
        guard let delay = action.delay else { return answer() }
        var random = firing.random
        return withhold(stream, nil, false, for: delay.duration(using: &random), on: delay.clock, answer: answer)
    }

    /// Carries out a call of channel management that the rules admit; `nil` is one of an unknown path.
    private func reply(to incoming: IncomingChannelRequest?, _ candidate: Candidate, id: NotificationID) -> Reply {
        do throws(Refusal) {
            guard let incoming else { throw ChannelRequest.unknownPath(of: candidate) }
            let done = try server.channels.manage(
                try incoming.admission.get(), of: incoming.request.owner, at: loop.now)
            return Reply(
                channels: done.status, requestID: id, channelID: done.channel, body: done.body,
                effect: effect(of: nil))
        } catch {
            server.log.refused(facts, error)
            return reply(toChannels: id, error, effect(of: error.reason))
        }
    }
}
