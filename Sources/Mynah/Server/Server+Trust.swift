package import APNsRules
package import MynahCore
package import MynahTrust

/// What code under test needs: the CA to trust, and the generated key to sign with.
package struct Credentials: Hashable, Sendable {
    package let caPEM: String
    /// The id of the generated signing key; `nil` if the user gave keys, as is its PEM.
    package let keyID: String?
    package let teamID: String?
    /// PKCS #8.
    package let keyPEM: String?

    package var json: JSONValue { .object(Credentials.fields.members(of: self)) }

    package static let fields: Fields<Credentials> = [
        Field(shown: "ca", .anyText, "PEM.") { .string($0.caPEM) },
        Field(shown: "keyId", .nullableText.described("The signing key's ID.")) { .text($0.keyID) },
        Field(shown: "teamId", .nullableText.described("The ID of the team.")) { .text($0.teamID) },
        Field(shown: "key", .nullableText, "PKCS #8 in PEM; null if the keys are the user's own.") {
            .text($0.keyPEM)
        },
    ]
}

/// A signing key as the control API shows it, without its private half (`Documents#Keys`); see ``NewKey``.
package struct KnownKey: Sendable {
    private let key: SigningKey

    fileprivate init(_ key: SigningKey) { self.key = key }

    package var keyID: String { key.keyID }
    package var team: String { key.team }

    package var json: JSONValue { .object(KnownKey.fields.members(of: self)) }

    package static let fields: Fields<KnownKey> = [
        Field(shown: "keyId", .anyText, "The signing key's ID.") { .string($0.key.keyID) },
        Field(shown: "team", .anyText, "The ID of the team.") { .string($0.key.team) },
        Field(shown: "publicKey", .anyText, "PEM.") { .string($0.key.publicKey.pem) },
        Field(
            shown: "environment", .choice(EnvironmentScope.self), "The environments in which it is valid."
        ) { .string($0.key.scope.environment.rawValue) },
        Field(
            shown: "topics", .nullable(.array(of: .anyText)), "The topics that it is for; null for all of the team."
        ) { key in (key.key.scope.topics?.sorted()).map { .texts($0) } ?? .null },
        Field(
            shown: "related", .nullableText,
            "The topic-specific key of the same team and environment that may share a connection with it; null for none."
        ) { .text($0.key.scope.relatedKeyID) },
        Field(shown: "revokedAt", .nullable(.time), "When it was revoked; null if it is valid.") {
            .text($0.key.revokedAt?.rfc3339)
        },
        Field(shown: "canSign", .bool, "Whether the server has the private key, which it never returns again.") {
            .bool($0.key.privateKey != nil)
        },
    ]
}

