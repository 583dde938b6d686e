package import APNsRules

/// The provider certificates that Mynah made, and all that were revoked, of whatever CA (`ControlAPI#Endpoints`).
///
/// Entries are only added, and a revocation is never taken back, so that two ledgers can be joined.
package struct CertificateLedger: Sendable, Equatable {
    /// One certificate.
    package struct Item: Sendable, Equatable {
        /// Who it speaks for.
        package let identity: CertificateIdentity
        /// The certificate in PEM.
        package let certificatePEM: String
        /// When it was made, or, for one of another CA, entered.
        package let issuedAt: Instant
        /// When it was revoked; `nil`: it was not.
        package internal(set) var revokedAt: Instant?

        /// An entry.
        package init(
            identity: CertificateIdentity, certificatePEM: String, issuedAt: Instant, revokedAt: Instant? = nil
        ) {
            self.identity = identity
            self.certificatePEM = certificatePEM
            self.issuedAt = issuedAt
            self.revokedAt = revokedAt
        }
    }

    /// The entries, oldest first; each certificate once.
    package private(set) var items: [Item] = []

    /// An empty ledger.
    package init() {}

    /// What was revoked.
    package var revokedSerials: Set<RevokedSerial> {
        Set(items.filter { $0.revokedAt != nil }.map { RevokedSerial($0.identity) })
    }

    /// Enters a certificate that was made; one that is there already is left as it is.
    package mutating func add(_ issued: IssuedProviderCertificate, at now: Instant) {
        add(Item(identity: issued.identity, certificatePEM: issued.certificatePEM, issuedAt: now))
    }

    /// Enters a certificate; of one that is there already only a revocation is taken over, the earlier one.
    package mutating func add(_ item: Item) {
        guard let index = index(of: item.identity) else {
            items.append(item)
            return
        }
        items[index].revokedAt = [items[index].revokedAt, item.revokedAt].compactMap(\.self).min()
    }

    /// Revokes a certificate that is in the ledger.
    ///
    /// - Parameter serialNumber: In hexadecimal digits of either case.
    /// - Returns: Its entry, with the first revocation's time if it was revoked before; `nil` when none has the number.
    package mutating func revoke(serialNumber: String, at now: Instant) -> Item? {
        let wanted = serialNumber.uppercased()
        guard let index = items.firstIndex(where: { $0.identity.serialNumber == wanted }) else { return nil }
        return revoke(at: index, now)
    }

    /// Revokes a certificate, which is entered if it is not there: one of another CA.
    @discardableResult
    package mutating func revoke(_ identity: CertificateIdentity, pem: String, at now: Instant) -> Item {
        add(Item(identity: identity, certificatePEM: pem, issuedAt: now))
        guard let index = index(of: identity) else { preconditionFailure("it was entered a line above") }
        return revoke(at: index, now)
    }

    /// This ledger and another, each certificate once, the other's entries first.
    package func merging(_ other: CertificateLedger) -> CertificateLedger {
        var merged = other
        for item in items { merged.add(item) }
        return merged
    }

    private mutating func revoke(at index: Int, _ now: Instant) -> Item {
        items[index].revokedAt = items[index].revokedAt ?? now
        return items[index]
    }

    private func index(of identity: CertificateIdentity) -> Int? {
        let serial = RevokedSerial(identity)
        return items.firstIndex { RevokedSerial($0.identity) == serial }
    }
}
