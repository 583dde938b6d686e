package import APNsRules

/// The provider certificates that Mynah issued, and all revoked ones, even of other CAs (`ControlAPI#Endpoints`).
///
/// Entries are never removed and revocations never undone, so that two ledgers can be merged. Each call takes the same
/// time however many entries there are, unless it says otherwise.
package struct CertificateLedger: Sendable, Equatable {
    /// The entry of one certificate.
    package struct Item: Sendable, Equatable {
        package let identity: CertificateIdentity
        package let pem: String
        package let issuedAt: Instant
        package internal(set) var revokedAt: Instant?

        package init(identity: CertificateIdentity, pem: String, issuedAt: Instant, revokedAt: Instant? = nil) {
            self.identity = identity
            self.pem = pem
            self.issuedAt = issuedAt
            self.revokedAt = revokedAt
        }

        /// Reads the certificate, DER.
        package init(der: [UInt8], issuedAt: Instant, revokedAt: Instant?) throws(CertificateFault) {
            self.init(
                identity: try ProviderCertificate.identity(of: der), pem: PEM.certificate(der), issuedAt: issuedAt,
                revokedAt: revokedAt)
        }

        /// The certificate, DER.
        package var der: [UInt8] { PEM.blocks(in: pem).first?.der ?? [] }

        /// The entry of the certificate once it is revoked, with the time of its first revocation.
        package func revoked(at now: Instant) -> Item {
            var item = self
            item.revokedAt = revokedAt ?? now
            return item
        }
    }

    /// The entries, oldest first; each certificate once.
    package private(set) var items: [Item] = []
    private var places: [RevokedSerial: Int] = [:]
    // The place of the oldest entry with each serial number.
    private var placesBySerialNumber: [String: Int] = [:]
    // The entry that each change added or revoked.
    private var changedPlaces: [Int] = []

    package init() {}

    package static func == (one: CertificateLedger, other: CertificateLedger) -> Bool { one.items == other.items }

    /// The revoked certificates; looks at all entries.
    var revokedSerials: Set<RevokedSerial> {
        Set(items.filter { $0.revokedAt != nil }.map { RevokedSerial($0.identity) })
    }

    /// The oldest entry with a serial number, in hexadecimal digits of either case.
    package subscript(serialNumber: String) -> Item? {
        placesBySerialNumber[serialNumber.uppercased()].map { items[$0] }
    }

    /// Whether the ledger has a certificate with this revocation, or an earlier one.
    package func has(_ item: Item) -> Bool {
        guard let place = places[RevokedSerial(item.identity)] else { return false }
        guard let wanted = item.revokedAt else { return true }
        return items[place].revokedAt.map { $0 <= wanted } ?? false
    }

    /// Adds an entry, or merges it into the certificate's existing one; the earlier revocation counts.
    ///
    /// Returns whether the ledger has changed.
    @discardableResult
    package mutating func add(_ item: Item) -> Bool {
        guard !has(item) else { return false }
        let serial = RevokedSerial(item.identity)
        if let place = places[serial] {
            items[place].revokedAt = item.revokedAt
            changedPlaces.append(place)
        } else {
            places[serial] = items.count
            if placesBySerialNumber[serial.serialNumber] == nil {
                placesBySerialNumber[serial.serialNumber] = items.count
            }
            changedPlaces.append(items.count)
            items.append(item)
        }
        return true
    }

    /// Revokes the certificate with this serial number, in hexadecimal digits of either case; returns its entry, with
    /// the time of the first revocation, or `nil` if no certificate has the number.
    package mutating func revoke(serialNumber: String, at now: Instant) -> Item? {
        guard let revoked = self[serialNumber]?.revoked(at: now) else { return nil }
        add(revoked)
        return revoked
    }

    /// Revokes a certificate, and adds an entry if it has none, such as one of another CA.
    package mutating func revoke(_ identity: CertificateIdentity, pem: String, at now: Instant) {
        let known = places[RevokedSerial(identity)].map { items[$0] }
        add((known ?? Item(identity: identity, pem: pem, issuedAt: now)).revoked(at: now))
    }

    /// How often an entry was added or revoked.
    package var changeCount: Int { changedPlaces.count }

    /// The present entries that were added or revoked after the first `count` changes.
    package func changes(after count: Int) -> [Item] { changedPlaces.dropFirst(count).map { items[$0] } }
}
