import Testing

@testable import APNsRules

@Suite("Which contradictions of push type and topic are refused")
struct ContradictionTests {
    private static let suffixes = PushType.allCases.map(\.topicSuffix)

    private func isRefused(_ type: PushType?, suffix: String, _ strictness: RuleSettings.Strictness) throws -> Bool {
        var request = PushRequest(body: Array(#"{"aps":{"alert":"hi"}}"#.utf8))
        request.headers.append(":method", "POST")
        request.headers.append(":path", "/3/device/" + String(repeating: "ab", count: 32))
        request.headers.append("apns-topic", "com.example.app" + suffix)
        if let type { request.headers.append("apns-push-type", type.rawValue) }
        var settings = RuleSettings()
        settings.pushTypeCheck = strictness
        let now = Instant(milliseconds: 0)
        let identity = ProviderIdentity(team: "TEAM123456", keyID: "KEY1234567", issuedAt: now)
        let push = Candidate(
            request, credential: JudgedCredential(authorization: nil, verdict: .token(identity)),
            environment: .sandbox, settings: settings, receivedAt: now)
        var trust = ConnectionTrust()
        return try Admission.admit(push, trust: &trust, keyUpdates: { _ in true }).contradictsItself
    }

    @Test("by default those that APNs was seen to refuse: alert and background to a VoIP topic")
    func usual() throws {
        for suffix in Self.suffixes {
            for type in PushType.allCases {
                let isObserved = suffix == ".voip" && (type == .alert || type == .background)
                #expect(try isRefused(type, suffix: suffix, .lenient) == isObserved, "\(type) \(suffix)")
            }
            #expect(try !isRefused(nil, suffix: suffix, .lenient), "no type \(suffix)")
        }
    }

    @Test("with a strict check all of them")
    func strict() throws {
        for suffix in Self.suffixes {
            for type in PushType.allCases where type.topicSuffix != suffix || type == .mdm {
                #expect(try isRefused(type, suffix: suffix, .strict), "\(type) \(suffix)")
            }
        }
    }
}
