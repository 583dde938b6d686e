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
            #expect(updates.use(token("a"), at: at(second)) == true)
        }
    }

    @Test("one change may come too early, the next one is one too many")
    func grace() {
        var updates = TokenUpdates()
        #expect(updates.use(token("a"), at: at(0)) == true)
        #expect(updates.use(token("b"), at: at(1)) == true)
        #expect(updates.use(token("c"), at: at(2)) == true)
        #expect(updates.use(token("d"), at: at(3)) == false)
    }

    @Test("a change at exactly 1,200 seconds after the last is in time, at 1,199 it is early")
    func interval() {
        var updates = TokenUpdates()
        #expect(updates.use(token("a"), at: at(0)) == true)
        #expect(updates.use(token("b"), at: at(0)) == true)
        #expect(updates.use(token("c"), at: at(1)) == true)
        #expect(updates.use(token("d"), at: at(1200)) == false)
        #expect(updates.use(token("d"), at: at(1201)) == true)
    }

    @Test("a refused change is not made: the token before stays good and no time is lost")
    func refusedChange() {
        var updates = TokenUpdates()
        #expect(updates.use(token("a"), at: at(0)) == true)
        #expect(updates.use(token("b"), at: at(0)) == true)
        #expect(updates.use(token("c"), at: at(0)) == true)
        #expect(updates.use(token("d"), at: at(600)) == false)
        #expect(updates.use(token("c"), at: at(601)) == true)
        #expect(updates.use(token("d"), at: at(1200)) == true)
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
        #expect(trust.note(.missingProviderToken) == .nothing)
        #expect(trust.note(.badDeviceToken) == .nothing)
        #expect(trust.note(nil) == .raiseStreamLimit)
        #expect(trust.isTrusted)
        #expect(trust.note(nil) == .nothing)
        for reason in Reason.allCases where reason.status != 403 {
            #expect(trust.note(reason) == .nothing, "\(reason)")
        }
        #expect(trust.note(.expiredProviderToken) == .lowerStreamLimit)
        #expect(!trust.isTrusted)
        #expect(trust.note(.expiredProviderToken) == .nothing)
        #expect(trust.note(nil) == .raiseStreamLimit)
    }
}
