import APNsRules
import Mynah

/// Certificates as rows of a table, for people.
enum CertificateTable {
    /// A table's columns, as wide as what is in them.
    static func text(_ heading: [String], _ rows: [[String]]) -> String {
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
            return Setting.trimmed(cells.joined(separator: "  "))
        }.joined(separator: "\n")
    }

    /// The provider certificates that a CA issued.
    static func text(_ certificates: [CertificateRecord], now: Instant) -> String {
        text(
            ["SERIAL NUMBER", "ENVIRONMENT", "VALID UNTIL", "STATE", "TOPICS"],
            certificates.map { certificate in
                let identity = certificate.identity
                return [
                    identity.serialNumber, identity.environment.rawValue, day(identity.notAfter),
                    state(certificate, now: now), identity.topics.map(\.name).joined(separator: ", "),
                ]
            })
    }

    /// Names and values, the values below each other.
    static func rows(_ rows: [(name: String, value: String)]) -> String {
        rows.map { $0.name + String(repeating: " ", count: max(1, 15 - $0.name.count)) + $0.value }
            .joined(separator: "\n")
    }

    /// The day of a moment, in UTC.
    static func day(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)) }

    /// A line about a certificate that was revoked just now, from its JSON.
    static func revoked(_ certificate: JSONValue) -> String {
        let topics = (certificate["topics"]?.array ?? []).compactMap { $0["topic"]?.string }
        return "revoked \(certificate["serialNumber"]?.string ?? "") (\(topics.joined(separator: ", ")))"
    }

    private static func state(_ certificate: CertificateRecord, now: Instant) -> String {
        if let revokedAt = certificate.revokedAt { return "revoked \(day(revokedAt))" }
        return now > certificate.identity.notAfter ? "expired" : "good"
    }
}
