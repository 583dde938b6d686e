import APNsRules
import Mynah

/// Certificates as rows of a table, for people.
enum CertificateTable {
    /// A table with columns as wide as their cells.
    static func text(_ heading: [String], _ rows: [[String]]) -> String {
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            Setting.trimmed(zip(row, widths).map(TableRow.padded).joined(separator: "  "))
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

    /// Names and values, with the values aligned.
    static func rows(_ rows: [(name: String, value: String)]) -> String {
        rows.map { TableRow.padded($0.name, 15) + $0.value }.joined(separator: "\n")
    }

    /// The day of a time, in UTC.
    static func day(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)) }

    /// A line about a certificate that was just revoked, from its JSON.
    static func revoked(_ certificate: JSONValue) -> String {
        let topics = (certificate["topics"]?.array ?? []).compactMap { $0["topic"]?.string }
        return "revoked \(certificate["serialNumber"]?.string ?? "") (\(topics.joined(separator: ", ")))"
    }

    private static func state(_ certificate: CertificateRecord, now: Instant) -> String {
        if let revokedAt = certificate.revokedAt { return "revoked \(day(revokedAt))" }
        return now > certificate.identity.notAfter ? "expired" : "good"
    }
}
