internal import APNsRules
internal import MynahCore
internal import MynahTrust

/// Makes a key known; throws if its id is taken, or its related key doesn't belong to it.
struct AddKey: Command {
    static let changesVerdicts = true
    /// The key without its private half, which the caller adds once the key is known.
    let key: SigningKey

    func apply(to simulation: Simulation) throws(InputError) {
        try simulation.trust.changeKey(key.keyID) { ring throws(InputError) in try ring.add([key], places: [""]) }
    }
}

/// Replaces the key with an id, or adds it; returns whether it is new.
struct ReplaceKey: Command {
    static let changesVerdicts = true
    /// The key without its private half, which the caller adds once the key is known.
    let key: SigningKey

    func apply(to simulation: Simulation) throws(InputError) -> Bool {
        try simulation.trust.changeKey(key.keyID) { ring throws(InputError) in
            let isNew = ring[key.keyID] == nil
            try ring.replace(key)
            return isNew
        }
    }
}

/// Revokes a key, which stays known; returns it, or `nil` without one.
struct RevokeKey: Command {
    static let changesVerdicts = true
    let keyID: String

    func apply(to simulation: Simulation) -> SigningKey? {
        let now = simulation.now
        return simulation.trust.changeKey(keyID) { $0.revoke(keyID: keyID, at: now) }
    }
}

/// Restores the keys of the start; returns how many others there were.
struct ResetKeys: Command {
    static let changesVerdicts = true
    func apply(to simulation: Simulation) -> Int { simulation.trust.resetKeys() }
}

/// Makes a provider certificate known that was issued or revoked, wherever the order is applied; a revocation is final.
struct NoteCertificate: Command {
    static let changesVerdicts = true
    let item: CertificateLedger.Item

    func apply(to simulation: Simulation) { simulation.trust.addCertificate(item) }
}

/// In a log, the bytes of the certificate stand for what is read from them.
extension NoteCertificate {
    private struct Record: Codable {
        let certificate: String
        let issuedAt: Instant
        let revokedAt: Instant?
    }

    init(from decoder: any Decoder) throws {
        let record = try Record(from: decoder)
        do throws(CertificateFault) {
            item = try CertificateLedger.Item(
                der: Base64.decode(record.certificate.utf8)?.bytes ?? [], issuedAt: record.issuedAt,
                revokedAt: record.revokedAt)
        } catch {
            throw InputError(at: "/certificate", "a certificate can't be read: \(error.problem)")
        }
    }

    func encode(to encoder: any Encoder) throws {
        try Record(certificate: Base64.encode(item.der), issuedAt: item.issuedAt, revokedAt: item.revokedAt)
            .encode(to: encoder)
    }
}

/// Makes the keys of a start known, and the keys to which a reset returns, in place of the keys of the start before;
/// keys that calls have added, replaced or revoked stay as they are.
struct StartKeys: Command {
    static let changesVerdicts = true
    /// The keys without their private halves, which ``TrustStore/ownKeys`` have.
    let keys: [SigningKey]

    func apply(to simulation: Simulation) { simulation.trust.start(with: keys) }
}

/// In a log, the public half alone, with its point in base64.
extension SigningKey: CommandPart {
    private struct Record: Codable {
        let keyId: String
        let team: String
        let publicKey: String
        let environment: EnvironmentScope
        let topics: [String]?
        let related: String?
        let revokedAt: Instant?
    }

    package init(kept json: JSONValue, at place: String) throws(InputError) {
        let record = try DocumentDecoder.read(Record.self, from: json, at: place)
        let scope = KeyScope(
            environment: record.environment, topics: record.topics.map { Set($0) }, relatedKeyID: record.related)
        do throws(TrustError) {
            try self.init(
                keyID: record.keyId, team: record.team, point: Base64.decode(record.publicKey.utf8)?.bytes ?? [],
                scope: scope, revokedAt: record.revokedAt)
        } catch {
            throw InputError(at: place, "a key can't be read: \(error.problem)")
        }
    }

    package var json: JSONValue {
        DocumentEncoder.document(
            of: Record(
                keyId: keyID, team: team, publicKey: Base64.encode(publicKey.point), environment: scope.environment,
                topics: scope.topics?.sorted(), related: scope.relatedKeyID, revokedAt: revokedAt))
    }
}

extension CommandKind {
    static let keys: Numbered = [
        43: AddKey.self,
        44: ReplaceKey.self,
        45: RevokeKey.self,
        46: ResetKeys.self,
        49: StartKeys.self,
        51: NoteCertificate.self,
    ]
}
