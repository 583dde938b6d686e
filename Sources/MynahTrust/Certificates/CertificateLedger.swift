package import APNsRules

/// The provider certificates that Mynah issued, and all revoked ones, even of other CAs (`ControlAPI#Endpoints`).
///
/// Entries are never removed and revocations never undone, so that two ledgers can be merged.
package struct CertificateLedger: Sendable, Equatable {
    /// The entry of one certificate.
    package struct Item: Sendable, Equatable {
        package let identity: CertificateIdentity
        package let pem: String
        package let issuedAt: Instant
        package internal(set) var revokedAt: Instant?

        package init(identity: CertificateIdentity, pem: String, issuedAt: Instant, revokedAt: Instant? = nil) {
            (self.identity, self.pem, self.issuedAt, self.revokedAt) = (identity, pem, issuedAt, revokedAt)
        }

        /// Reads the certificate, DER.
        package init(der: [UInt8], issuedAt: Instant, revokedAt: Instant?) throws(CertificateFault) {
            self.init(
                identity: try ProviderCertificate.identity(of: der), pem: PEM.certificate(der), issuedAt: issuedAt,
                revokedAt: revokedAt)
        }

        /// The certificate, DER.
        package var der: [UInt8] { PEM.blocks(in: pem).first?.der ?? [] }
    }

    /// The entries, oldest first; each certificate once.
    package private(set) var items: [Item] = []

    package init() {}

    var revokedSerials: Set<RevokedSerial> {
        Set(items.filter { $0.revokedAt != nil }.map { RevokedSerial($0.identity) })
    }

    /// Adds an entry, or merges it into the certificate's existing one; the earlier revocation counts.
    package mutating func add(_ item: Item) {
        if let index = index(of: item.identity) {
            items[index].revokedAt = [items[index].revokedAt, item.revokedAt].compactMap(\.self).min()
        } else {
            items.append(item)
        }
    }

    /// Revokes the certificate with this serial number, in hexadecimal digits of either case; returns its entry, with
    /// the time of the first revocation, or `nil` if no certificate has the number.
    package mutating func revoke(serialNumber: String, at now: Instant) -> Item? {
        let wanted = serialNumber.uppercased()
        guard let index = items.firstIndex(where: { $0.identity.serialNumber == wanted }) else { return nil }
        items[index].revokedAt = items[index].revokedAt ?? now
        return items[index]
    }

    /// Revokes a certificate, and adds an entry if it has none, such as one of another CA.
    package mutating func revoke(_ identity: CertificateIdentity, pem: String, at now: Instant) {
        let earlier = index(of: identity).flatMap { items[$0].revokedAt }
        add(Item(identity: identity, pem: pem, issuedAt: now, revokedAt: earlier ?? now))
    }

    /// Merges two ledgers, each certificate once, the other's entries first.
    package func merging(_ other: CertificateLedger) -> CertificateLedger {
        var merged = other
        for item in items { merged.add(item) }
        return merged
    }

    /// The entries that another ledger doesn't have, or not with this revocation.
    package func changes(since other: CertificateLedger) -> [Item] {
        let known = Dictionary(other.items.map { (RevokedSerial($0.identity), $0.revokedAt) }) { $1 }
        return items.filter { item in
            guard let revokedAt = known[RevokedSerial(item.identity)] else { return true }
            return revokedAt != item.revokedAt
        }
    }

    private func index(of identity: CertificateIdentity) -> Int? {
        let serial = RevokedSerial(identity)
        return items.firstIndex { RevokedSerial($0.identity) == serial }
    }
}
