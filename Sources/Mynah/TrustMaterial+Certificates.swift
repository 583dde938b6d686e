package import APNsRules
package import MynahTrust

extension TrustMaterial {
    /// Issues a provider certificate, and keeps it in a ledger, on disk too where there is a state folder.
    ///
    /// - Throws: `TrustError`: the CA's key is not there, the ledger can't be written, a topic that no certificate
    ///   can have.
    package func issue(
        _ order: CertificateOrder, into ledger: inout CertificateLedger, at now: Instant
    ) throws(TrustError) -> IssuedCertificate {
        let issued = try issueProvider(try order.request(now: now))
        let pkcs12 = try issued.pkcs12(password: order.password)
        let item = CertificateLedger.Item(
            identity: issued.identity, certificatePEM: issued.certificatePEM, issuedAt: now)
        var changed = ledger
        changed.add(item)
        try save(changed)
        ledger = changed
        return IssuedCertificate(
            certificate: CertificateRecord(item), authorityPEM: issued.authorityPEM, privateKeyPEM: issued.keyPEM,
            pkcs12: pkcs12, password: order.password)
    }

    /// Revokes provider certificates in a ledger, on disk too where there is a state folder; all or none.
    ///
    /// One that was revoked before stays so, from the time at which it was.
    /// - Throws: `TrustError` with `badSetting` when the CA issued none of a serial number.
    package func revoke(
        _ serialNumbers: [String], in ledger: inout CertificateLedger, at now: Instant
    ) throws(TrustError) -> [CertificateRecord] {
        var changed = ledger
        for serialNumber in serialNumbers where !changed.revoke(serialNumber: serialNumber, at: now) {
            throw TrustError(
                .badSetting, "the CA issued no certificate with the serial number \(serialNumber)",
                remedy: "`mynah certs list` has those that it issued")
        }
        try save(changed)
        ledger = changed
        return serialNumbers.compactMap { serialNumber in
            changed.items.first { $0.identity.serialNumber == serialNumber }.map(CertificateRecord.init)
        }
    }
}

extension CertificateRecord {
    /// What a ledger keeps of a certificate.
    package init(_ item: CertificateLedger.Item) {
        self.init(
            identity: item.identity, pem: item.certificatePEM, issuedAt: item.issuedAt, revokedAt: item.revokedAt)
    }
}
