package import APNsRules
package import Logging
internal import MynahCore
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
            !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
        return isHexadecimal ? digits : nil
    }

    /// The certificate as the control API and `mynah certs list --json` show it.
    package var json: JSONValue {
        [
            "serialNumber": .string(identity.serialNumber), "subject": .string(identity.subject),
            "topics": CertificateRecord.json(identity.topics),
            "environment": .string(identity.environment.rawValue),
            "notBefore": .string(identity.notBefore.rfc3339), "notAfter": .string(identity.notAfter.rfc3339),
            "issuedAt": .string(issuedAt.rfc3339), "revokedAt": .text(revokedAt?.rfc3339),
            "certificate": .string(pem),
        ]
    }

    package static func json(_ topics: [CertificateIdentity.ListedTopic]) -> JSONValue {
        .array(topics.map { ["topic": .string($0.name), "kind": .string($0.kind)] })
    }
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
    package var json: JSONValue {
        let members = [
            JSONMember("authority", .string(authorityPEM)), JSONMember("privateKey", .text(privateKeyPEM)),
            JSONMember("pkcs12", .text(pkcs12.map { Base64.encode($0) })), JSONMember("password", .text(password)),
        ]
        return .object((certificate.json.object ?? []) + members)
    }
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
