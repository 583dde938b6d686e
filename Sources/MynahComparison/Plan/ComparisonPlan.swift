internal import APNsRules
internal import MynahCore

/// The requests of a comparison, case by case, and the cases that it leaves out.
///
/// A request reaches no device: its token belongs to none, or its credential is missing or bad. Both services then refuse
/// a push that passes every other check as BadDeviceToken. Only a premise with a device token changes that.
package struct ComparisonPlan: Sendable {
    /// The connection that a case is played on.
    package enum Connection: String, Sendable, CaseIterable {
        /// One for all cases that are signed with the same provider token.
        case token
        /// One for all cases with a client certificate.
        case certificate
        /// One for all cases that have no provider token.
        case anonymous
        /// One for this case alone, because it binds or spoils its connection.
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
    /// Everything that isn't played, with the reason.
    package var notTried: [ComparisonResult.Row] {
        leftOut.map { .init($0.fixture, notTried: $0.reason) } + ComparisonPlan.behaviours
    }
    package var deliveries: Int { cases.reduce(0) { $0 + $1.deliveries } }

    /// Classifies the cases; those with a connection of their own come last.
    package init(_ fixtures: [FixtureCase], for premise: ComparisonPremise) {
        for fixture in fixtures {
            do throws(Obstacle) {
                cases.append(try fixture.planned(for: premise))
            } catch {
                leftOut.append(LeftOut(fixture: fixture, reason: error.reason))
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

/// Why a case can't be played, as a clause.
private struct Obstacle: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

extension FixtureCase {
    /// How far from the limit of a token's age a case has to be, because the clocks of two services differ.
    private static let clockMargin: Duration = .seconds(60)

    private var steps: [Step] { before + [step] }

    fileprivate func planned(for premise: ComparisonPremise) throws(Obstacle) -> ComparisonPlan.Case {
        try checkService(premise)
        try checkState()
        try checkTime()
        try checkCredentials()
        try checkCertificate(premise)
        let isSigned = steps.contains { if case .token = $0.request.credential { true } else { false } }
        // A good credential of either kind does where a case is about neither.
        let replacesToken = isSigned && !premise.hasKey && hasUsualToken && premise.certificateTopics != nil
        if isSigned, !premise.hasKey, !replacesToken { throw Obstacle("needs a signing key: --key") }
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

    private func checkService(_ premise: ComparisonPremise) throws(Obstacle) {
        guard !isForChannels else {
            throw Obstacle("channel management: another host, and it changes the channels of the account")
        }
        for name in settings.keys.sorted() where name != "environment" {
            throw Obstacle("is about --\(name), a setting of Mynah's")
        }
        if let environment = settings["environment"], environment != premise.environment.rawValue {
            throw Obstacle("is about the \(environment) environment")
        }
        for step in steps where step.request.isAboutChannels {
            guard step.request.path.hasPrefix("/4/") else {
                throw Obstacle("channel management: it could change the channels of the account")
            }
            guard premise.hasBroadcasts else {
                throw Obstacle("needs an app with the broadcast capability: --broadcasts")
            }
        }
    }

    private func checkState() throws(Obstacle) {
        guard devices.isEmpty else { throw Obstacle("needs a device token in a certain state") }
        let ofDevices = [Reason.deviceTokenNotForTopic, .unregistered, .expiredToken].map(\.rawValue)
        if let reason = step.expect.reason, ofDevices.contains(reason) {
            throw Obstacle("needs a device token in a certain state")
        }
        let usual = ChannelOwner(bundleID: FixtureRequest.defaultApp, environment: .sandbox)
        if channels.contains(where: { $0.isDeleted || $0.specification.owner != usual }) {
            throw Obstacle("needs a channel that was deleted, or is another app's")
        }
    }

    private func checkTime() throws(Obstacle) {
        guard steps.allSatisfy({ $0.at == .zero }) else { throw Obstacle("needs time to pass on its connection") }
        for case .token(let token) in steps.map(\.request.credential) {
            let distance = max(token.age, .zero - token.age) - Limits.providerTokenAgeMax
            if max(distance, .zero - distance) <= FixtureCase.clockMargin {
                throw Obstacle("depends on the second at which the other service reads the token")
            }
        }
    }

    private func checkCredentials() throws(Obstacle) {
        guard steps.allSatisfy(\.revoke.isEmpty) else { throw Obstacle("needs a credential that is revoked meanwhile") }
        guard keys.isEmpty, steps.allSatisfy(\.keys.isEmpty) else {
            throw Obstacle("needs a topic-specific key, or one for one environment")
        }
        var tokens: Set<FixtureToken> = []
        for case .token(let token) in steps.map(\.request.credential) {
            switch token.key {
            case .otherTeam, .named: throw Obstacle("needs a key of a second team")
            case .known, .unknown: tokens.insert(token)
            }
        }
        if tokens.count > 1 { throw Obstacle("changes the token of a connection, which gets 429 when done too often") }
    }

    private func checkCertificate(_ premise: ComparisonPremise) throws(Obstacle) {
        guard let certificate else { return }
        guard certificate.validFor == FixtureCertificate.usualValidity else {
            throw Obstacle("needs a certificate that expires meanwhile")
        }
        let topics = certificate.topics.map { premise.owned($0.name) }
        guard let own = premise.certificateTopics else { throw Obstacle("needs a certificate: --certificate") }
        guard Set(own) == Set(topics) else {
            throw Obstacle("needs a certificate for \(certificate.topics.map(\.name).joined(separator: " and ")) alone")
        }
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
