import APNsRules
import MynahCore
import MynahTrust
import Testing

@testable import Mynah

@Suite("Keys over a start with others")
struct KeyStartTests {
    private static func key(_ keyID: String, _ scope: KeyScope = .team) throws -> SigningKey {
        try SigningKey(keyID: keyID, team: "TEAM123456", privateKey: .generate(), scope: scope)
    }

    private static func ids(_ keys: [SigningKey]) -> [String] { keys.map(\.keyID) }

    @Test("those of the earlier start go, and those that calls made stay")
    func started() throws {
        let old = try Self.key("OLD0000000")
        let new = try Self.key("NEW0000000")
        let added = try Self.key("ADDED00000")
        let replaced = try Self.key("REPLACED00")
        let replacement = try Self.key("REPLACED00")
        let revoked = try Self.key("REVOKED000")
        let atStart = SigningKeyRing([old, replaced, revoked])
        let revocation = Instant(seconds: 5)
        var changed = atStart
        changed.revoke(keyID: revoked.keyID, at: revocation)
        let now = changed.adding(replacement).adding(added)
        let keys = PublicKeys(atStart: atStart, now: now).started(with: [new])
        #expect(Self.ids(keys.atStart) == ["NEW0000000"])
        #expect(Self.ids(keys.now) == ["ADDED00000", "NEW0000000", "REPLACED00", "REVOKED000"])
        let ring = SigningKeyRing(keys.now)
        #expect(ring["REPLACED00"]?.publicKey == replacement.publicKey)
        #expect(ring["REVOKED000"]?.revokedAt == revocation)
        #expect((keys.atStart + keys.now).allSatisfy { $0.privateKey == nil })
    }

    @Test("with the same keys changes nothing")
    func same() throws {
        let start = [try Self.key("ONE0000000"), try Self.key("TWO0000000")]
        var now = SigningKeyRing(start)
        now.revoke(keyID: "TWO0000000", at: Instant(seconds: 5))
        let before = PublicKeys(atStart: SigningKeyRing(start), now: now)
        let after = before.started(with: start)
        #expect(after.atStart == before.atStart)
        #expect(after.now == before.now)
        #expect(after.started(with: start).now == before.now)
    }

    @Test("a call's key counts more than one of the start with its id")
    func sameID() throws {
        let start = try Self.key("SAME000000")
        let called = try Self.key("SAME000000")
        let keys = PublicKeys(atStart: SigningKeyRing(), now: SigningKeyRing([called])).started(with: [start])
        #expect(keys.now == [called.publicHalf])
        #expect(keys.atStart == [start.publicHalf])
    }

    @Test("a key of the earlier start that is another one at the new start, or of another scope, is replaced")
    func changedKey() throws {
        let old = try Self.key("SAME000000")
        let new = try Self.key("SAME000000")
        let narrow = SigningKey.withScope(new, KeyScope(environment: .sandbox, topics: nil))
        for start in [new, narrow] {
            let ring = SigningKeyRing([old])
            #expect(PublicKeys(atStart: ring, now: ring).started(with: [start]).now == [start.publicHalf])
        }
    }

    @Test("a command does it, and finds the private halves that this process has")
    func command() throws {
        let old = try Self.key("OLD0000000")
        let new = try Self.key("NEW0000000")
        let added = try Self.key("ADDED00000")
        let world = try CommandWorld(log: MemoryLog(), keys: [old])
        try world.perform(AddKey(key: added.publicHalf))
        let pieces = try world.snapshotPieces()
        let simulation = CommandWorld.simulation(keys: [new])
        simulation.restore(try CommandWorld.snapshot(of: pieces, for: simulation))
        #expect(Self.ids(simulation.trust.keys.keys) == ["ADDED00000", "OLD0000000"])
        StartKeys(keys: simulation.trust.ownKeys.map(\.publicHalf)).apply(to: simulation)
        #expect(Self.ids(simulation.trust.keys.keys) == ["ADDED00000", "NEW0000000"])
        #expect(simulation.trust.keys["NEW0000000"]?.privateKey != nil)
        #expect(simulation.trust.keys["ADDED00000"]?.privateKey == nil)
        #expect(simulation.trust.resetKeys() == 1)
        #expect(Self.ids(simulation.trust.keys.keys) == ["NEW0000000"])
        #expect(simulation.trust.keys["NEW0000000"]?.privateKey != nil)
    }

    @Test("a command of a log is the same for a process that has no private halves")
    func replayed() throws {
        let old = try Self.key("OLD0000000")
        let new = try Self.key("NEW0000000")
        let log = MemoryLog()
        let world = try CommandWorld(log: log, keys: [old])
        try world.perform(StartKeys(keys: [new.publicHalf]))
        try world.carryOut()
        let other = try CommandWorld(replaying: log, of: world)
        #expect(other.simulation.trust.keys.keys == [new.publicHalf])
        #expect(other.order?.digest == world.order?.digest)
    }

    @Test("verdicts on tokens are those of the new keys")
    func verdicts() throws {
        let old = try Self.key("OLD0000000")
        let new = try Self.key("NEW0000000")
        let trust = TrustStore(keys: SigningKeyRing([old]), authentication: .strict)
        func isTrusted(_ key: SigningKey) throws -> Bool {
            let token = try key.token(issuedAt: Instant(seconds: 1_795_253_400))
            let judged = trust.judge(AuthorizationValue(Array("bearer \(token)".utf8)))
            if case .token = judged.verdict { return true }
            return false
        }
        #expect(try isTrusted(old))
        #expect(try !isTrusted(new))
        trust.start(with: [new.publicHalf])
        #expect(try !isTrusted(old))
        #expect(try isTrusted(new))
    }
}

extension SigningKey {
    fileprivate static func withScope(_ key: SigningKey, _ scope: KeyScope) -> SigningKey {
        var key = key
        key.scope = scope
        return key
    }
}
