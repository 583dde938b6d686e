package import APNsRules
import MynahCore

/// The rules without a server: admission, a connection's trust and a device table, over an injected time.
///
/// Signatures are not computed: a token made with the key of a known team counts as good unless the case wants it
/// bad. What cryptography says is `MynahTrust`'s business, and tested there and over the wire.
package struct RuleWorld {
    /// When every case begins.
    package static let start = Instant(milliseconds: 1_767_225_600_000)

    package static let keyID = "KEY1234567"
    package static let team = "TEAM123456"
    package static let otherKeyID = "KEY7654321"
    package static let otherTeam = "TEAM654321"

    private var settings = RuleSettings()
    private var environment = APNsEnvironment.sandbox
    private var isStructural = false
    private var devices = DeviceTable()
    private var trust = ConnectionTrust()
    private var sequence: UInt64 = 0

    /// What the world answered.
    package struct Answer {
        package let reply: Reply
        package let reason: Reason?
        package let sentID: NotificationID?
    }

    /// The state that a case begins with.
    package init(_ fixture: FixtureCase) throws {
        settings = try RuleWorld.ruleSettings(fixture)
        var deviceSettings = DeviceSettings()
        for (name, value) in fixture.settings {
            switch name {
            case "devices": deviceSettings.policy = value == "strict" ? .strict : .open
            case "auth": isStructural = value == "structural"
            case "environment": environment = APNsEnvironment(rawValue: value) ?? .sandbox
            default: break
            }
        }
        devices = DeviceTable(settings: deviceSettings)
        for device in fixture.devices {
            guard let token = DeviceToken(device.token, byteCounts: 1...100) else {
                throw FixtureError(file: fixture.file, problem: "\(device.token) is no device token")
            }
            devices.register(
                token, topic: device.topic, environment: APNsEnvironment(rawValue: device.environment) ?? .sandbox,
                state: device.state, at: RuleWorld.start)
        }
    }

    /// What a case chooses of the rules.
    package static func ruleSettings(_ fixture: FixtureCase) throws -> RuleSettings {
        var settings = RuleSettings()
        for (name, value) in fixture.settings {
            switch name {
            case "payload-check": settings.payloadCheck = value == "strict" ? .strict : .lenient
            case "push-type-check": settings.pushTypeCheck = value == "strict" ? .strict : .lenient
            case "error-content-type": settings.sendsErrorContentType = value != "off"
            case "documented-reasons": settings.usesDocumentedReasons = value == "true" || value == "on"
            case "token-length":
                let bounds = value.split(separator: "-").compactMap { Int($0) }
                guard bounds.count == 2 else {
                    throw FixtureError(file: fixture.file, problem: "token-length \(value)")
                }
                settings.tokenByteCounts = bounds[0]...bounds[1]
            case "token-updates": settings.tokenUpdates = value == "key" ? .key : .connection
            case "devices", "auth", "environment": break
            default: throw FixtureError(file: fixture.file, problem: "unknown setting \(name)")
            }
        }
        return settings
    }

    /// Judges one request of the connection.
    package mutating func answer(_ step: FixtureCase.Step) -> Answer {
        let now = RuleWorld.start.advanced(by: step.at)
        let (authorization, isGood) = authorization(of: step.request.credential, at: now)
        let request = step.request.pushRequest(authorization: authorization)
        let credential = JudgedCredential(
            authorization: request.authorization, verdict: verdict(on: request.authorization, isGood))
        let push = Candidate(
            request, credential: credential, environment: environment, settings: settings, receivedAt: now)
        let id = push.notificationID ?? NotificationID(generated: 0xABCD_EF01_2345_6789_ABCD_EF01_2345_6789)
        let refusal = Admission.refusal(of: push, trust: &trust) { _ in true } ?? deviceRefusal(push)
        if let refusal {
            return Answer(
                reply: Reply(refused: refusal, id: id, settings: settings), reason: refusal.reason,
                sentID: push.notificationID)
        }
        let uniqueID = environment == .sandbox ? NotificationID(unique: 1) : nil
        return Answer(reply: Reply(accepted: id, uniqueID: uniqueID), reason: nil, sentID: push.notificationID)
    }

    private mutating func deviceRefusal(_ push: borrowing Candidate) -> Refusal? {
        let now = push.receivedAt
        guard let admitted = Push(push, bytes: push.headers.bytes + push.body) else { return nil }
        let answer = devices.accept(admitted, at: now, clock: { _ in now }, takeSequence: { 1 })
        guard case .refused(let refusal) = answer else { return nil }
        return refusal
    }

    private func authorization(
        of credential: FixtureRequest.Credential, at now: Instant
    ) -> (value: String?, isGood: Bool) {
        switch credential {
        case .none: return (nil, false)
        case .raw(let value): return (value, false)
        case .token(let token):
            let (keyID, team) =
                switch token.key {
                case .known: (RuleWorld.keyID, RuleWorld.team)
                case .otherTeam: (RuleWorld.otherKeyID, RuleWorld.otherTeam)
                case .unknown: ("UNKNOWNKEY", RuleWorld.team)
                }
            // Any bytes do, as long as the same token has the same ones.
            let value = token.authorization(keyID: keyID, team: team, at: now) { _, _ in
                Array(repeating: 0x11, count: 64)
            }
            let isKnown = token.key != .unknown && token.kid == nil && token.iss == nil
            return (value, isStructural || isKnown && token.signature != "bad")
        }
    }

    private func verdict(on authorization: AuthorizationValue?, _ isGood: Bool) -> TrustVerdict {
        guard let bytes = authorization?.bearerToken else { return .missing }
        do throws(Refusal) {
            let token = try ProviderToken(parsing: bytes)
            guard isGood else { throw Refusal(.invalidProviderToken, "not signed by a known key") }
            return .token(
                ProviderIdentity(
                    team: token.team, keyID: token.keyID, issuedAt: token.issuedAt, warnings: token.warnings))
        } catch {
            return .invalid(error)
        }
    }
}
