import APNsRules
import Testing

@Suite("Changes of provider token per key")
struct KeyTokenUpdatesTests {
    private let start = Instant(seconds: 1_767_225_600)

    private func token(_ name: String) -> AuthorizationValue { AuthorizationValue(Array("bearer \(name)".utf8)) }

    @Test("each key is counted separately, and a forgotten one starts over")
    func keys() {
        var updates = KeyTokenUpdates()
        for name in ["a", "b", "c"] { #expect(updates.recordUse(of: token(name), ofKey: "one", at: start) == true) }
        #expect(updates.recordUse(of: token("x"), ofKey: "two", at: start) == true)
        #expect(updates.recordUse(of: token("d"), ofKey: "one", at: start) == false)
        updates.forget("one")
        #expect(updates.count == 1)
        for name in ["d", "e", "f"] { #expect(updates.recordUse(of: token(name), ofKey: "one", at: start) == true) }
        #expect(updates.recordUse(of: token("g"), ofKey: "one", at: start) == false)
    }

    @Test("the number of keys is bounded, and a key in use is not forgotten")
    func bound() {
        var updates = KeyTokenUpdates()
        for name in ["a", "b", "c"] { #expect(updates.recordUse(of: token(name), ofKey: "used", at: start) == true) }
        for number in 0..<(3 * KeyTokenUpdates.keysMax) {
            #expect(updates.recordUse(of: token("x"), ofKey: "\(number)", at: start) == true)
            #expect(updates.count <= KeyTokenUpdates.keysMax)
            guard number % 1000 == 0 else { continue }
            #expect(updates.recordUse(of: token("d"), ofKey: "used", at: start) == false)
        }
        #expect(updates.recordUse(of: token("y"), ofKey: "0", at: start) == true)
    }
}

@Suite("Changes of provider token")
struct TokenUpdatesTests {
    /// The results of using tokens, each given by its name and the seconds since the connection's start.
    private func answers(_ uses: [(token: String, seconds: Int)]) -> [Bool] {
        let start = Instant(seconds: 1_767_225_600)
        var updates = TokenUpdates()
        return uses.map { use in
            let token = AuthorizationValue(Array("bearer \(use.token)".utf8))
            return updates.recordUse(of: token, at: start.advanced(by: .seconds(use.seconds)))
        }
    }

    @Test("the first token is not a change, nor are the same bytes in another object")
    func sameToken() {
        #expect(answers([("a", 0), ("a", 0), ("a", 5), ("a", 5000)]) == [true, true, true, true])
    }

    @Test("one early change is allowed, and the next one is refused")
    func grace() {
        #expect(answers([("a", 0), ("b", 1), ("c", 2), ("d", 3)]) == [true, true, true, false])
    }

    @Test("the first change is never early, however soon it comes")
    func firstChange() {
        // If it counted as early, it would use up the grace, and "c" would be refused.
        #expect(answers([("a", 0), ("b", 0), ("c", 0)]) == [true, true, true])
    }

    @Test("a change is in time at exactly 1,200 seconds after the last one, and early at 1,199")
    func interval() {
        #expect(answers([("a", 0), ("b", 0), ("c", 1), ("d", 1200), ("d", 1201)]) == [true, true, true, false, true])
    }

    @Test("a refused change keeps the previous token and does not restart the interval")
    func refusedChange() {
        let uses = [("a", 0), ("b", 0), ("c", 0), ("d", 600), ("c", 601), ("d", 1200)]
        #expect(answers(uses) == [true, true, true, false, true, true])
    }

    @Test("going back to an earlier token is a change like any other")
    func alternating() {
        #expect(answers([("a", 0), ("b", 1), ("a", 2), ("b", 3)]) == [true, true, true, false])
    }

    @Test("changes every 20 minutes are always allowed")
    func regular() {
        #expect(answers((0..<20).map { ("\($0)", $0 * 1200) }) == Array(repeating: true, count: 20))
    }
}

@Suite("What a connection remembers of its credentials")
struct ConnectionTrustTests {
    @Test("a connection stays bound to its first team")
    func team() {
        var trust = ConnectionTrust()
        #expect(trust.team == nil)
        trust.bind(to: ProviderIdentity(team: "TEAM123456", keyID: "ABC123DEFG", issuedAt: Instant(milliseconds: 0)))
        trust.bind(to: ProviderIdentity(team: "OTHER12345", keyID: "ABC123DEFG", issuedAt: Instant(milliseconds: 0)))
        #expect(trust.team == "TEAM123456")
    }
}
