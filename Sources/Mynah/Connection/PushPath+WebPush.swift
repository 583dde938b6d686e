internal import APNsRules
internal import MynahCore
internal import MynahTrust

// Requests to the Web Push service (`WebPush#Requests`).
extension PushPath {
    /// Judges a request by the rules that need no subscription, with its signature, which no log keeps.
    func judgedWebPush(
        from request: borrowing PushRequest, _ stream: Int32, _ random: RequestRandom, wall: Instant
    ) -> IncomingPush {
        let now = loop.clocks.now(wall: wall)
        let credential = request.authorization.map { JudgedCredential(webPush: $0) } ?? .none
        let candidate = Candidate(
            request, credential: credential, environment: .production, settings: simulation.settings.rules,
            receivedAt: now, clockLead: now.since(wall))
        let judgement = webPushJudgement(of: WebPushRequest(request), at: now)
        if let key = judgement.credential?.key, let use = judgement.tokenUse {
            simulation.vapidTokens.record(use, of: key)
        }
        return IncomingPush(
            candidate, .web(IncomingWebPush(judgement)), connection: facts.id, stream: stream, wall: wall,
            random: random)
    }

    private func webPushJudgement(of request: WebPushRequest, at now: Instant) -> WebPushJudgement {
        // The client has the address from its subscription, also where a port is mapped to another one.
        let place = simulation.webPushAddress.place
        let origin = request.authority.flatMap { WebPushOrigin(authority: $0) } ?? place.origin ?? .apple
        var context = WebPushContext(now: now, origin: origin, endpoint: .unasked)
        context.knownHosts = place.knownHosts
        let devices = simulation.devices
        let tokens = simulation.vapidTokens
        context.knownKeys = { devices.knownApplicationServerKeys() }
        context.lastToken = { tokens.last(of: $0) }
        return WebPushAdmission.judge(request, in: context, verify: VapidProof.verify)
    }
}
