internal import APNsRules
internal import MynahCore

/// Requests that concern channels (`ProviderAPI#Broadcasts`). A broadcast takes the steps of a push; a call of channel
/// management changes the channels, and isn't in the journal.
extension PushApplier {
    /// Asks the channel of a broadcast that the rules admit, and gives it to the devices if they are few.
    func acceptBroadcast(
        _ incoming: IncomingChannelRequest, order: DeliveryOrder, wall: Instant, takeSequence: () -> UInt64
    ) -> Judgement {
        do throws(Refusal) {
            guard case .broadcast(let id) = try incoming.admission.get() else {
                preconditionFailure("only a broadcast is judged as one")
            }
            let accepted = try simulation.channels.accept(
                incoming.request, to: id, order: order, at: clocks.now(wall: wall), takeSequence: takeSequence)
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
        case .failure(let error): return .ended(.discarded, error.problem)
        }
        switch order {
        case .drop: return .ended(.lost, "a fault accepted it and dropped it")
        case .hold(let time): return .held(broadcast, time)
        case .deliver: break
        }
        guard simulation.devices.followerCount(of: id) <= inlineFollowersMax else {
            return .ahead(broadcast)
        }
        return .done(simulation.channels.deliver(broadcast, storedUntil: accepted.storedUntil))
    }

    /// Gives a broadcast on which a fault acts to its devices after it was answered, if it still has to be, and the
    /// fault's copies to devices that have it; returns a broadcast that still has to go to many.
    func spreadLate(_ judgement: Judgement, furtherCopies: Int = 0) -> (AcceptedBroadcast, Int)? {
        guard case .broadcast(let accepted) = judgement else { return nil }
        switch accepted.progress {
        case .ahead: return (accepted, furtherCopies)
        case .held(let broadcast, let time):
            simulation.channels.hold(broadcast, accepted, for: time, furtherCopies: furtherCopies)
            simulation.watchDue()
        case .done:
            guard case .success(let broadcast) = accepted.accepted.content else { return nil }
            simulation.channels.deliverCopies(furtherCopies, of: broadcast)
        case .ended: break
        }
        return nil
    }

    /// Records the answer to a broadcast that has gone to its many followers.
    func recordSpread(_ broadcast: AcceptedBroadcast) {
        recordAnswer(
            LateAnswer(
                at: clocks.now(wall: simulation.wall.now), status: 200, outcome: broadcast.outcome,
                isOfBroadcast: true, deviceCount: broadcast.deviceCount),
            of: broadcast.sequence)
    }

    /// Carries out a call of channel management that the rules admit; `nil` is one of an unknown path.
    func manage(_ incoming: IncomingChannelRequest?, _ push: IncomingPush) -> PushResult {
        do throws(Refusal) {
            guard let incoming else { throw ChannelRequest.unknownPath(of: push.candidate) }
            return .managed(
                try simulation.channels.manage(
                    try incoming.admission.get(), of: incoming.request.owner,
                    at: clocks.now(wall: simulation.wall.now)))
        } catch {
            return .answered(error, uniqueID: nil)
        }
    }
}
