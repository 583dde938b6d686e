/// Provider certificates: making them, believing them, keeping account of them (`ProviderAPI#Certificates`).
extension TrustMaterial {
    /// The CAs whose provider certificates are believed, less what was revoked when this was read: Mynah's own and
    /// those of `--provider-ca`.
    package var providerAuthorities: ProviderAuthorities { authorities(with: ledger) }

    /// The same CAs, less what a ledger says was revoked.
    package func authorities(with ledger: CertificateLedger) -> ProviderAuthorities {
        ProviderAuthorities([authority.der] + providerCAs, revoked: ledger.revokedSerials)
    }

    /// Makes a key and a certificate that the CA signs; enters it nowhere.
    ///
    /// - Throws: ``TrustError`` when the CA's key is not at hand, or the certificate would outlive the CA.
    package func issueProvider(_ request: ProviderCertificateRequest) throws(TrustError) -> IssuedProviderCertificate {
        try authority.issueProvider(request)
    }

    /// Keeps a ledger in the state folder, joined with what another process has written there since.
    ///
    /// Nothing that was made or revoked is ever forgotten by this. Without a folder that can be written it does
    /// nothing.
    ///
    /// - Returns: Whether it is on disk now.
    /// - Throws: ``TrustError`` when the ledger there is broken, or writing fails.
    @discardableResult
    package func save(_ ledger: CertificateLedger) throws(TrustError) -> Bool {
        guard let stateDirectory else { return false }
        let folder = StateFolder(stateDirectory)
        return try folder.write(ledger.merging(folder.ledger()))
    }

    /// Changes the ledger in the state folder, while no other process can.
    ///
    /// Without a folder the change is made to ``ledger`` and is the caller's to keep.
    ///
    /// - Returns: The ledger after the change.
    /// - Throws: ``TrustError`` when the ledger there is broken, writing fails, or the folder cannot be written; and
    ///   what `change` throws, after which nothing is written.
    package func updateLedger(
        _ change: (inout CertificateLedger) throws(TrustError) -> Void
    ) throws(TrustError) -> CertificateLedger {
        var changed = ledger
        guard let stateDirectory else {
            try change(&changed)
            return changed
        }
        let folder = StateFolder(stateDirectory)
        changed = try folder.ledger()
        try change(&changed)
        guard try folder.write(changed) else {
            throw TrustError(
                .unwritable, file: stateDirectory,
                "cannot be written, so nothing is kept of provider certificates: \(folder.obstacle ?? "")",
                remedy: "Give permission, or name another folder by --state-dir")
        }
        return changed
    }
}
