internal import APNsRules
internal import MynahCore
internal import NIOCore
internal import NIOPosix

/// Requests that concern channels, and broadcasts that go to many followers (`ProviderAPI#Broadcasts`).
extension PushPath {
    /// Judges a request that concerns channels; `nil` if the service of this connection takes it for a push.
    func verdict(aboutChannels candidate: Candidate) -> RuleVerdict? {
        let request = ChannelRequest(candidate)
        let isBroadcast = request?.resource == .broadcasts
        switch facts.service {
        case .channels: return .management(isBroadcast ? nil : request.map(admitted))
        case .pushes where !isBroadcast: return nil
        case .webPush: return nil
        case .pushes, nil:
            guard let request else { return nil }
            return isBroadcast ? .broadcast(admitted(request)) : .management(admitted(request))
        }
    }

    /// Judges a request by trust and rules.
    private func admitted(_ request: ChannelRequest) -> IncomingChannelRequest {
        let credential = request.candidate.credential
        let receivedAt = request.candidate.receivedAt
        let admission = Result { () throws(Refusal) in
            try ChannelAdmission.admit(request, trust: &trust) { recordUse(of: $0, credential, at: receivedAt) }
        }
        if case .failure(let refusal) = admission {
            showIfNew(credential, refusal.reason)
        } else {
            showIfNew(credential, nil)
        }
        return IncomingChannelRequest(request, admission)
    }

    /// Gives a broadcast to its many followers on a thread of its own, and calls `then` on this loop.
    func spread(
        _ accepted: AcceptedBroadcast, furtherCopies: Int = 0, then: @escaping (AcceptedBroadcast) -> Void
    ) {
        guard case .ahead(let broadcast) = accepted.progress else { return }
        let channels = simulation.channels
        let storedUntil = accepted.accepted.storedUntil
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
}
