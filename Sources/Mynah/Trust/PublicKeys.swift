internal import APNsRules
internal import MynahCore
internal import MynahTrust

/// The signing keys of a server without their private halves, as a snapshot has them.
struct PublicKeys: Sendable {
    /// The keys of the start, to which a reset returns.
    let atStart: [SigningKey]
    let now: [SigningKey]

    init(atStart: SigningKeyRing, now: SigningKeyRing) {
        self.atStart = atStart.keys.map(\.publicHalf)
        self.now = now.keys.map(\.publicHalf)
    }

    private init(atStart: [SigningKey], now: [SigningKey]) {
        self.atStart = atStart
        self.now = now
    }

    /// The keys after a start with other keys: keys that calls have added, replaced or revoked since the earlier start
    /// stay as they are, also where the new start has a key with the same id; all others were the earlier start's and
    /// are removed.
    func started(with keys: [SigningKey]) -> PublicKeys {
        let before = SigningKeyRing(atStart)
        let start = keys.map(\.publicHalf)
        let changed = now.filter { before[$0.keyID] != $0 }
        return PublicKeys(atStart: SigningKeyRing(start).keys, now: SigningKeyRing(start + changed).keys)
    }
}

extension PublicKeys: ByteRecord {
    static let members = ByteMembers(PublicKeys.init) { ($0.atStart, $0.now) }
}

extension SigningKey: ByteRecord {
    static let members = CheckedMembers(
        SigningKey.init(keyID:team:point:scope:revokedAt:), problem: { "a signing key is damaged: \($0.problem)" }
    ) { ($0.keyID, $0.team, $0.publicKey.point, $0.scope, $0.revokedAt) }

    init(
        keyID: String, team: String, point: [UInt8], scope: KeyScope, revokedAt: Instant?
    ) throws(TrustError) {
        let key = try P256PublicKey(point: point)
        try self.init(keyID: keyID, team: team, publicKey: key, scope: scope, revokedAt: revokedAt)
    }
}
