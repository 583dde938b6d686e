internal import APNsRules
internal import MynahTrust

/// The provider certificates of a server's CA: issued, listed, revoked, one change at a time.
///
/// An actor, because a change reads and writes the state folder's ledger, and only the control plane asks.
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

    /// All that were issued, the oldest first.
    func certificates() async throws -> [CertificateRecord] {
        try await reload()
        return ledger.items.map(CertificateRecord.init)
    }

    /// Issues one; it is believed at once, because the CA is.
    func issue(_ order: CertificateOrder, at now: Instant) async throws -> IssuedCertificate {
        try await reload()
        return try material.issue(order, into: &ledger, at: now)
    }

    /// Revokes one, for handshakes and on open connections; returns when every loop knows of it.
    func revoke(_ serialNumber: String, at now: Instant) async throws -> CertificateRecord? {
        try await reload()
        guard ledger.items.contains(where: { $0.identity.serialNumber == serialNumber }) else { return nil }
        let revoked = try material.revoke([serialNumber], in: &ledger, at: now)
        try await enforce()
        return revoked.first
    }

    // Commands without a server write to the same folder.
    private func reload() async throws {
        guard let current = try material.currentLedger(), current != ledger else { return }
        ledger = current
        try await enforce()
    }

    // The store first, and without a pause: of two changes the later one stays.
    private func enforce() async throws {
        trust.changeAuthorities(material.authorities(with: ledger))
        try await loops.update { $0.trustGeneration += 1 }
    }
}
