package import APNsRules
package import Logging
package import MynahCore
package import MynahTrust

/// A provider certificate that a server's CA issued (`ProviderAPI#Certificates`).
package typealias CertificateRecord = CertificateLedger.Item

extension CertificateRecord {
    package var serialNumber: String { identity.serialNumber }

    /// Normalises a serial number, which may have lower case, colons and `0x` as `openssl` prints them.
    package static func serialNumber(_ text: String) -> String? {
        var digits = text.uppercased().filter { $0 != ":" }
        if digits.hasPrefix("0X") { digits.removeFirst(2) }
        let isHexadecimal =
            !digits.isEmpty && digits.utf8.allSatisfy { $0.isASCIIDigit || (0x41...0x46).contains($0) }
        return isHexadecimal ? digits : nil
    }

    /// The certificate as the control API and `mynah certs list --json` show it.
    package var json: JSONValue { .object(CertificateRecord.fields.members(of: self)) }

    package static let fields: Fields<CertificateRecord> = [
        Field(shown: "serialNumber", .anyText, "Capital hexadecimal digits.") { .string($0.identity.serialNumber) },
        Field(shown: "subject", .anyText, "RFC 4514.") { .string($0.identity.subject) },
        Field(
            shown: "topics", .array(of: .object(CertificateIdentity.ListedTopic.fields.showing)),
            "The topics that it is for."
        ) {
            CertificateRecord.json($0.identity.topics)
        },
        Field(
            shown: "environment", .choice(EnvironmentScope.self), "The environments in which it is valid."
        ) { .string($0.identity.environment.rawValue) },
        Field(shown: "notBefore", .time, "The beginning of its validity.") { .string($0.identity.notBefore.rfc3339) },
        Field(shown: "notAfter", .time, "The end of its validity.") { .string($0.identity.notAfter.rfc3339) },
        Field(shown: "issuedAt", .time, "When it was issued.") { .string($0.issuedAt.rfc3339) },
        Field(shown: "revokedAt", .nullable(.time), "When it was revoked; null if it is valid.") {
            .text($0.revokedAt?.rfc3339)
        },
        Field(shown: "certificate", .anyText, "PEM.") { .string($0.pem) },
    ]

    package static func json(_ topics: [CertificateIdentity.ListedTopic]) -> JSONValue {
        .array(topics.map { .object(CertificateIdentity.ListedTopic.fields.members(of: $0)) })
    }
}

extension CertificateIdentity.ListedTopic {
    fileprivate static let fields: Fields<CertificateIdentity.ListedTopic> = [
        Field(shown: "topic", .anyText, "The topic.") { .string($0.name) },
        Field(shown: "kind", .anyText, "Such as app, voip and complication.") { .string($0.kind) },
    ]
}

package struct IssuedCertificate: Sendable {
    package let certificate: CertificateRecord
    package let authorityPEM: String
    /// `nil` for a signing request, as are the next two.
    package let privateKeyPEM: String?
    /// Certificate and key as PKCS #12.
    package let pkcs12: [UInt8]?
    package let password: String?

    /// The answer of `POST /v1/certificates`.
    package var json: JSONValue { .object(IssuedCertificate.fields.members(of: self)) }

    package static let fields: Fields<IssuedCertificate> =
        CertificateRecord.fields.shown(\.certificate) + [
            Field(shown: "authority", .anyText, "The CA's certificate, PEM.") { .string($0.authorityPEM) },
            Field(shown: "privateKey", .nullableText, "PKCS #8 in PEM; returned only here. null with csr.") {
                .text($0.privateKeyPEM)
            },
            Field(
                shown: "pkcs12", .nullable(.any(schema: "Base64")), "Certificate and key. null with csr."
            ) { .text($0.pkcs12.map { Base64.encode($0) }) },
            Field(shown: "password", .nullableText, "The password of pkcs12; null with csr.") { .text($0.password) },
        ]
}

extension TrustMaterial {
    /// Makes a provider certificate without recording it; throws `badSetting` for an impossible order.
    package func issue(
        _ order: CertificateOrder, for subject: ProviderSubject, at now: Instant
    ) throws(TrustError) -> IssuedCertificate {
        let issued = try issueProvider(try order.request(now: now), for: subject)
        return IssuedCertificate(
            certificate: CertificateRecord(identity: issued.identity, pem: issued.certificatePEM, issuedAt: now),
            authorityPEM: issued.authorityPEM, privateKeyPEM: issued.keyPEM,
            pkcs12: try issued.pkcs12(password: order.password),
            password: issued.keyPEM == nil ? nil : order.password)
    }

    package func logRemarks(to logger: Logger) {
        for warning in warnings { logger.warning("\(warning)") }
        for notice in notices { logger.info("\(notice)") }
    }
}
