package import APNsRules

/// Reads the identity in a provider certificate (`ProviderAPI#Certificates`).
///
/// ``ProviderAuthorities`` judges who signed it.
package enum ProviderCertificate {
    /// The largest certificate that is read; Apple's have about 2,000 bytes.
    package static let bytesMax = 128 << 10

    /// Reads a certificate in DER.
    ///
    /// - Throws: ``CertificateFault`` with the alert bad_certificate and the first fault.
    package static func identity(of der: [UInt8]) throws(CertificateFault) -> CertificateIdentity {
        guard der.count <= bytesMax else {
            throw fault("the certificate has \(der.count) bytes; at most \(bytesMax) are read")
        }
        do {
            return try identity(Certificate(der: der))
        } catch let error as CertificateFault {
            throw error
        } catch {
            throw fault("the certificate cannot be read: \(error)")
        }
    }

    /// Reads a certificate.
    static func identity(_ certificate: borrowing Certificate) throws(CertificateFault) -> CertificateIdentity {
        guard let subject = certificate.subjectLine, let issuer = certificate.issuerLine else {
            throw fault("the certificate's subject or issuer holds text that cannot be read")
        }
        let subjectID = try subjectID(certificate, subject)
        let isIn = (
            sandbox: try content(.development, certificate) != nil,
            production: try content(.production, certificate) != nil
        )
        let validity: (from: Instant, to: Instant)
        do {
            validity = try (certificate.notBefore(), certificate.notAfter())
        } catch {
            throw fault("the certificate of \(subject) has a time that cannot be read: \(error)")
        }
        return CertificateIdentity(
            subject: subject, subjectID: subjectID, topics: try topics(certificate, subjectID, subject),
            environment: isIn.sandbox == isIn.production ? .both : isIn.sandbox ? .sandbox : .production,
            serialNumber: certificate.serialNumber, notBefore: validity.from, notAfter: validity.to, issuer: issuer)
    }

    private static func subjectID(
        _ certificate: borrowing Certificate, _ subject: String
    ) throws(CertificateFault) -> String? {
        let values = certificate.subjectIDs
        guard let value = values.first else { return nil }
        guard values.count == 1 else { throw fault("the subject \(subject) has \(values.count) UIDs") }
        guard let value else { throw fault("the subject's UID is not text") }
        return value
    }

    private static func topics(
        _ certificate: borrowing Certificate, _ subjectID: String?, _ subject: String
    ) throws(CertificateFault) -> [CertificateIdentity.ListedTopic] {
        let isVoIP = try content(.voip, certificate) != nil
        if let list = try content(.topics, certificate) { return try ProviderTopicList.read(list) }
        guard let subjectID else {
            throw fault(
                "the certificate of \(subject) names no topic: neither a UID nor \(ProviderExtension.topics.name)")
        }
        guard Topic.isWellFormed(Array(subjectID.utf8).span) else {
            throw fault("the UID in \(subject) is not a well-formed topic")
        }
        let suffix = PushType.voip.topicSuffix
        guard isVoIP else { return [CertificateIdentity.ListedTopic(subjectID, kind: "app")] }
        guard !subjectID.hasSuffix(suffix) else { return [CertificateIdentity.ListedTopic(subjectID, kind: "voip")] }
        return [
            CertificateIdentity.ListedTopic(subjectID, kind: "app"),
            CertificateIdentity.ListedTopic(subjectID + suffix, kind: "voip"),
        ]
    }

    private static func content(
        _ wanted: ProviderExtension, _ certificate: borrowing Certificate
    ) throws(CertificateFault) -> [UInt8]? {
        let contents = certificate.extensions(wanted.rawValue)
        guard contents.count <= 1 else { throw fault("\(wanted.name) is there \(contents.count) times") }
        return contents.first
    }

    private static func fault(_ problem: String) -> CertificateFault { CertificateFault(.badCertificate, problem) }
}
