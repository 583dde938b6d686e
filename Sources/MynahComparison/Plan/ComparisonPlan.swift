internal import APNsRules
internal import MynahCore

/// The requests of a comparison, case by case, and the cases that it leaves out.
///
/// A request reaches no device: its token belongs to none, or its credential is missing or bad. Both services then refuse
/// a push that passes every other check as BadDeviceToken. Only a premise with a device token changes that.
package struct ComparisonPlan: Sendable {
    /// The connection that a case is played on.
    package enum Connection: String, Sendable, CaseIterable {
        /// A connection for all cases that are signed with the same provider token.
        case token
        /// A connection for all cases with a client certificate.
        case certificate
        /// A connection for all cases that have no provider token.
        case anonymous
        /// A connection for one case alone, because the case binds or spoils it.
        case own

        /// Whether the client presents its certificate.
        package var presentsCertificate: Bool { self == .certificate }
    }

    /// A case to be played.
    package struct Case: Sendable {
        package let fixture: FixtureCase
        package let connection: Connection
        /// The requests in order, those before the last one to prepare it.
        package let requests: [FixtureRequest]
        /// How many of them the user's device gets if the other service accepts them.
        package let deliveries: Int
    }

    /// A case that isn't played.
    package struct LeftOut: Sendable {
        package let fixture: FixtureCase
        /// A clause, in words for whoever compares.
        package let reason: String
    }

    package private(set) var cases: [Case] = []
    package private(set) var leftOut: [LeftOut] = []
    /// The cases and steps that aren't played, with the reason.
    package var notTried: [ComparisonResult.Row] {
        leftOut.map { .init($0.fixture, notTried: $0.reason) } + ComparisonPlan.behaviours
    }
    package var deliveries: Int { cases.reduce(0) { $0 + $1.deliveries } }

    /// Classifies the cases; those with a connection of their own come last.
    package init(_ fixtures: [FixtureCase], for premise: ComparisonPremise) {
        for fixture in fixtures {
            if let reason = fixture.obstacle(for: premise) {
                leftOut.append(LeftOut(fixture: fixture, reason: reason))
            } else {
                cases.append(fixture.planned(for: premise))
            }
        }
        let order = Connection.allCases
        cases = order.flatMap { connection in cases.filter { $0.connection == connection } }
    }
}

extension ComparisonPlan {
    /// What `ProviderAPI` says of connections, and no case has.
    private static let behaviours: [ComparisonResult.Row] = [
        .init(
            id: "tls-old-version", name: "TLS 1.1 is refused with an alert", source: "ProviderAPI#TLS (documented)",
            notTried: "needs broken TLS"),
        .init(
            id: "tls-without-h2", name: "a client that doesn't offer h2 gets SETTINGS",
            source: "ProviderAPI#TLS (observed)", notTried: "needs a client without HTTP/2"),
        .init(
            id: "tls-bad-certificate", name: "a certificate that can't be used is refused with an alert",
            source: "ProviderAPI#TLS (observed)", notTried: "needs a certificate that is expired, revoked or forged"),
        .init(
            id: "certificate-other-environment",
            name: "a certificate of the other environment gets GOAWAY with BadCertificateEnvironment",
            source: "ProviderAPI#GOAWAY (observed)", notTried: "needs a certificate of the other environment"),
        .init(
            id: "goaway-protocol-error", name: "a violation of HTTP/2 gets GOAWAY with its code and a text",
            source: "ProviderAPI#GOAWAY (observed)", notTried: "would break HTTP/2 on purpose"),
        .init(
            id: "goaway-errors", name: "too many errors end a connection", source: "ProviderAPI#GOAWAY (documented)",
            notTried: "would pass for an attack"),
        .init(
            id: "goaway-connections", name: "connecting too often is refused",
            source: "ProviderAPI#GOAWAY (documented)", notTried: "would pass for an attack"),
        .init(
            id: "goaway-idle", name: "an idle connection is ended with IdleTimeout",
            source: "ProviderAPI#GOAWAY (documented)", notTried: "needs hours without a request"),
        .init(
            id: "streams-above-the-limit", name: "a stream above the limit is reset with REFUSED_STREAM",
            source: "ProviderAPI#Stream-limits (inferred)", notTried: "needs many requests at once"),
        .init(
            id: "requests-above-the-rate", name: "too many pushes to one device token are TooManyRequests",
            source: "ProviderAPI#Request-rates (documented)", notTried: "would provoke 429"),
    ]
}

extension FixtureCase {
    /// How far from the limit of a token's age a case has to be, because the clocks of two services differ.
    private static let clockMargin: Duration = .seconds(60)

    private var steps: [Step] { before + [step] }
    private var isSigned: Bool { steps.contains { if case .token = $0.request.credential { true } else { false } } }

    /// Whether the case is played with a certificate in place of its token.
    ///
    /// A good credential of either kind does where a case is about neither.
    private func replacesToken(for premise: ComparisonPremise) -> Bool {
        isSigned && !premise.hasKey && hasUsualToken && premise.certificateTopics != nil
    }

