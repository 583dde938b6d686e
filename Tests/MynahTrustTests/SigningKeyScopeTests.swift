import APNsRules
import Testing

@testable import MynahTrust

/// Scope and revocation of signing keys, in the ring and in its verdicts (`ProviderAPI#Key-scopes`).
@Suite("Signing keys with scopes")
struct SigningKeyScopeTests {
    private static let now = Instant(milliseconds: 1_767_225_600_000)
    private let scope = KeyScope(environment: .sandbox, topics: ["com.example.app"], relatedKeyID: "OTHER12345")

    @Test("a verdict carries the key's scope")
    func scopeOfVerdict() throws {
        let key = try SigningKey.generate(scope: scope)
        let ring = SigningKeyRing([key])
        guard case .token(let identity) = ring.verdict(on: try token(of: key)) else {
            Issue.record("the token was refused")
            return
        }
        #expect(identity.scope == scope)
        #expect(identity.keyID == key.keyID)
    }

    @Test("a key without a scope is the whole team's")
    func team() throws {
        #expect(try SigningKey.generate().scope == .team)
    }

    @Test("a revoked key is still known: a forged signature differs from its own")
    func revoked() throws {
        let key = try SigningKey.generate(scope: scope)
        let good = try token(of: key)
        var ring = SigningKeyRing([key])
        ring.revoke(keyID: key.keyID, at: Self.now)
        #expect(ring[key.keyID]?.revokedAt == Self.now)
        guard case .revokedKey(let identity) = ring.verdict(on: good) else {
            Issue.record("the verdict is \(ring.verdict(on: good))")
            return
        }
        #expect(identity.scope == scope)
        // The same id, signed by another key.
        let forged = try SigningKey(keyID: key.keyID, team: key.team, privateKey: .generate())
        guard case .invalid(let refusal) = ring.verdict(on: try token(of: forged)) else {
            Issue.record("a forged token passed")
            return
        }
        #expect(refusal.reason == .invalidProviderToken)
        // Structural authentication doesn't look at the keys.
        guard case .token = ring.verdict(on: good, authentication: .structural) else {
            Issue.record("a well-formed token was refused")
            return
        }
    }

    @Test("a key is revoked once, at the first time given; an unknown id is ignored")
    func revokedOnce() throws {
        let key = try SigningKey.generate()
        var ring = SigningKeyRing([key])
        ring.revoke(keyID: key.keyID, at: Self.now)
        ring.revoke(keyID: key.keyID, at: Self.now.advanced(by: .seconds(1)))
        #expect(ring[key.keyID]?.revokedAt == Self.now)
        let unknown = ring.revoke(keyID: "NOBODY1234", at: Self.now)
        #expect(unknown == nil)
    }

    @Test("adding a key replaces the one with the same id")
    func replaced() throws {
        let key = try SigningKey.generate()
        var narrowed = key
        narrowed.scope = scope
        let ring = SigningKeyRing([key]).adding(narrowed)
        #expect(ring.keys.count == 1)
        #expect(ring[key.keyID]?.scope == scope)
        #expect(ring[key.keyID]?.privateKey != nil)
    }

    private func token(of key: SigningKey) throws -> AuthorizationValue {
        AuthorizationValue(Array("bearer \(try key.token(issuedAt: Self.now))".utf8))
    }
}
