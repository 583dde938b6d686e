internal import APNsRules
internal import MynahTrust

/// The provider certificates of a server's CA.
///
/// An actor, because a change reads and writes the state folder's ledger.
actor CertificateRegister {
    private let material: TrustMaterial
    private let trust: TrustStore
    private let loops: LoopStates
    private var ledger: CertificateLedger

    init(_ material: TrustMaterial, trust: TrustStore, loops: LoopStates) {
        self.material = material
        self.trust = trust
        self.loops = loops
        self.ledger = material.ledger
    }

    /// All certificates, the oldest first.
    func certificates() async throws -> [CertificateRecord] {
        try await reload()
        return ledger.items.map(CertificateRecord.init)
    }

    /// Issues a certificate, which is trusted at once, because the CA is.
    func issue(_ order: CertificateOrder, at now: Instant) async throws -> IssuedCertificate {
        let issued = try material.issue(order, at: now)
        try await reload { $0.add(issued.certificate.item) }
        return issued
    }

    /// Revokes a certificate, for handshakes and on open connections; returns when every loop knows.
    func revoke(_ serialNumber: String, at now: Instant) async throws -> CertificateRecord? {
        var revoked: CertificateLedger.Item?
        try await reload { revoked = $0.revoke(serialNumber: serialNumber, at: now) }
        return revoked.map(CertificateRecord.init)
    }

    /// Merges what commands wrote to the same folder, changes the ledger, and puts it into force.
    private func reload(_ change: (inout CertificateLedger) -> Void = { _ in }) async throws {
        var changed = ledger
        if let folder = material.stateDirectory {
            changed = changed.merging(try CertificateLedger.read(stateDirectory: folder))
        }
        let found = changed
        change(&changed)
        // Without a folder it holds until the server ends.
        if changed != found { try material.save(changed) }
        guard changed != ledger else { return }
        ledger = changed
        // The store first, without suspending, so that of two changes the later one stays.
        trust.changeAuthorities(material.authorities(with: ledger))
        try await loops.update { $0.trustGeneration += 1 }
    }
}
