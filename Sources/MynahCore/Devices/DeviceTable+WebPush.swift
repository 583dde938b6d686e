package import APNsRules

extension Push {
    private static let problemField = "web-push-problem"

    /// Makes a push to a web app, in the form of a push to an app that waits and is shown as this one does
    /// (`WebPush#Delivery`).
    ///
    /// - Parameters:
    ///   - topic: the web app's origin.
    ///   - timeToLive: for how long it waits; zero for a push that has arrived, and is shown again.
    ///   - queueTopic: the `Topic` header, by which a newer push replaces one that waits.
    ///   - record: what the browser decrypts, or why it can't.
    package init(
        token: DeviceToken, topic: String, timeToLive: Duration = .zero,
        urgency: WebPushUrgency = .normal, queueTopic: String? = nil, record: WebPushRecord, id: NotificationID
    ) {
        var headers = HeaderBlock()
        func append(_ name: FieldName, _ value: String) { headers.append(name.text, value) }
        append(.apnsTopic, topic)
        append(.apnsPushType, PushType.alert.rawValue)
        append(.apnsPriority, "\(urgency.priority.rawValue)")
        append(.apnsExpiration, "\(Push.relativeMark)\(timeToLive.components.seconds)")
        if let queueTopic { append(.apnsCollapseID, queueTopic) }
        if let problem = record.problem { headers.append(Push.problemField, problem) }
        self.init(
            token: token, environment: .production, id: id, bytes: headers.bytes + (record.plaintext ?? []),
            headerByteCount: headers.byteCount)
    }

    /// What a device's browser makes of a push to the web app with an origin, if it can decrypt it.
    func webMessage(origin: String, on traits: DeviceTraits) -> ReceivedWebPush {
        let headers = HeaderBlock(bytes: bytes, count: Int(headerByteCount))
        if let problem = headers.fields(authorization: nil).first(where: { $0.name == Push.problemField })?.value {
            return .undecrypted(problem)
        }
        return .message(
            WebPushMessage(
                Array(bytes[Int(headerByteCount)...]), origin: origin, systemProblem: traits.declarativeProblem))
    }
}

/// A push as a browser gets it.
enum ReceivedWebPush {
    case message(WebPushMessage)
    /// A push that can't be decrypted, with the reason, a clause.
    case undecrypted(String)
}

// Web apps: their subscriptions, and what their browsers do with pushes (`WebPush#Subscriptions`, `WebPush#Delivery`).
extension DeviceTable {
    /// A web app's subscription, as its service and its browser know it.
    package struct Subscribed: Sendable {
        package let subscription: WebPushSubscription
        package let applicationServerKey: [UInt8]
        /// The web app's origin.
        package let topic: String
        /// The web app and its device, for causes.
        package let name: String
        /// Why the subscription has ended, a clause, once the service has noticed that.
        package let endCause: String?
    }

    /// The subscription whose endpoint ends in a token.
    package func subscribed(_ token: DeviceToken, at now: Instant, clock: (String) -> Instant) -> Subscribed? {
        tokens.find(token).flatMap { subscribed($0, at: time(of: tokens[$0].device, now, clock)) }
    }

    /// The origin of the web app whose endpoint ends in a token.
    package func webTopic(of token: DeviceToken) -> String? {
        tokens.find(token).flatMap { tokens[$0].detail.value?.web == nil ? nil : tokens.topicText(of: $0) }
    }

    /// What a subscription is found by, without its keys, which take a millisecond to make.
    package struct SubscribedName: Sendable {
        package let token: DeviceToken
        package let applicationServerKey: [UInt8]
        /// The web app and its device, for causes.
        package let name: String
    }

    /// The web apps of the shard that have a token, in no order.
    package func subscribedNames() -> [SubscribedName] {
        tokens.webApps.compactMap { slot in
            guard !tokens[slot].state.lacksToken, let web = tokens[slot].detail.value?.web else { return nil }
            return SubscribedName(
                token: tokens[slot].token, applicationServerKey: web.applicationServerKey, name: name(ofWebApp: slot))
        }
    }

    private func name(ofWebApp slot: Int32) -> String {
        "\(tokens.topicText(of: slot)) on \(id(of: tokens[slot].device))"
    }

    private func subscribed(_ slot: Int32, at now: Instant) -> Subscribed? {
        guard let service = settings.webPush, let detail = tokens[slot].detail.value, let web = detail.web else {
            return nil
        }
        return Subscribed(
            subscription: tokens.subscription(of: slot, in: service), applicationServerKey: web.applicationServerKey,
            topic: tokens.topicText(of: slot), name: name(ofWebApp: slot),
            endCause: detail.unregistration?.refusal(tokens[slot].state, at: now).map { _ in web.endCause })
    }

