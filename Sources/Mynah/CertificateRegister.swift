internal import APNsRules
internal import MynahTrust

/// The provider certificates of a server's CA: issued, listed, revoked, one change at a time.
///
/// An actor, because a change reads and writes the state folder's ledger, and only the control plane asks.
actor CertificateRegister {
    private let material: TrustMaterial
    private let trust: TrustStore
    private var ledger: CertificateLedger

    init(_ material: TrustMaterial, trust: TrustStore) {
        self.material = material
        self.trust = trust
        self.ledger = material.ledger
    }

    /// All that were issued, the oldest first.
    func certificates() throws(TrustError) -> [CertificateRecord] {
        try reload()
        return ledger.items.map(CertificateRecord.init)
    }

    /// Issues one; it is believed at once, because the CA is.
    func issue(_ order: CertificateOrder, at now: Instant) throws(TrustError) -> IssuedCertificate {
        try reload()
        return try material.issue(order, into: &ledger, at: now)
    }

    /// Revokes one, for handshakes and on open connections.
    func revoke(_ serialNumber: String, at now: Instant) throws(TrustError) -> CertificateRecord? {
        try reload()
        guard ledger.items.contains(where: { $0.identity.serialNumber == serialNumber }) else { return nil }
        let revoked = try material.revoke([serialNumber], in: &ledger, at: now)
        enforce()
        return revoked.first
    }

    // Commands without a server write to the same folder.
    private func reload() throws(TrustError) {
        guard let current = try material.currentLedger(), current != ledger else { return }
        ledger = current
        enforce()
    }

    private func enforce() {
        trust.changeAuthorities(material.authorities(with: ledger))
    }
}
