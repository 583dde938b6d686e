internal import APNsRules
internal import MynahCore
internal import MynahTrust

extension CertificateLedger: ByteCodable {
    func write(to writer: inout ByteWriter) {
        writer.write(varint: UInt64(items.count))
        for item in items {
            writer.write(bytes: item.der)
            writer.write(item.issuedAt, item.revokedAt)
        }
    }

    init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init()
        for _ in 0..<(try reader.count()) {
            let der = Array(try reader.bytes())
            let issuedAt = try Instant(from: &reader)
            let revokedAt = try Instant?(from: &reader)
            do throws(CertificateFault) {
                add(try Item(der: der, issuedAt: issuedAt, revokedAt: revokedAt))
            } catch {
                throw reader.problem("a provider certificate is damaged: \(error.problem)")
            }
        }
    }
}
