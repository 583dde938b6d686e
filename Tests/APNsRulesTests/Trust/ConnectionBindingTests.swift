import APNsRules
import Testing

/// Which keys may follow which on a connection, for every pair of keys (`ProviderAPI#Key-scopes`).
@Suite("A connection and its keys")
struct ConnectionBindingTests {
    /// A key to test; `first` is the answer to it as a connection's first key.
    enum Key: String, CaseIterable, Sendable {
        case team
        case secondTeam
        case teamSandbox
        case teamProduction
        case news
        case newsRelated
        case newsNamed
        case newsUnrelated
        case newsProduction
        case strangeTeam
        case strangeProduction
        case strangeTopic

        var scope: KeyScope {
            let topics: Set<String> = ["com.example.app"]
            return switch self {
            case .team, .secondTeam, .strangeTeam: .team
            case .teamSandbox: KeyScope(environment: .sandbox, topics: nil)
            case .teamProduction, .strangeProduction: KeyScope(environment: .production, topics: nil)
            case .news: KeyScope(environment: .sandbox, topics: topics, relatedKeyID: Key.newsNamed.rawValue)
            case .newsRelated: KeyScope(environment: .sandbox, topics: topics, relatedKeyID: Key.news.rawValue)
            case .newsNamed, .newsUnrelated, .strangeTopic: KeyScope(environment: .sandbox, topics: topics)
            case .newsProduction: KeyScope(environment: .production, topics: topics)
            }
        }

        var isStrange: Bool { rawValue.hasPrefix("strange") }
        var isProduction: Bool { rawValue.hasSuffix("Production") }
        var isTopicSpecific: Bool { scope.topics != nil }
        var identity: ProviderIdentity {
            ProviderIdentity(
                team: isStrange ? "STRANGE123" : "TEAM123456", keyID: rawValue,
                issuedAt: ConnectionBindingTests.now, scope: scope)
        }
    }

    static let now = Instant(milliseconds: 1_767_225_600_000)
    static let pairs = Key.allCases.flatMap { first in Key.allCases.map { (first, $0) } }

    @Test("only a key that is valid in the environment may be the first", arguments: Key.allCases)
    func first(_ key: Key) {
        var trust = ConnectionTrust()
        #expect(answer(key, &trust) == (key.isProduction ? .badEnvironmentKeyInToken : nil))
        #expect(trust.team == (key.isProduction ? nil : key.identity.team))
        #expect(trust.firstKey?.keyID == (key.isProduction ? nil : key.rawValue))
    }

    @Test("a second key is judged by its team, then its environment, then its relation to the first", arguments: pairs)
    func second(_ first: Key, _ second: Key) {
        var trust = ConnectionTrust()
        let isBound = answer(first, &trust) == nil
        let expected: Reason? =
            if isBound, first.isStrange != second.isStrange {
                .invalidProviderToken
            } else if second.isProduction {
                .badEnvironmentKeyInToken
            } else if isBound, !fits(first, second) { .unrelatedKeyIDInToken } else { nil }
        #expect(answer(second, &trust) == expected)
        // A refusal leaves the connection unchanged: the first key is still accepted.
        if isBound { #expect(answer(first, &trust) == nil) }
        #expect(trust.hasUsed(second.rawValue) == (expected == nil || isBound && first == second))
    }

    @Test("a third key is compared with the first, not with the second")
    func third() {
        var trust = ConnectionTrust()
        #expect(answer(.newsRelated, &trust) == nil)
        #expect(answer(.news, &trust) == nil)
        // Related to the second only.
        #expect(answer(.newsNamed, &trust) == .unrelatedKeyIDInToken)
    }

    @Test("a connection remembers a bounded number of keys and still judges others")
    func bound() {
        var trust = ConnectionTrust()
        func identity(_ number: Int) -> ProviderIdentity {
            ProviderIdentity(team: "TEAM123456", keyID: "K\(number)", issuedAt: Self.now)
        }
        for number in 0...Limits.keysOfConnectionMax {
            #expect(refusal(.token(identity(number)), &trust) == nil)
        }
        #expect(trust.hasUsed("K\(Limits.keysOfConnectionMax - 1)"))
        #expect(!trust.hasUsed("K\(Limits.keysOfConnectionMax)"))
        #expect(refusal(.token(identity(Limits.keysOfConnectionMax + 1)), &trust) == nil)
        #expect(refusal(.revokedKey(identity(0)), &trust)?.reason == .forbidden)
    }

    @Test("a revoked key is Forbidden where it was used and InvalidProviderToken elsewhere", arguments: Key.allCases)
    func revoked(_ key: Key) {
        var trust = ConnectionTrust()
        #expect(refusal(.revokedKey(key.identity), &trust)?.reason == .invalidProviderToken)
        #expect(trust.team == nil)
        let wasGood = answer(key, &trust) == nil
        #expect(refusal(.revokedKey(key.identity), &trust)?.reason == (wasGood ? .forbidden : .invalidProviderToken))
    }

    @Test("a certificate does not bind a connection to a team")
    func certificate() {
        var trust = ConnectionTrust()
        let identity = CertificateIdentity(
            subject: "UID=com.example.app", subjectID: "com.example.app",
            topics: [.init("com.example.app", kind: "app")], environment: .both, serialNumber: "01",
            notBefore: Self.now, notAfter: Self.now)
        #expect(refusal(.certificate(identity), &trust) == nil)
        #expect(trust.team == nil)
    }

    // The rules of `ProviderAPI#Key-scopes` for two keys of one team that are valid in the environment.
    private func fits(_ first: Key, _ second: Key) -> Bool {
        guard first.isTopicSpecific == second.isTopicSpecific else { return false }
        guard first.isTopicSpecific, first != second else { return true }
        let related: Set<Set<Key>> = [[.news, .newsRelated], [.news, .newsNamed]]
        return related.contains([first, second])
    }

    private func answer(_ key: Key, _ trust: inout ConnectionTrust) -> Reason? {
        refusal(.token(key.identity), &trust)?.reason
    }

    private func refusal(_ verdict: TrustVerdict, _ trust: inout ConnectionTrust) -> Refusal? {
        var request = PushRequest(body: Array(#"{"aps":{"alert":"hi"}}"#.utf8))
        request.headers.append(":method", "POST")
        request.headers.append(":path", "/3/device/" + String(repeating: "ab", count: 32))
        request.headers.append("apns-topic", "com.example.app")
        let push = Candidate(
            request, credential: JudgedCredential(authorization: nil, verdict: verdict), environment: .sandbox,
            settings: RuleSettings(), receivedAt: Self.now)
        do throws(Refusal) {
            _ = try Admission.admit(push, trust: &trust, keyUpdates: { _ in true })
            return nil
        } catch {
            return error
        }
    }
}
