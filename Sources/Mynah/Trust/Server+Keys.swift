internal import APNsRules
internal import MynahCore
package import MynahTrust

/// A key that was made known.
public struct AddedKey: Sendable {
    /// The key.
    public let key: KnownKey
    /// The private half, PKCS #8 in PEM, where this server has just made it; told once.
    public let privateKey: String?
    /// Whether no key had its id before.
    public let isNew: Bool
}

/// The signing keys (`ControlAPI#Endpoints`).
///
/// Whatever changes them answers when every loop knows of it: every later push sees it, on open connections too.
extension Server {
    /// All keys, revoked ones too, by id.
    public var keys: [KnownKey] {
        get throws { try core.trust.keys.keys.map { try KnownKey($0) } }
    }

    /// The key of an id; `nil` when there is none.
    public func key(_ keyID: String) throws -> KnownKey? {
        try core.trust.keys[keyID].map { try KnownKey($0) }
    }

    /// Makes a key known.
    ///
    /// - Throws: ``InputError`` when it can't be taken; nothing has changed then.
    public func addKey(_ new: NewKey) async throws -> AddedKey {
        let team = trust.primaryKey.team
        let made: (key: SigningKey, isMade: Bool) = try await changeKeys { ring throws(InputError) in
            let known = ring
            ring = try ring.adding([new], team: team, places: [""])
            guard let key = ring.keys.first(where: { known[$0.keyID] == nil }) else {
                preconditionFailure("a key that was taken is in the ring")
            }
            if case .made = new.material { return (key, true) }
            return (key, false)
        }
        return AddedKey(
            key: try KnownKey(made.key), privateKey: made.isMade ? made.key.privateKey?.pem : nil, isNew: true)
    }

    /// Puts a key in the place of the one with its id, or adds it; what `new` says counts anew, save that a missing
    /// team and key stay as they were.
    ///
    /// - Throws: ``InputError`` when it can't be taken; nothing has changed then.
    public func replaceKey(_ keyID: String, by new: NewKey) async throws -> AddedKey {
        let team = trust.primaryKey.team
        let (key, isNew): (SigningKey, Bool) = try await changeKeys { ring throws(InputError) in
            let isNew = ring[keyID] == nil
            ring = try ring.replacing(keyID, by: new, team: team)
            guard let key = ring[keyID] else { preconditionFailure("a key that was taken is in the ring") }
            return (key, isNew)
        }
        var isMade = false
        if case .made = new.material { isMade = isNew }
        return AddedKey(key: try KnownKey(key), privateKey: isMade ? key.privateKey?.pem : nil, isNew: isNew)
    }

    /// Revokes a key; `nil` when there is none.
    ///
    /// It stays known, so that connections that used it are told from others (`ProviderAPI#Key-scopes`).
    public func revokeKey(_ keyID: String) async throws -> KnownKey? {
        let now = now
        let key: SigningKey? = try await changeKeys { ring in
            ring = ring.revoking(keyID: keyID, at: now) ?? ring
            return ring[keyID]
        }
        return try key.map { try KnownKey($0) }
    }

    /// Back to the keys after the start; answers how many others there were.
    public func resetKeys() async throws -> Int {
        let others = core.trust.resetKeys()
        try await publishTrust()
        return others
    }

    /// Replaces the CAs of provider certificates and what they revoked; returns when every loop knows of it.
    package func changeAuthorities(_ authorities: ProviderAuthorities) async throws {
        core.trust.changeAuthorities(authorities)
        try await publishTrust()
    }

    private func changeKeys<Answer: Sendable, Failure: Error>(
        _ change: (inout SigningKeyRing) throws(Failure) -> Answer
    ) async throws -> Answer {
        let answer = try core.trust.changeKeys(change)
        try await publishTrust()
        return answer
    }

    /// Makes every connection ask again what its credential is worth.
    private func publishTrust() async throws {
        try await loops.update { $0.trustGeneration += 1 }
    }
}

extension KnownKey {
    fileprivate init(_ key: SigningKey) throws {
        self.init(
            keyID: key.keyID, team: key.team, publicKey: try key.publicKey.pem(), environment: key.scope.environment,
            topics: key.scope.topics?.sorted(), related: key.scope.relatedKeyID, revokedAt: key.revokedAt,
            hasPrivateKey: key.privateKey != nil)
    }
}
