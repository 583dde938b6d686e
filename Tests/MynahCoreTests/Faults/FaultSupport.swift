import APNsRules
import MynahCore
import Testing

/// Reads JSON that a test wrote.
func json(_ text: String) -> JSONValue {
    do {
        return try JSONValue(parsing: text)
    } catch {
        Issue.record("\(text): \(error)")
        return .null
    }
}

extension FaultDraft {
    /// Reads a rule that a test wrote.
    init(_ text: String) throws { try self.init(json: MynahCoreTests.json(text)) }
}

extension FaultRule {
    /// A rule that a test wrote, as the server makes it.
    static func made(_ text: String, id: String = "f-1", seed: UInt64? = nil) throws -> FaultRule {
        let draft = try FaultDraft(text)
        return draft.made(id: draft.id ?? id, at: noon, seed: seed)
    }
}

/// 2026-11-21T12:00:00Z.
let noon = Instant(seconds: 1_795_262_400)

extension Candidate {
    /// A push that a test wrote.
    static func push(
        token: String = Entry.aToken, topic: String? = "com.example.app", headers: [(String, String)] = [],
        body: String = #"{"aps":{"alert":"hi","category":"NEWS"}}"#, environment: APNsEnvironment = .sandbox,
        team: String? = nil, at now: Instant = noon
    ) -> Candidate {
        var block = HeaderBlock()
        block.append(":method", "POST")
        block.append(":path", "/3/device/" + token)
        if let topic { block.append("apns-topic", topic) }
        for (name, value) in headers { block.append(name, value) }
        let identity = team.map { ProviderIdentity(team: $0, keyID: "ABC123DEFG", issuedAt: noon) }
        let credential = JudgedCredential(
            authorization: nil, verdict: identity.map { .token($0) } ?? .missing)
        return Candidate(
            PushRequest(headers: block, body: Array(body.utf8)), credential: credential, environment: environment,
            settings: RuleSettings(), receivedAt: now)
    }
}

extension FaultFacts {
    /// The facts of a push.
    static func push(
        token: String = Entry.aToken, topic: String? = "com.example.app", headers: [(String, String)] = [],
        body: String = #"{"aps":{"alert":"hi","category":"NEWS"}}"#, connection: UInt64 = 1,
        environment: APNsEnvironment = .sandbox, team: String? = nil, device: String? = nil, scope: String? = nil,
        at now: Instant = noon
    ) -> FaultFacts {
        let push = Candidate.push(
            token: token, topic: topic, headers: headers, body: body, environment: environment, team: team, at: now)
        var facts = FaultFacts(push: push, connection: connection)
        facts.device = device
        facts.scope = scope
        return facts
    }
}

extension FaultSet {
    /// A set of rules that a test wrote, the last of them the newest.
    static func of(_ rules: String...) throws -> FaultSet {
        var set = FaultSet()
        for rule in rules { _ = try set.add([FaultDraft(rule)], at: noon) }
        return set
    }
}
