import APNsRules
import Testing

@Suite("Changes of provider token")
struct TokenUpdatesTests {
    let start = Instant(seconds: 1_767_225_600)

    private func token(_ name: String) -> AuthorizationValue { AuthorizationValue(Array("bearer \(name)".utf8)) }

    private func at(_ seconds: Int) -> Instant { start.advanced(by: .seconds(seconds)) }

    @Test("the first token and the same token again are no change, whatever object holds the bytes")
    func sameToken() {
        var updates = TokenUpdates()
        for second in 0..<5 {
            #expect(updates.use(token("a"), at: at(second)))
        }
    }

    @Test("one change may come too early, the next one is one too many")
    func grace() {
        var updates = TokenUpdates()
        #expect(updates.use(token("a"), at: at(0)))
        #expect(updates.use(token("b"), at: at(1)))
        #expect(updates.use(token("c"), at: at(2)))
        #expect(!updates.use(token("d"), at: at(3)))
    }

    @Test("a change at exactly 1,200 seconds after the last is in time, at 1,199 it is early")
    func interval() {
        var updates = TokenUpdates()
        #expect(updates.use(token("a"), at: at(0)))
        #expect(updates.use(token("b"), at: at(0)))
        #expect(updates.use(token("c"), at: at(1)))
        #expect(!updates.use(token("d"), at: at(1200)))
        #expect(updates.use(token("d"), at: at(1201)))
    }

    @Test("a refused change is not made: the token before stays good and no time is lost")
    func refusedChange() {
        var updates = TokenUpdates()
        #expect(updates.use(token("a"), at: at(0)))
        #expect(updates.use(token("b"), at: at(0)))
        #expect(updates.use(token("c"), at: at(0)))
        #expect(!updates.use(token("d"), at: at(600)))
        #expect(updates.use(token("c"), at: at(601)))
        #expect(updates.use(token("d"), at: at(1200)))
    }
}

@Suite("What a connection remembers of its credentials")
struct ConnectionTrustTests {
    @Test("a connection is bound to its first team and stays so")
    func team() {
        var trust = ConnectionTrust()
        #expect(trust.team == nil)
        trust.bind(to: "TEAM123456")
        trust.bind(to: "OTHER12345")
        #expect(trust.team == "TEAM123456")
    }

    @Test("the stream limit rises with the first accepted push and falls with a rejected credential only")
    func streamLimit() {
        var trust = ConnectionTrust()
        #expect(trust.note(.missingProviderToken) == .none)
        #expect(trust.note(.badDeviceToken) == .none)
        #expect(trust.note(nil) == .streamLimit(Limits.streamsMax))
        #expect(trust.isTrusted)
        #expect(trust.note(nil) == .none)
        for reason in Reason.allCases where reason.status != 403 {
            #expect(trust.note(reason) == .none, "\(reason)")
        }
        #expect(trust.note(.expiredProviderToken) == .streamLimit(Limits.streamsBeforeTrust))
        #expect(!trust.isTrusted)
        #expect(trust.note(.expiredProviderToken) == .none)
        #expect(trust.note(nil) == .streamLimit(Limits.streamsMax))
    }
}
