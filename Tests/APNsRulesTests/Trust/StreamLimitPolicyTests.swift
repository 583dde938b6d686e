import APNsRules
import Testing

@Suite("The stream limit of a connection")
struct StreamLimitPolicyTests {
    private let limits = ConnectionStreamLimits(beforeTrust: 2, trusted: 500)

    @Test("the limit rises with the first accepted push and falls only with a rejected credential")
    func outcomes() {
        var policy = StreamLimitPolicy(limits)
        #expect(policy.limit == 2)
        func changes(of outcomes: [Reason?]) -> [Int?] { outcomes.map { policy.recordOutcome($0) } }
        #expect(changes(of: [.missingProviderToken, .badDeviceToken, nil, nil]) == [nil, nil, 500, nil])
        #expect(policy.limit == 500)
        let harmless = Reason.allCases.filter { $0.status != 403 }
        #expect(changes(of: harmless).allSatisfy { $0 == nil })
        #expect(changes(of: [.expiredProviderToken, .invalidProviderToken, .badDeviceToken]) == [2, nil, nil])
        #expect(policy.limit == 2)
        #expect(changes(of: [nil]) == [500])
    }

    @Test("a connection with a certificate starts trusted")
    func certificate() {
        var policy = StreamLimitPolicy(limits, startsTrusted: true)
        #expect(policy.limit == 500)
        #expect(policy.recordOutcome(nil) == nil)
        #expect(policy.recordOutcome(.badCertificate) == 2)
    }
}