package struct AddedKey: Sendable {
    package let key: KnownKey
    /// The private half, PKCS #8 in PEM, if this server has just made it; shown once.
    package let privateKey: String?
    package let isNew: Bool

    package var json: JSONValue { .object(AddedKey.fields.members(of: self)) }

    package static let fields: Fields<AddedKey> =
        KnownKey.fields.shown(\.key) + [
            // Only here, and only for a key that the server generated for this caller.
            Field(
                shown: "privateKey", .anyText, "PKCS #8 in PEM, if the server generated the key; returned only here.",
                where: { $0.privateKey != nil }, json: { .text($0.privateKey) })
        ]

    fileprivate init(_ key: SigningKey, isMade: Bool, isNew: Bool) {
        self.key = KnownKey(key)
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

    /// The provider keys in the order of their ids, including revoked ones.
    package var keys: [KnownKey] { simulation.trust.keys.keys.map { KnownKey($0) } }
    package func key(_ keyID: String) -> KnownKey? { simulation.trust.keys[keyID].map { KnownKey($0) } }

    package func addKey(_ new: NewKey) async throws -> AddedKey {
        let key = try new.signingKey(team: trust.primaryKey.team)
        try await perform(AddKey(key: key.publicHalf))
        simulation.trust.keepPrivateHalf(of: key)
        try await publishTrust()
        return AddedKey(key, isMade: new.material.isMade, isNew: true)
    }

    /// Replaces the key with an id, or adds it; a missing team and key stay as they were.
    package func replaceKey(_ keyID: String, by new: NewKey) async throws -> AddedKey {
        var new = new
        new.keyID = keyID
        let key = try new.signingKey(team: trust.primaryKey.team, inPlaceOf: simulation.trust.keys[keyID])
        let isNew = try await perform(ReplaceKey(key: key.publicHalf))
        simulation.trust.keepPrivateHalf(of: key)
        try await publishTrust()
        return AddedKey(key, isMade: isNew && new.material.isMade, isNew: isNew)
    }

    /// Revokes a key; it stays known, because connections that used it get another answer (`ProviderAPI#Key-scopes`).
    package func revokeKey(_ keyID: String) async throws -> KnownKey? {
        let key = try await perform(RevokeKey(keyID: keyID))
        try await publishTrust()
        return key.map { KnownKey($0) }
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

/// Provider certificates.
///
/// All calls throw `InputError`: for an order that is wrong as a whole, for a bad signing request, of the kind `failed`
/// because of the server's files, and while the order takes no changes.
extension Server {
    /// The certificates that this server's CA issued, also by commands that share its state folder, and those that the
    /// order has made known, the oldest first.
    package func certificateRecords() async throws -> [CertificateRecord] {
        try await withRegister { (register: isolated CertificateRegister) throws(TrustError) in
            try register.all()
        }.items
    }

    /// The certificate with a serial number; `nil` if none is known.
    package func certificateRecord(serialNumber: String) async throws -> CertificateRecord? {
        try await withRegister { (register: isolated CertificateRegister) throws(TrustError) in
            try register.item(serialNumber)
        }
    }

    /// Issues a provider certificate, valid from the server's time on, and trusted at once, because the CA is.
    package func issueCertificate(_ order: CertificateOrder) async throws -> IssuedCertificate {
        // First, because an RSA key takes some time.
        let subject = try await WorkThreads.run {
            do throws(TrustError) { return try order.subject() } catch {
                guard order.signingRequest != nil else {
                    throw InputError(.failed, error.description)
                }
                throw InputError(at: "/csr", "csr \(error.problem). \(error.remedy)")
            }
        }
        let issued = try await InputError.certifying { () throws(TrustError) in
            try trust.issue(order, for: subject, at: now)
        }
        try await keep(issued.certificate)
        return issued
    }

    /// Revokes a certificate: when this returns, handshakes with it fail, and pushes on its open connections are
    /// refused with BadCertificate; `nil` if no certificate with this serial number is known.
    ///
    /// Where a shared order applies the revocation later, a handshake with it that begins meanwhile may be finished, and
    /// then the pushes are refused.
    package func revokeCertificate(serialNumber: String) async throws -> CertificateRecord? {
        guard let item = try await certificateRecord(serialNumber: serialNumber) else { return nil }
        guard item.revokedAt == nil else { return item }
        let revoked = item.revoked(at: now)
        try await keep(revoked)
        return revoked
    }

    private func keep(_ item: CertificateRecord) async throws {
        // First, because it can be refused, and then nothing has changed.
        if certificates.isNoted { try await perform(NoteCertificate(item: item)) }
        try await InputError.certifying { () async throws(TrustError) in try await certificates.keep(item) }
        if item.revokedAt != nil { try await publishTrust() }
    }

    /// Has `body` use the register, and tells the order and the loops what it found in the folder.
    private func withRegister<Answer: Sendable>(
        _ body: @Sendable (isolated CertificateRegister) throws(TrustError) -> Answer
    ) async throws -> Answer {
        let answer = try await InputError.certifying { () async throws(TrustError) in
            try await body(certificates)
        }
        for item in await certificates.unnoted {
            try await perform(NoteCertificate(item: item))
            await certificates.noted(item)
        }
        if await certificates.takeChange() { try await publishTrust() }
        return answer
    }
}

extension InputError {
    /// Converts the error of work on certificates.
    ///
    /// Each member of an order has been checked before, so that what is wrong is the whole.
    fileprivate static func certifying<Answer: Sendable>(
        _ body: () async throws(TrustError) -> Answer
    ) async throws(InputError) -> Answer {
        do { return try await body() } catch {
            throw InputError(error.code == .badSetting ? .invalid : .failed, error.description)
        }
    }
}

/// The provider certificates of a server's CA; an actor, because a change reads and writes the state folder's ledger.
///
/// To issue one, and to revoke one that was issued since the server's start, takes the same time however many there are;
/// the first call that needs others reads the folder's whole ledger, and later ones what was added to it.
actor CertificateRegister {
    private let trust: TrustStore
    /// Whether each entry is noted in the order as well (``NoteCertificate``), as a shared one needs it.
    nonisolated let isNoted: Bool
    // What was added to the ledger since the start, and all of it, once a call needs that.
    private var recent: LedgerFile
    private var whole: LedgerFile?
    private var readCount = 0
    private var notedCount = 0
    private var hasChanged = false
    /// What others wrote to the folder, and has to be noted.
    private(set) var unnoted: [CertificateRecord] = []

    init(_ material: TrustMaterial, trust: TrustStore, isNoted: Bool) {
        self.trust = trust
        self.isNoted = isNoted
        recent = material.ledgerFile
    }

    /// All certificates, with what commands wrote to the same folder and what has been noted.
    func all() throws(TrustError) -> CertificateLedger {
        // Moved out of the property, so that changing it doesn't copy it.
        var file = whole ?? recent.whole
        whole = nil
        defer { whole = file }
        try file.readOn()
        let found = file.ledger.changes(after: readCount)
        let noted = trust.certificates(after: notedCount, besides: isNoted ? found : [])
        unnoted += noted.unknown
        let unsaved = noted.changed.filter { !file.ledger.has($0) }
        if !unsaved.isEmpty {
            try file.append(unsaved)
            try file.readOn()
        }
        readCount = file.ledger.changeCount
        notedCount = noted.count
        if trust.revoke(found) { hasChanged = true }
        return file.ledger
    }

    func item(_ serialNumber: String) throws(TrustError) -> CertificateRecord? {
        if whole == nil, !isNoted {
            let count = recent.ledger.changeCount
            try recent.readOn()
            if trust.revoke(recent.ledger.changes(after: count)) { hasChanged = true }
            if let item = recent.ledger[serialNumber] { return item }
        }
        return try all()[serialNumber]
    }

    /// Puts an entry into force, and adds it to the folder's ledger.
    func keep(_ item: CertificateRecord) throws(TrustError) {
        if whole == nil { try recent.append([item]) } else { try whole?.append([item]) }
        _ = trust.revoke([item])
    }

    func noted(_ item: CertificateRecord) { unnoted.removeAll { $0 == item } }

    /// Whether a certificate was revoked since the last time.
    func takeChange() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }
}
