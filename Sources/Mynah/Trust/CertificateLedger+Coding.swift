internal import APNsRules
internal import MynahCore
internal import MynahTrust

extension CertificateLedger: ByteRecord {
    static let members = ByteMembers({ (items: [Item]) in
        items.reduce(into: CertificateLedger()) { $0.add($1) }
    }) { $0.items }
}

extension CertificateLedger.Item: ByteRecord {
    static let members = CheckedMembers(
        CertificateLedger.Item.init(der:issuedAt:revokedAt:),
        problem: { "a provider certificate is damaged: \($0.problem)" }
    ) { ($0.der, $0.issuedAt, $0.revokedAt) }
}
