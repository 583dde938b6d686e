internal import APNsRules
internal import MynahCore
internal import MynahTrust

extension CertificateLedger: ByteRecord {
    static let members = ByteMembers({ (items: [Item]) in
        items.reduce(into: CertificateLedger()) { $0.add($1) }
    }) { $0.items }
}

extension CertificateLedger.Item: ByteCodable {
    func write(to writer: inout ByteWriter) { writer.write(der, issuedAt, revokedAt) }

    init(from reader: inout ByteReader) throws(CodingProblem) {
        let der = try [UInt8](from: &reader)
        let issuedAt = try Instant(from: &reader)
        let revokedAt = try Instant?(from: &reader)
        do throws(CertificateFault) {
            try self.init(der: der, issuedAt: issuedAt, revokedAt: revokedAt)
        } catch {
            throw reader.problem("a provider certificate is damaged: \(error.problem)")
        }
    }
}
