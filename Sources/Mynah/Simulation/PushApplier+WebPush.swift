internal import APNsRules
internal import MynahCore
internal import MynahTrust

// Web pushes: their subscriptions, their encryption, and their way to the device (`WebPush#Delivery`).
extension PushApplier {
    /// Judges a web push by its subscription, decrypts it as the browser will, and gives it to the device.
    func acceptWebPush(
        _ web: IncomingWebPush, _ push: IncomingPush, order: DeliveryOrder, wall: Instant, takeSequence: () -> UInt64
    ) -> JudgedWebPush {
        let now = clocks.now(wall: wall)
        let clock = { [clocks] in clocks.now(ofScope: $0, wall: wall) }
        var judgement = web.judgement
        let subscribed = subscribed(to: web, wall: wall)
        let isMagic = web.magic != nil && simulation.faults.hasMagicTokens
        if judgement.segment != nil, !isMagic {
            judgement.checkEndpoint(in: context(of: subscribed, judgement, at: now))
        }
        var record = WebPushRecord(judgement.findings)
        record.topic = subscribed?.topic
        if isMagic, subscribed == nil, judgement.refusal == nil {
            let candidates = simulation.devices.candidates(judgement.credential?.key ?? [], keyAlone: true)
            let problem =
                "no subscription with the key of the request decrypts it\(candidates.remark); a magic endpoint has no "
                + "browser of its own"
            record.problem = problem
            let decision = Decision(discarded: takeSequence(), problem, at: now)
            return JudgedWebPush(judgement: .accepted(decision), record: record)
        }
        guard judgement.refusal == nil, let token = web.token, let subscribed, let timeToLive = judgement.timeToLive,
            let urgency = judgement.urgency
        else { return JudgedWebPush(judgement: .refused(refusal(judgement), nil), record: record) }
        do throws(TrustError) {
            record.plaintext =
                try judgement.message.map { message throws(TrustError) in
                    try subscribed.subscription.decrypt(message)
                } ?? []
        } catch {
            record.problem = cause(of: error, judgement.message, for: subscribed, at: now, clock: clock)
        }
        let delivered = Push(
            token: token, topic: subscribed.topic, timeToLive: timeToLive,
            urgency: urgency, queueTopic: judgement.topic, record: record, id: push.id)
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
        let now = clocks.now(wall: push.wall)
        let clock = { [clocks] in clocks.now(ofScope: $0, wall: push.wall) }
        // Subscriptions are tried one after the other, as making the keys of one takes a millisecond.
        let names = simulation.devices.candidates(key, keyAlone: true).names
        let known = names.lazy.compactMap { [self] in
            simulation.devices.shards.subscribed($0.token, at: now, clock: clock)
        }
        let aim = known.first { $0.endCause == nil && (try? $0.subscription.decrypt(message)) != nil }
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
                subscribed.endCause.map { .gone($0) } ?? .active(applicationServerKey: subscribed.applicationServerKey)
            } else {
                .unknown
            }
        var context = WebPushContext(now: now, origin: .apple, endpoint: endpoint)
        context.knownKeys = { [devices = simulation.devices] in devices.knownApplicationServerKeys() }
        return context
    }

    /// Why a message can't be decrypted: if no key of its subscription fits, the keys of others are tried.
    private func cause(
        of error: TrustError, _ message: EncryptedMessage?, for subscribed: DeviceTable.Subscribed, at now: Instant,
        clock: (String) -> Instant
    ) -> String {
        guard error.code == .unknownKeys, let message else { return error.problem }
        let candidates = simulation.devices.candidates(subscribed.applicationServerKey, keyAlone: false)
        let others = candidates.names.compactMap {
            simulation.devices.shards.subscribed($0.token, at: now, clock: clock)
        }
        do throws(TrustError) {
            _ = try subscribed.subscription.decrypt(message, others: others.map { ($0.name, $0.subscription) })
        } catch {
            return error.problem + (error.code == .unknownKeys ? candidates.remark : "")
        }
        return error.problem
    }
}

extension DeviceFleet {
    /// The most subscriptions whose keys are tried to find out what a push was encrypted for: each takes a millisecond.
    private static let subscriptionsTriedMax = 100
    /// The most web apps whose subscriptions are searched, so that no push holds up its event loop.
    private static let subscriptionsListedMax = 1_000
    /// The most keys that are tried to find out who signed a token.
    private static let keysTriedMax = 100

    /// The subscriptions that a push may have been encrypted for.
    struct Candidates {
        var names: [DeviceTable.SubscribedName] = []
        /// How many more there are, which aren't tried.
        var leftOut = 0

        /// What a cause says of the subscriptions that weren't tried, with a comma before it.
        var remark: String { leftOut == 0 ? "" : ", but \(leftOut) of \(names.count + leftOut) were not tried" }
    }

    /// The subscriptions to try, first the ones of an application server key; with `keyAlone` only these.
    func candidates(_ applicationServerKey: [UInt8], keyAlone: Bool) -> Candidates {
        let count = shards.webAppCount
        guard count <= DeviceFleet.subscriptionsListedMax else { return Candidates(leftOut: count) }
        let known = subscribedNames().filter { !keyAlone || $0.applicationServerKey == applicationServerKey }
        let ofKey = known.filter { $0.applicationServerKey == applicationServerKey }
        let others = known.filter { $0.applicationServerKey != applicationServerKey }
        let names = Array((ofKey + others).prefix(DeviceFleet.subscriptionsTriedMax))
        return Candidates(names: names, leftOut: known.count - names.count)
    }

    /// The keys of subscriptions, by which causes name the one that was used.
    func knownApplicationServerKeys() -> [WebPushContext.KnownKey] {
        guard shards.webAppCount <= DeviceFleet.subscriptionsListedMax else { return [] }
        var met: Set<[UInt8]> = []
        let different = subscribedNames().filter { met.insert($0.applicationServerKey).inserted }
        return different.prefix(DeviceFleet.keysTriedMax).map {
            WebPushContext.KnownKey($0.name, $0.applicationServerKey)
        }
    }

    /// The web apps that have a subscription, in the order of their tokens, which is the same wherever pushes are
    /// applied.
    private func subscribedNames() -> [DeviceTable.SubscribedName] {
        let names = shards.forEachShard { $0.subscribedNames() }.flatMap(\.self)
        return names.sorted { one, other in
            let first = one.token.leadingWord
            let second = other.token.leadingWord
            return first == second ? one.token.hex < other.token.hex : first < second
        }
    }
}
