package import APNsRules
internal import MynahCore
package import MynahTrust

/// What code under test needs: the CA to trust, and the generated key to sign with.
package struct Credentials: Hashable, Sendable {
    package let caPEM: String
    /// The id of the generated signing key; `nil` if the user gave keys, as is its PEM.
    package let keyID: String?
    package let teamID: String?
    /// PKCS #8.
    package let keyPEM: String?
}

/// A signing key as the control API shows it, without its private half (`Documents#Keys`); see ``NewKey``.
package struct KnownKey: Sendable {
    package let keyID: String
    package let team: String
    package let json: JSONValue

    fileprivate init(_ key: SigningKey) throws {
        (keyID, team) = (key.keyID, key.team)
        json = [
            "keyId": .string(key.keyID), "team": .string(key.team), "publicKey": .string(try key.publicKey.pem()),
            "environment": .string(key.scope.environment.rawValue),
            "topics": (key.scope.topics?.sorted()).map { .texts($0) } ?? .null,
            "related": .text(key.scope.relatedKeyID),
            "revokedAt": .text(key.revokedAt?.rfc3339), "hasPrivateKey": .bool(key.privateKey != nil),
        ]
    }
}

package struct AddedKey: Sendable {
    package let key: KnownKey
    /// The private half, PKCS #8 in PEM, if this server has just made it; shown once.
    package let privateKey: String?
    package let isNew: Bool

    fileprivate init(_ key: SigningKey, isMade: Bool, isNew: Bool) throws {
        self.key = try KnownKey(key)
        self.privateKey = isMade ? key.privateKey?.pem : nil
        self.isNew = isNew
    }
}

/// The signing keys (`ControlAPI#Endpoints`). Once a call that changes them returns, every later push sees it, on open
/// connections too; if it throws, nothing has changed.
extension Server {
    /// What `GET /v1/credentials` answers; never the CA's key or a key that the user gave.
    package var credentials: Credentials {
        let key = trust.developmentKey
        return Credentials(
            caPEM: trust.caPEM, keyID: key?.keyID, teamID: trust.primaryKey.team, keyPEM: key?.privateKey?.pem)
    }

    /// By id, revoked ones too.
    package var keys: [KnownKey] { get throws { try simulation.trust.keys.keys.map { try KnownKey($0) } } }
    package func key(_ keyID: String) throws -> KnownKey? { try simulation.trust.keys[keyID].map { try KnownKey($0) } }

    package func addKey(_ new: NewKey) async throws -> AddedKey {
        let key = try new.signingKey(team: trust.primaryKey.team)
        try await perform(AddKey(key: key.publicHalf))
        simulation.trust.keepPrivateHalf(of: key)
        try await publishTrust()
        return try AddedKey(key, isMade: new.material.isMade, isNew: true)
    }

    /// Replaces the key with an id, or adds it; a missing team and key stay as they were.
    package func replaceKey(_ keyID: String, by new: NewKey) async throws -> AddedKey {
        var new = new
        new.keyID = keyID
        let key = try new.signingKey(team: trust.primaryKey.team, inPlaceOf: simulation.trust.keys[keyID])
        let isNew = try await perform(ReplaceKey(key: key.publicHalf))
        simulation.trust.keepPrivateHalf(of: key)
        try await publishTrust()
        return try AddedKey(key, isMade: isNew && new.material.isMade, isNew: isNew)
    }

    /// Revokes a key; it stays known, because connections that used it get another answer (`ProviderAPI#Key-scopes`).
    package func revokeKey(_ keyID: String) async throws -> KnownKey? {
        let key = try await perform(RevokeKey(keyID: keyID))
        try await publishTrust()
        return try key.map { try KnownKey($0) }
    }

    /// Restores the keys of the start; returns how many others there were.
    package func resetKeys() async throws -> Int {
        let others = try await perform(ResetKeys())
        try await publishTrust()
        return others
    }

    /// Replaces the CAs of provider certificates and what they revoked; returns when every loop knows of it.
    package func changeAuthorities(_ authorities: ProviderAuthorities) async throws {
        simulation.trust.changeAuthorities(authorities)
        try await publishTrust()
    }

