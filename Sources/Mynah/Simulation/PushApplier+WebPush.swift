internal import APNsRules
internal import MynahCore
internal import MynahTrust

// Web pushes: their subscriptions, their encryption, and their way to the device (`WebPush#Delivery`).
extension PushApplier {
    /// Judges a web push by its subscription, decrypts it as the browser will, and gives it to the device.
    func judge(
        _ web: IncomingWebPush, _ push: IncomingPush, order: DeliveryOrder, wall: Instant, takeSequence: () -> UInt64
    ) -> JudgedWebPush {
        let now = clocks.now(wall: wall)
        let clock = { [clocks] in clocks.now(ofScope: $0, wall: wall) }
        var judgement = web.judgement
        let subscribed = subscribed(to: web, wall: wall)
        let isMagic = web.magic != nil && simulation.faults.hasMagicTokens
        if judgement.segment != nil, !isMagic {
            judgement.judgeEndpoint(in: context(of: subscribed, judgement, at: now))
        }
        var record = WebPushRecord(judgement.findings)
        record.topic = subscribed?.topic
        if isMagic, subscribed == nil, judgement.refusal == nil {
            let problem = "no subscription with the key of the request decrypts it, and a magic endpoint has no browser"
            record.problem = problem
            let decision = Decision(discarded: takeSequence(), problem, at: now)
            return JudgedWebPush(judgement: .accepted(decision), record: record)
        }
        guard judgement.refusal == nil, let token = web.token, let subscribed, let timeToLive = judgement.timeToLive,
            let urgency = judgement.urgency
        else { return JudgedWebPush(judgement: .refused(refusal(judgement), nil), record: record) }
        do throws(TrustError) {
            record.plaintext = try decrypt(judgement.message, for: subscribed, at: now)
        } catch {
            record.problem = error.problem
        }
        let delivered = Push(
            WebPushDelivery(
                token: token, environment: subscribed.environment, topic: subscribed.topic, timeToLive: timeToLive,
                urgency: urgency, queueTopic: judgement.topic, plaintext: record.plaintext, problem: record.problem),
            id: push.id)
        let decided = simulation.devices.shards.accept(
            delivered, at: now, clock: clock, order: order, takeSequence: takeSequence)
        switch decided {
        case .accepted(let decision):
            return JudgedWebPush(judgement: .accepted(decision), record: record, push: delivered)
        case .refused(let refusal, let numbered):
            let last = WebPushRefusal(refusal.reason, refusal.detail, .inferred)
            record.findings = WebPushFindings(
                refusals: record.findings.refusals + [last], warnings: record.findings.warnings)
            return JudgedWebPush(judgement: .refused(refusal, numbered), record: record)
        }
    }

    /// The subscription that a web push names.
    private func subscribed(to web: IncomingWebPush, wall: Instant) -> DeviceTable.Subscribed? {
        let clock = { [clocks] in clocks.now(ofScope: $0, wall: wall) }
        let found = web.token.flatMap {
            simulation.devices.shards.subscribed($0, at: clocks.now(wall: wall), clock: clock)
        }
        return found.flatMap { $0.subscription.segment == web.segment ? $0 : nil }
    }

    /// What fault rules see of a web push.
    func facts(of web: IncomingWebPush, _ push: IncomingPush) -> FaultFacts {
        FaultFacts(
            web: push.candidate, token: web.token,
            topic: web.token.flatMap { simulation.devices.shards.webTopic(of: $0) },
            applicationServerKey: web.judgement.provenKey, connection: push.connection
        ) { [self] in
            guard let message = web.judgement.message else { return [] }
            return try? subscribed(to: web, wall: push.wall)?.subscription.decrypt(message)
        }
    }

    /// A push to a magic endpoint, which no browser has, addressed to the subscription that it was encrypted for; any
    /// other push as it is.
    func aimed(_ push: IncomingPush) -> IncomingPush {
        guard let web = push.web, web.magic != nil, let message = web.judgement.message,
            let key = web.judgement.credential?.key
        else { return push }
        let known = simulation.devices.allSubscribed(at: clocks.now(wall: push.wall))
        let aim = known.first {
            $0.end == nil && $0.applicationServerKey == key && (try? $0.subscription.decrypt(message)) != nil
        }
        guard let aim else { return push }
        let addressed = IncomingWebPush(web.judgement, segment: aim.subscription.segment, magic: web.magic)
        return push.readdressed(.web(addressed))
    }

    private func refusal(_ judgement: WebPushJudgement) -> Refusal {
        judgement.refusal?.refusal ?? Refusal(.unregistered, "no subscription has this endpoint")
    }

    /// What the service knows of the subscription that a request names.
    private func context(
        of subscribed: DeviceTable.Subscribed?, _ judgement: WebPushJudgement, at now: Instant
    ) -> WebPushContext {
        let endpoint: WebPushContext.Endpoint =
            if let subscribed {
                subscribed.end == nil ? .active(applicationServerKey: subscribed.applicationServerKey) : .gone
            } else {
                .unknown
            }
        var context = WebPushContext(now: now, origin: .apple, endpoint: endpoint)
        context.knownKeys = { [devices = simulation.devices] in devices.knownApplicationServerKeys(at: now) }
        return context
    }

    private func decrypt(
        _ message: EncryptedMessage?, for subscribed: DeviceTable.Subscribed, at now: Instant
    ) throws(TrustError) -> [UInt8] {
        guard let message else { return [] }
        do throws(TrustError) {
            return try subscribed.subscription.decrypt(message)
        } catch {
            guard error.code == .unknownKeys else { throw error }
            let others = simulation.devices.allSubscribed(at: now).map { ($0.name, $0.subscription) }
            return try subscribed.subscription.decrypt(message, others: others)
        }
    }
}

extension DeviceFleet {
    /// The most subscriptions whose keys are tried to find out what a push was encrypted for: each takes a millisecond.
    private static let subscriptionsTriedMax = 100

    /// All subscriptions, in a constant order; none if there are too many to try.
    func allSubscribed(at now: Instant) -> [DeviceTable.Subscribed] {
        guard shards.webAppCount <= DeviceFleet.subscriptionsTriedMax else { return [] }
        return shards.forEachShard { $0.allSubscribed(at: now) }.flatMap(\.self)
    }

    /// The keys of all subscriptions, by which causes name the one that was used.
    func knownApplicationServerKeys(at now: Instant) -> [WebPushContext.KnownKey] {
        allSubscribed(at: now).map { WebPushContext.KnownKey($0.name, $0.applicationServerKey) }
    }
}
