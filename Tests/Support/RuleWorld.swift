package import APNsRules
package import MynahComparison
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
    private var keys: [String: FixtureKey] = [:]
    private var certificate: CertificateIdentity?
    private var channels = BroadcastChannels(seed: 1)
    private let isForChannels: Bool
    private var revoked: Set<String> = []
    private let file: String

    /// What the world answered.
    package struct Answer {
        package let reply: Reply
        package let reason: Reason?
        package let sentID: NotificationID?
    }

    /// The state that a case begins with.
    package init(_ fixture: FixtureCase) throws {
        file = fixture.file
        isForChannels = fixture.isForChannels
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
        for (number, device) in fixture.devices.enumerated() {
            let device = try device.specification(number)
            _ = try devices.create(device, id: device.ids[0], at: RuleWorld.start, clock: { _ in RuleWorld.start })
        }
        for channel in fixture.channels {
            for _ in 0..<channel.count {
                let specification = channel.specification
                let made = try channels.create(
                    specification.policy, for: specification.owner, id: specification.id, at: RuleWorld.start)
                if channel.isDeleted { channels.remove(made.id) }
            }
        }
        for key in fixture.keys { keys[key.name] = key }
        certificate = fixture.certificate?.identity(start: RuleWorld.start)
    }

    /// What a case chooses of the rules.
    package static func ruleSettings(_ fixture: FixtureCase) throws -> RuleSettings {
        var settings = RuleSettings()
        for (name, value) in fixture.settings {
            switch name {
            case "payload-check": settings.payloadCheck = value == "strict" ? .strict : .lenient
            case "push-type-check": settings.pushTypeCheck = value == "strict" ? .strict : .lenient
            case "error-content-type": settings.sendsErrorContentType = value == "on"
            case "documented-reasons": settings.usesDocumentedReasons = value == "true" || value == "on"
            case "token-length":
                let bounds = value.split(separator: "-").compactMap { Int($0) }
                guard bounds.count == 2 else {
                    throw InputError(at: fixture.file, "token-length \(value)")
                }
                settings.tokenByteCounts = bounds[0]...bounds[1]
            case "team-topics": settings.teamTopics = value.split(separator: ",").map(String.init)
            case "broadcast-apps": settings.broadcastApps = value.split(separator: ",").map(String.init)
            case "token-updates": settings.tokenUpdates = value == "key" ? .key : .connection
            case "devices", "auth", "environment": break
            default: throw InputError(at: fixture.file, "unknown setting \(name)")
            }
        }
        return settings
    }

    /// Judges one request of the connection.
    package mutating func answer(_ step: FixtureCase.Step) throws -> Answer {
        for key in step.keys { keys[key.name] = key }
        revoked.formUnion(step.revoke)
        let now = RuleWorld.start.advanced(by: step.at)
        let (authorization, signer) = try authorization(of: step.request.credential, at: now)
        let request = step.request.pushRequest(authorization: authorization)
        let credential = JudgedCredential(
            authorization: request.authorization, verdict: verdict(on: request.authorization, signer))
        let push = Candidate(
            request, credential: credential, environment: environment, settings: settings, receivedAt: now)
        let channelRequest = ChannelRequest(push)
        if isForChannels || channelRequest?.resource == .broadcasts {
            return answer(to: channelRequest, push)
        }
        let id = push.notificationID ?? NotificationID(generated: 0xABCD_EF01_2345_6789_ABCD_EF01_2345_6789)
        if let refusal = refusal(of: push) {
            return Answer(
                reply: Reply(refused: refusal, id: id, settings: settings), reason: refusal.reason,
                sentID: push.notificationID)
        }
        let uniqueID = environment == .sandbox ? NotificationID(unique: 1) : nil
        return Answer(reply: Reply(accepted: id, uniqueID: uniqueID), reason: nil, sentID: push.notificationID)
    }

    private mutating func answer(to request: ChannelRequest?, _ push: Candidate) -> Answer {
        let sentID = ChannelRequest.requestID(of: push)
        let id = sentID ?? NotificationID(unique: 0xABCD_EF01_2345_6789_ABCD_EF01_2345_6789)
        do throws(Refusal) {
            guard let request, isForChannels != (request.resource == .broadcasts) else {
                throw ChannelRequest.unknownPath(of: push)
            }
            let owner = ChannelOwner(bundleID: request.bundleID, environment: environment)
            let admitted = try ChannelAdmission.admit(request, trust: &trust, keyUpdates: { _ in true })
            let (status, channel, body) = try carryOut(admitted, of: owner, expiration: push.expiration)
            return Answer(
                reply: Reply(channels: status, requestID: id, channelID: channel, body: body), reason: nil,
                sentID: sentID)
        } catch {
            return Answer(
                reply: Reply(channels: error, requestID: id, settings: settings), reason: error.reason, sentID: sentID)
        }
    }

    private mutating func carryOut(
        _ request: AdmittedChannelRequest, of owner: ChannelOwner, expiration: Expiration
    ) throws(Refusal) -> (Int, ChannelID?, [UInt8]) {
        switch request {
        case .create(let policy): return (201, try channels.create(policy, for: owner, at: RuleWorld.start).id, [])
        case .read(let id): return (200, nil, try channels.channel(id, of: owner).configuration.encoded)
        case .delete(let id):
            try channels.delete(id, of: owner)
            return (204, nil, [])
        case .list:
            let ids = channels.list(ofApp: owner.bundleID, in: owner.environment).map { JSONValue.string($0.id.text) }
            return (200, nil, (["channels": .array(ids)] as JSONValue).encoded)
        case .broadcast(let id):
            _ = try channels.admit(to: id, of: owner, expiration: expiration)
            return (200, nil, [])
        }
    }

    private mutating func refusal(of push: borrowing Candidate) -> Refusal? {
        do throws(Refusal) {
            let fields = try Admission.admit(push, trust: &trust, keyUpdates: { _ in true })
            let now = push.receivedAt
            let admitted = Push(
                push, fields, id: NotificationID(generated: 1), bytes: push.headers.bytes + push.body)
            let answer = devices.accept(admitted, at: now, clock: { _ in now }, takeSequence: { 1 })
            guard case .refused(let refusal) = answer else { return nil }
            return refusal
        } catch {
            return error
        }
    }

    /// Whose signature a token has.
    private enum Signer {
        /// Nobody's that counts.
        case nobody
        /// That of a key of the whole team, good everywhere.
        case team
        /// That of one of the case's keys.
        case key(FixtureKey)
    }

    private func authorization(
        of credential: FixtureRequest.Credential, at now: Instant
    ) throws -> (value: String?, signer: Signer) {
        switch credential {
        case .none: return (nil, .nobody)
        case .raw(let value): return (value, .nobody)
        case .token(let token):
            let keyID: String
            let team: String
            var signer = Signer.team
            switch token.key {
            case .known:
                keyID = RuleWorld.keyID
                team = RuleWorld.team
            case .otherTeam:
                keyID = RuleWorld.otherKeyID
                team = RuleWorld.otherTeam
            case .unknown:
                keyID = "UNKNOWNKEY"
                team = RuleWorld.team
                signer = .nobody
            case .named(let name):
                guard let key = keys[name] else { throw InputError(at: file, "there is no key \(name)") }
                keyID = RuleWorld.keyID(of: name)
                team = key.isOfOtherTeam ? RuleWorld.otherTeam : RuleWorld.team
                signer = .key(key)
            }
            // Any bytes do, as long as the same token has the same ones.
            let value = token.authorization(keyID: keyID, team: team, at: now) { _, _ in
                Array(repeating: 0x11, count: 64)
            }
            if isStructural { return (value, .team) }
            let isGood = token.kid == nil && token.iss == nil && token.signature != "bad"
            return (value, isGood ? signer : .nobody)
        }
    }

    private func verdict(on authorization: AuthorizationValue?, _ signer: Signer) -> TrustVerdict {
        if let certificate {
            return revoked.contains("certificate") ? .revokedCertificate(certificate) : .certificate(certificate)
        }
        guard let bytes = authorization?.bearerToken else { return .missing }
        do throws(Refusal) {
            let token = try ProviderToken(parsing: bytes)
            func identity(_ scope: KeyScope) -> ProviderIdentity {
                ProviderIdentity(
                    team: token.team, keyID: token.keyID, issuedAt: token.issuedAt, warnings: token.warnings,
                    scope: scope)
            }
            switch signer {
            case .nobody: throw Refusal(.invalidProviderToken, "not signed by a known key")
            case .team: return .token(identity(.team))
            case .key(let key):
                let isRevoked = key.isRevoked || revoked.contains(key.name)
                let scope = KeyScope(
                    environment: key.environment, topics: key.topics.map { Set($0) },
                    relatedKeyID: key.related.map { RuleWorld.keyID(of: $0) })
                return isRevoked ? .revokedKey(identity(scope)) : .token(identity(scope))
            }
        } catch {
            return .invalid(error)
        }
    }

    /// The id of a case's key: its name in capitals, filled up.
    private static func keyID(of name: String) -> String {
        String((name.uppercased().filter { $0.isLetter || $0.isNumber } + "0000000000").prefix(10))
    }
}