    /// Plans a case that has no ``obstacle(for:)``.
    fileprivate func planned(for premise: ComparisonPremise) -> ComparisonPlan.Case {
        let replacesToken = replacesToken(for: premise)
        var deliveries = 0
        let requests = steps.map { step in
            var request = step.request.owned(by: premise)
            if replacesToken { request.credential = .none }
            if let token = premise.deviceToken, step.isDelivered {
                request.path = request.path.replacingToken(with: token)
                deliveries += 1
            }
            return request
        }
        let connection: ComparisonPlan.Connection =
            if certificate != nil || replacesToken {
                .certificate
            } else if !isSigned { .anonymous } else if hasUsualToken { .token } else { .own }
        return ComparisonPlan.Case(fixture: self, connection: connection, requests: requests, deliveries: deliveries)
    }

    /// Whether all its requests have the token that most cases have.
    private var hasUsualToken: Bool { steps.allSatisfy { $0.request.credential == .token(FixtureToken()) } }

    // MARK: - Obstacles

    /// Why the case can't be played, as a clause; `nil` if it can.
    fileprivate func obstacle(for premise: ComparisonPremise) -> String? {
        if let reason = serviceObstacle(premise) ?? stateObstacle ?? timeObstacle { return reason }
        if let reason = credentialObstacle ?? certificateObstacle(premise) { return reason }
        return isSigned && !premise.hasKey && !replacesToken(for: premise) ? "needs a signing key: --key" : nil
    }

    private func serviceObstacle(_ premise: ComparisonPremise) -> String? {
        guard !isForChannels else {
            return "channel management: another host, and it changes the channels of the account"
        }
        if let name = settings.keys.sorted().first(where: { $0 != "environment" }) {
            return "is about --\(name), a setting of Mynah's"
        }
        if let environment = settings["environment"], environment != premise.environment.rawValue {
            return "is about the \(environment) environment"
        }
        for step in steps where step.request.isAboutChannels {
            guard step.request.path.hasPrefix("/4/") else {
                return "channel management: it could change the channels of the account"
            }
            guard premise.hasBroadcasts else { return "needs an app with the broadcast capability: --broadcasts" }
        }
        return nil
    }

    private var stateObstacle: String? {
        guard devices.isEmpty else { return "needs a device token in a certain state" }
        let ofDevices = [Reason.deviceTokenNotForTopic, .unregistered, .expiredToken].map(\.rawValue)
        if let reason = step.expect.reason, ofDevices.contains(reason) {
            return "needs a device token in a certain state"
        }
        let usual = ChannelOwner(bundleID: FixtureRequest.defaultApp, environment: .sandbox)
        return channels.contains { $0.isDeleted || $0.specification.owner != usual }
            ? "needs a channel that was deleted, or is another app's" : nil
    }

    private var timeObstacle: String? {
        guard steps.allSatisfy({ $0.at == .zero }) else { return "needs time to pass on its connection" }
        for case .token(let token) in steps.map(\.request.credential) {
            let distance = max(token.age, .zero - token.age) - Limits.providerTokenAgeMax
            if max(distance, .zero - distance) <= FixtureCase.clockMargin {
                return "depends on the second at which the other service reads the token"
            }
        }
        return nil
    }

    private var credentialObstacle: String? {
        guard steps.allSatisfy(\.revoke.isEmpty) else { return "needs a credential that is revoked meanwhile" }
        guard keys.isEmpty, steps.allSatisfy(\.keys.isEmpty) else {
            return "needs a topic-specific key, or one for one environment"
        }
        var tokens: Set<FixtureToken> = []
        for case .token(let token) in steps.map(\.request.credential) {
            switch token.key {
            case .otherTeam, .named: return "needs a key of a second team"
            case .known, .unknown: tokens.insert(token)
            }
        }
        return tokens.count > 1 ? "changes the token of a connection, which gets 429 when done too often" : nil
    }

    private func certificateObstacle(_ premise: ComparisonPremise) -> String? {
        guard let certificate else { return nil }
        guard certificate.validFor == FixtureCertificate.usualValidity else {
            return "needs a certificate that expires meanwhile"
        }
        let topics = certificate.topics.map { premise.owned($0.name) }
        guard let own = premise.certificateTopics else { return "needs a certificate: --certificate" }
        let names = certificate.topics.map(\.name).joined(separator: " and ")
        return Set(own) == Set(topics) ? nil : "needs a certificate for \(names) alone"
    }
}

extension FixtureRequest {
    /// A request that is good but for its device token, which belongs to no device.
    package static func good(for premise: ComparisonPremise, credential: Credential) -> FixtureRequest {
        FixtureRequest(usualWith: credential).owned(by: premise)
    }

    fileprivate func owned(by premise: ComparisonPremise) -> FixtureRequest {
        var request = self
        request.path = premise.owned(path)
        request.fields = fields.map { ($0.name, premise.owned($0.value)) }
        return request
    }
}

extension FixtureCase.Step {
    /// Whether the app of the cases gets this push on the device with the cases' usual token.
    fileprivate var isDelivered: Bool {
        expect.status == 200 && !request.isAboutChannels
            && request.path.lowercased() == "/3/device/\(FixtureRequest.defaultToken)"
            && request.fields.allSatisfy { $0.name != "apns-topic" || $0.value == FixtureRequest.defaultApp }
    }
}

extension String {
    /// A path with another device token, in the case in which the first one is written.
    fileprivate func replacingToken(with token: String) -> String {
        let written = drop { $0 != "/" }.suffix(FixtureRequest.defaultToken.count)
        let isUpper = written == written.uppercased()
        return dropLast(FixtureRequest.defaultToken.count) + (isUpper ? token.uppercased() : token.lowercased())
    }
}
