internal import APNsRules

extension StateFolder {
    /// The ledger of provider certificates: a JSON array with one entry per line, oldest first.
    ///
    /// Only `certificate` (DER in base64) and the times are read; the rest, and the `.pem` files, are for people.
    static let ledgerName = "provider-certificates.json"

    private static let remedy =
        "Correct it or delete it; without it no certificate is revoked, and issued ones stay valid"

    /// The ledger in the folder, empty if there is no file; an error names the line or the entry.
    func ledger() throws(TrustError) -> CertificateLedger {
        var ledger = CertificateLedger()
        guard let (text, _) = try read(StateFolder.ledgerName) else { return ledger }
        let document: JSONValue
        do { document = try JSONValue(parsing: text) } catch {
            let line = text.utf8.prefix(error.offset).count { $0 == 0x0A } + 1
            throw broken("is not JSON in line \(line): \(error.problem)")
        }
        guard let entries = document.array else { throw broken("is \(document.kind): expected an array") }
        for (index, entry) in entries.enumerated() { ledger.add(try item(entry, "entry \(index + 1)")) }
        return ledger
    }

    private func item(_ entry: JSONValue, _ place: String) throws(TrustError) -> CertificateLedger.Item {
        guard let der = entry["certificate"]?.string.flatMap({ Base64.decode($0.utf8)?.bytes }) else {
            throw broken("has no certificate in base64 in \(place), member `certificate`")
        }
        let identity: CertificateIdentity
        do { identity = try ProviderCertificate.identity(of: der) } catch {
            throw broken("has a broken certificate in \(place): \(error.problem)")
        }
        guard let issuedAt = try time(in: entry, named: "issuedAt", at: place) else {
            throw broken("has no time in \(place), member `issuedAt`")
        }
        return CertificateLedger.Item(
            identity: identity, pem: PEM.certificate(der), issuedAt: issuedAt,
            revokedAt: try time(in: entry, named: "revokedAt", at: place))
    }

    private func time(in entry: JSONValue, named name: String, at place: String) throws(TrustError) -> Instant? {
        guard let value = entry[name], value != .null else { return nil }
        if let instant = value.string.flatMap({ Instant(rfc3339: $0) }) { return instant }
        throw broken("has no time in \(place), member `\(name)`; one looks like 2026-11-21T09:30:00.000Z")
    }

    private func broken(_ problem: String) -> TrustError {
        TrustError(.malformed, file: path(of: StateFolder.ledgerName), problem, remedy: StateFolder.remedy)
    }

    /// Writes the ledger and a `provider-<serial number>.pem` for each certificate; returns whether they are on disk.
    func write(_ ledger: CertificateLedger) throws(TrustError) -> Bool {
        for item in ledger.items {
            let name = "provider-\(item.identity.serialNumber).pem"
            guard let path = path(of: name), FileSystem.mode(of: path) == nil else { continue }
            guard try write(item.pem, to: name, mode: 0o644) else { return false }
        }
        let lines = ledger.items.map { StateFolder.document($0).encodedText }
        let text = lines.isEmpty ? "[]\n" : "[\n  \(lines.joined(separator: ",\n  "))\n]\n"
        return try write(text, to: StateFolder.ledgerName, mode: 0o644)
    }

    private static func document(_ item: CertificateLedger.Item) -> JSONValue {
        [
            "serialNumber": .string(item.identity.serialNumber),
            "subject": .string(item.identity.subject),
            "issuer": .string(item.identity.issuer),
            "topics": .array(item.identity.topics.map { .string($0.name) }),
            "environment": .string(item.identity.environment.rawValue),
            "notAfter": .string(item.identity.notAfter.rfc3339),
            "issuedAt": .string(item.issuedAt.rfc3339),
            "revokedAt": item.revokedAt.map { .string($0.rfc3339) } ?? .null,
            "certificate": .string(Base64.encode(item.der)),
        ]
    }
}

extension CertificateLedger {
    /// The current ledger in a state folder; empty if there is none.
    package static func read(stateDirectory: String) throws(TrustError) -> CertificateLedger {
        try StateFolder(stateDirectory).ledger()
    }
}