    func webAppView(of slot: Int32) -> WebAppView? {
        guard let web = tokens[slot].detail.value?.web else { return nil }
        var printed: JSONValue?
        if !tokens[slot].state.lacksToken, let service = settings.webPush, let origin = service.origin {
            printed = PrintedSubscription(tokens.subscription(of: slot, in: service), at: origin).json
        }
        return WebAppView(applicationServerKey: web.applicationServerKey, subscription: printed)
    }

    // MARK: - Subscribing

    /// Checks what a web app subscribes with: a point of the curve, and on the device the key that it has, if any.
    func check(web app: RegistrationSpecification, on traits: DeviceTraits, known: Int32? = nil) throws(InputError) {
        guard let key = app.applicationServerKey else { return }
        try traits.checkWebApps()
        guard let service = settings.webPush, service.isOnCurve(key) else {
            throw InputError(at: "/applicationServerKey", "the key is no point on P-256")
        }
        guard let known, app.rotation == nil, let web = tokens[known].detail.value?.web,
            web.applicationServerKey != key
        else { return }
        throw InputError(
            .conflict, at: "/applicationServerKey",
            "\(app.topic) has subscribed with another key, \(Base64.encode(web.applicationServerKey, url: true)): "
                + "expected the same, or that it is uninstalled first (Push API §5.1: InvalidStateError)")
    }

    // MARK: - Arrival

    /// What the browser does with a push that has come: decrypt it, and show it or wake the service worker.
    mutating func webArrival(_ push: borrowing Push, _ slot: Int32, at now: Instant) -> TargetArrival {
        let message: WebPushMessage
        let traits = devices.traits(of: tokens[slot].device)
        switch push.webMessage(origin: tokens.topicText(of: slot), on: traits) {
        case .undecrypted(let problem): return .lost("the browser can't decrypt it: \(problem)")
        case .message(let read): message = read
        }
        let worker = tokens[slot].detail.value?.app.worker ?? .shows
        guard let remark = worker.remark(on: message) else { return .arrives }
        if worker == .silent { self[registration: slot].detail.orDefault.web?.await(from: now) }
        return .arrivesWithRemark(remark)
    }

    /// Shows a push that was delivered just now; it is the same for a device that has no screen yet.
    mutating func showWebPush(
        _ push: borrowing Push, sequence: UInt64, for slot: Int32, at now: Instant
    ) -> ShownOutcome? {
        let topic = tokens.topicText(of: slot)
        let device = tokens[slot].device
        let traits = devices.traits(of: device)
        guard let app = tokens[slot].detail.value?.app,
            case .message(let message) = push.webMessage(origin: topic, on: traits)
        else { return nil }
        if let remark = app.worker.remark(on: message) {
            return ShownOutcome(isShown: false, at: now, reason: "not shown: \(remark)")
        }
        // A web app's tag and Topic replace nothing that is shown (observed).
        let delivered = DeliveredPush(
            sequence: sequence, notificationID: push.notificationID, topic: topic, collapseID: nil, deliveredAt: now)
        let presentation = Presentation(
            of: message.notification, push: delivered, app: app.presentation,
            platform: traits.platform, settings: devices[device].screenSettings)
        if devices[device].screen != nil {
            _ = self[device: device].detail.orDefault.screen?.receive(presentation, of: delivered)
        }
        return presentation.outcome
    }

    // MARK: - Silent pushes

    /// When the time of a device's next service worker that has shown nothing is over.
    func nextSilentPush(on device: Int32) -> (at: Instant, slot: Int32)? {
        var next: (at: Instant, slot: Int32)?
        var slot = devices[device].firstRegistration
        while slot >= 0 {
            if let dueAt = tokens[slot].detail.value?.web?.dueAt, next.map({ dueAt < $0.at }) ?? true {
                next = (dueAt, slot)
            }
            slot = tokens[slot].next
        }
        return next
    }

    /// Counts a push whose service worker has shown nothing; at the last one the origin loses all subscriptions that it
    /// has on the device (`WebPush#Silent-pushes`).
    mutating func endSilentPush(_ slot: Int32, at now: Instant) {
        self[registration: slot].detail.orDefault.web?.endAwaited()
        guard tokens[slot].detail.value?.web?.hasLostSubscriptions == true else { return }
        let device = tokens[slot].device
        let topic = tokens[slot].topic
        for other in tokens.slots(of: devices[device])
        where tokens[other].topic == topic && tokens[other].state == .active {
            end(other, .unregistered, at: now)
        }
    }
}

extension ServiceWorker {
    /// Why nothing is shown of a push; `nil` if something is.
    fileprivate func remark(on message: WebPushMessage) -> String? {
        guard !message.isDeclarative else { return nil }
        let undeclared = message.problem.map { ", and it is not declarative: \($0)" } ?? ""
        return switch self {
        case .shows: nil
        case .silent:
            "the service worker shows no notification: after \(WebApp.silentPushesMax) such pushes Safari removes the "
                + "subscriptions of the origin\(undeclared)"
        case .none: "there is no service worker\(undeclared)"
        }
    }
}