    /// Lets every connection judge its credential anew.
    func publishTrust() async throws { try await loops.update { $0.trustGeneration += 1 } }
}

package struct CertificateFailure: Error, Sendable, CustomStringConvertible {
    /// Whether the order is at fault; else the server's files are.
    package let isCallersFault: Bool
    package let description: String
}

/// Provider certificates; all calls throw ``CertificateFailure``, and `InputError` while a cluster can't be changed, and
/// for a bad signing request.
extension Server {
    /// The certificates that this server's CA issued, also by commands that share its state folder and by other servers of
    /// its cluster, the oldest first.
    package func certificateRecords() async throws -> [CertificateRecord] { try await withLedger { $0.items } }

    /// Issues a provider certificate, valid from the server's time on, and trusted at once, because the CA is.
    package func issueCertificate(_ order: CertificateOrder) async throws -> IssuedCertificate {
        // First, because an RSA key takes some time.
        let subject = try await WorkThreads.run {
            do throws(TrustError) { return try order.subject() } catch {
                guard order.signingRequest != nil else {
                    throw CertificateFailure(isCallersFault: false, description: error.description)
                }
                throw InputError(at: "/csr", "csr \(error.problem). \(error.remedy)")
            }
        }
        return try await withLedger { [now, trust] ledger in
            let issued = try trust.issue(order, for: subject, at: now)
            ledger.add(issued.certificate)
            return issued
        }
    }

    /// Revokes a certificate: when this returns, handshakes with it fail, and pushes on its open connections are
    /// refused with BadCertificate; `nil` if no certificate with this serial number is known.
    ///
    /// Another server of a cluster may finish a handshake with it that it begins meanwhile, and refuses the pushes.
    package func revokeCertificate(serialNumber: String) async throws -> CertificateRecord? {
        try await withLedger { [now] in $0.revoke(serialNumber: serialNumber, at: now) }
    }

    private func withLedger<Answer: Sendable>(
        _ body: @Sendable (inout CertificateLedger) throws -> Answer
    ) async throws -> Answer {
        do {
            let used = try await certificates.use(body)
            // First, because it can be refused, and then nothing has changed.
            if cluster != nil { for item in used.changes { try await perform(NoteCertificate(item: item)) } }
            if try await certificates.keep(used.ledger, isSaved: used.isSaved) { try await publishTrust() }
            return used.answer
        } catch let error as TrustError {
            throw CertificateFailure(isCallersFault: error.code == .badSetting, description: error.description)
        }
    }
}

/// The provider certificates of a server's CA; an actor, because a change reads and writes the state folder's ledger.
actor CertificateRegister {
    private let material: TrustMaterial
    private let trust: TrustStore
    private var ledger: CertificateLedger

    init(_ material: TrustMaterial, trust: TrustStore) {
        (self.material, self.trust, ledger) = (material, trust, material.ledger)
    }

    /// Has `body` use the ledger, with what commands wrote to the same folder and what the cluster knows.
    ///
    /// Returns the ledger after it, for ``keep(_:isSaved:)``, the entries that this server and its cluster didn't know, and
    /// whether the folder needs no change. Ledgers only grow, so another use may come before this one is kept.
    func use<Answer: Sendable>(
        _ body: @Sendable (inout CertificateLedger) throws -> Answer
    ) throws -> (answer: Answer, ledger: CertificateLedger, changes: [CertificateLedger.Item], isSaved: Bool) {
        let known = ledger.merging(trust.certificates)
        var changed = known
        if let folder = material.stateDirectory {
            changed = changed.merging(try CertificateLedger.read(stateDirectory: folder))
        }
        let found = changed
        let answer = try body(&changed)
        return (answer, changed, changed.changes(since: known), changed == found)
    }

    /// Puts a ledger into force, and writes it to the folder unless it is saved; returns whether it has changed.
    func keep(_ changed: CertificateLedger, isSaved: Bool) throws -> Bool {
        // Without a folder it holds until the server ends.
        if !isSaved { try material.save(changed) }
        let merged = ledger.merging(changed)
        guard merged != ledger else { return false }
        ledger = merged
        trust.changeAuthorities(material.authorities(with: ledger))
        return true
    }
}
