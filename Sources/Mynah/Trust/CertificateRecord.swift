package import APNsRules

/// A provider certificate that a server's CA issued (`ProviderAPI#Certificates`).
package struct CertificateRecord: Sendable {
    /// Who it speaks for, where and when.
    package let identity: CertificateIdentity
    /// The certificate, PEM.
    package let pem: String
    /// When it was issued.
    package let issuedAt: Instant
    /// When it was revoked; `nil` when it was not.
    package let revokedAt: Instant?
}

extension CertificateRecord {
    /// A serial number as people and tools write it, in the form that certificates have here; `nil` when it is none.
    ///
    /// Lower case, colons between bytes and `0x` in front are `openssl`'s ways.
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
            "serialNumber": .string(identity.serialNumber),
            "subject": .string(identity.subject),
            "topics": CertificateRecord.json(identity.topics),
            "environment": .string(identity.environment.rawValue),
            "notBefore": .string(identity.notBefore.rfc3339),
            "notAfter": .string(identity.notAfter.rfc3339),
            "issuedAt": .string(issuedAt.rfc3339),
            "revokedAt": revokedAt.map { .string($0.rfc3339) } ?? .null,
            "certificate": .string(pem),
        ]
    }

    /// Topics as the control API shows them.
    package static func json(_ topics: [CertificateIdentity.ListedTopic]) -> JSONValue {
        .array(topics.map { ["topic": .string($0.name), "kind": .string($0.kind)] })
    }
}

/// A provider certificate as it is handed out, once: with its key.
package struct IssuedCertificate: Sendable {
    /// The certificate.
    package let certificate: CertificateRecord
    /// The CA's certificate, PEM.
    package let authorityPEM: String
    /// Its key, PKCS #8 in PEM.
    package let privateKeyPEM: String
    /// Certificate, key and CA as PKCS #12.
    package let pkcs12: [UInt8]
    /// What ``pkcs12`` is encrypted with.
    package let password: String

    /// The answer of `POST /v1/certificates`.
    package var json: JSONValue {
        let members: [JSONMember] = [
            JSONMember("authority", .string(authorityPEM)),
            JSONMember("privateKey", .string(privateKeyPEM)),
            JSONMember("pkcs12", .string(Base64.encode(pkcs12))),
            JSONMember("password", .string(password)),
        ]
        return .object((certificate.json.object ?? []) + members)
    }
}
