/// Issuing, accepting and recording provider certificates (`ProviderAPI#Certificates`).
extension TrustMaterial {
    /// The CAs whose provider certificates are accepted, Mynah's own and those of `--provider-ca`, and what was revoked
    /// at the time of reading.
    package var providerAuthorities: ProviderAuthorities { authorities(with: ledger) }

    /// The same CAs with the revocations of a ledger.
    package func authorities(with ledger: CertificateLedger) -> ProviderAuthorities {
        ProviderAuthorities([authority.der] + providerCAs, revoked: ledger.revokedSerials)
    }

    /// Makes a key and a certificate signed by the CA, without an entry in the ledger.
    ///
    /// - Throws: ``TrustError`` if the CA's key is missing, or the certificate would outlive the CA.
    package func issueProvider(_ request: ProviderCertificateRequest) throws(TrustError) -> IssuedProviderCertificate {
        try authority.issueProvider(request)
    }

    /// Merges a ledger into the one in the state folder, which another process may have changed.
    ///
    /// Does nothing without a writable folder.
    ///
    /// - Returns: Whether the ledger is on disk now.
    /// - Throws: ``TrustError`` if the ledger in the folder is broken, or writing fails.
    @discardableResult
    package func save(_ ledger: CertificateLedger) throws(TrustError) -> Bool {
        guard let stateDirectory else { return false }
        let folder = StateFolder(stateDirectory)
        return try folder.write(ledger.merging(folder.ledger()))
    }

    /// Changes the ledger in the state folder, under its lock.
    ///
    /// Without a folder, changes a copy of ``ledger``, which the caller keeps.
    ///
    /// - Returns: The changed ledger.
    /// - Throws: ``TrustError`` if the ledger in the folder is broken or can't be written; rethrows the errors of
    ///   `change`, after which nothing is written.
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
                "cannot be written, so no provider certificate can be recorded: \(folder.obstacle ?? "")",
                remedy: "Give permission, or name another folder with --state-dir")
        }
        return changed
    }
}
