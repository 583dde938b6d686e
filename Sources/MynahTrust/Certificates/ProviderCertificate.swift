package import APNsRules

/// Reads the identity in a provider certificate (`ProviderAPI#Certificates`), without judging its signer.
package enum ProviderCertificate {
    /// The largest certificate that is read; Apple's have about 2,000 bytes.
    package static let bytesMax = 128 << 10

    /// Reads a certificate in DER; a fault has the alert bad_certificate.
    package static func identity(of der: [UInt8]) throws(CertificateFault) -> CertificateIdentity {
        guard der.count <= bytesMax else {
            throw fault("the certificate has \(der.count) bytes; at most \(bytesMax) are read")
        }
        return try identity(attempt(Certificate(der: der)) { fault("the certificate cannot be read: \($0.problem)") })
    }

    static func identity(_ certificate: borrowing Certificate) throws(CertificateFault) -> CertificateIdentity {
        guard let subject = certificate.subjectLine, let issuer = certificate.issuerLine else {
            throw fault("the certificate's subject or issuer holds text that cannot be read")
        }
        let subjectID = try subjectID(certificate, subject)
        let isForSandbox = try content(.development, certificate) != nil
        let isForProduction = try content(.production, certificate) != nil
        let validity = try attempt(certificate.validity()) {
            fault("the certificate of \(subject) has a time that cannot be read: \($0.problem)")
        }
        return CertificateIdentity(
            subject: subject, subjectID: subjectID,
            topics: try topics(of: certificate, subjectID: subjectID, subject: subject),
            environment: isForSandbox == isForProduction ? .both : isForSandbox ? .sandbox : .production,
            serialNumber: certificate.serialNumber, notBefore: validity.from, notAfter: validity.to, issuer: issuer)
    }

    /// The identity in any certificate; one that doesn't follow Apple's rules is for every topic and both environments.
    static func unprovenIdentity(_ certificate: borrowing Certificate) throws(CertificateFault) -> CertificateIdentity {
        if let identity = try? identity(certificate) { return identity }
        let validity = try attempt(certificate.validity()) {
            fault("the certificate has a time that cannot be read: \($0.problem)")
        }
        return CertificateIdentity(
            subject: certificate.subjectLine ?? "", subjectID: nil, topics: [], environment: .both,
            serialNumber: certificate.serialNumber, notBefore: validity.from, notAfter: validity.to,
            issuer: certificate.issuerLine ?? "")
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
        of certificate: borrowing Certificate, subjectID: String?, subject: String
    ) throws(CertificateFault) -> [CertificateIdentity.ListedTopic] {
        let isVoIP = try content(.voip, certificate) != nil
        if let list = try content(.topics, certificate) { return try ProviderTopicList.read(list) }
        guard let subjectID else {
            throw fault(
                "the certificate of \(subject) names no topic: neither a UID nor \(ProviderExtension.topics.name)")
        }
        guard Topic.isWellFormed(subjectID.utf8Span.span) else {
            throw fault("the UID in \(subject) is not a well-formed topic")
        }
        let suffix = PushType.voip.topicSuffix
        guard isVoIP else { return [.init(subjectID, kind: "app")] }
        if subjectID.hasSuffix(suffix) { return [.init(subjectID, kind: "voip")] }
        return [.init(subjectID, kind: "app"), .init(subjectID + suffix, kind: "voip")]
    }

    private static func content(
        _ wanted: ProviderExtension, _ certificate: borrowing Certificate
    ) throws(CertificateFault) -> [UInt8]? {
        let contents = certificate.extensions(wanted.rawValue)
        guard contents.count <= 1 else {
            throw fault("\(wanted.name) occurs \(contents.count) times; at most once is allowed")
        }
        return contents.first
    }

    private static func fault(_ problem: String) -> CertificateFault { CertificateFault(.badCertificate, problem) }
}

/// Apple's extensions of provider certificates, by their object identifiers (`ProviderAPI#Certificates`).
enum ProviderExtension: String, CaseIterable {
    case development = "1.2.840.113635.100.6.3.1"
    case production = "1.2.840.113635.100.6.3.2"
    case voip = "1.2.840.113635.100.6.3.4"
    case topics = "1.2.840.113635.100.6.3.6"

    /// The purpose of signing passes, which certificates for Wallet have besides the purpose of a client.
    static let passSigning = "1.2.840.113635.100.4.14"
    /// The extension with the type of a pass, of certificates for Wallet.
    static let passType = "1.2.840.113635.100.6.1.16"

    /// The longest content that is read, with room for ``ProviderTopicList/topicsMax`` topics of the longest kind.
    static let bytesMax = 64 << 10

    var name: String {
        switch self {
        case .development: "the development extension (\(rawValue))"
        case .production: "the production extension (\(rawValue))"
        case .voip: "the VoIP extension (\(rawValue))"
        case .topics: "the topic list (\(rawValue))"
        }
    }

    /// Identifiers that verification accepts even if they are critical.
    static let identifiers = allCases.map(\.rawValue)
}

/// The content of extension 1.2.840.113635.100.6.3.6: a sequence of pairs, each a topic as a UTF8String and a
/// sequence whose first element, a UTF8String too, is the topic's kind (`ProviderAPI#Certificates`).
package enum ProviderTopicList {
    package typealias ListedTopic = CertificateIdentity.ListedTopic

    /// The most topics in a list; Apple's have fewer than ten.
    package static let topicsMax = 100
    /// The most bytes of a kind.
    static let kindBytesMax = 255

    /// Reads a list of at least one well-formed topic; a fault has the alert bad_certificate.
    package static func read(_ content: [UInt8]) throws(CertificateFault) -> [ListedTopic] {
        try attempt(topics(in: content)) {
            CertificateFault(.badCertificate, "\(ProviderExtension.topics.name) \($0.problem)")
        }
    }

    private static func topics(in content: [UInt8]) throws(TrustError) -> [ListedTopic] {
        guard content.count <= ProviderExtension.bytesMax else {
            throw .malformed("has \(content.count) bytes; at most \(ProviderExtension.bytesMax) are read")
        }
        var document = ASN1Reader(content[...])
        var list = ASN1Reader(try document.read(.sequence, "the list"))
        guard document.isAtEnd else { throw .malformed("has trailing bytes after the list") }
        var topics: [ListedTopic] = []
        while !list.isAtEnd {
            guard topics.count < topicsMax else { throw .malformed("has more than \(topicsMax) topics") }
            topics.append(try topic(&list))
        }
        guard !topics.isEmpty else { throw .malformed("has no topic") }
        return topics
    }

    private static func topic(_ list: inout ASN1Reader) throws(TrustError) -> ListedTopic {
        let bytes = Array(try list.read(.utf8String, "a topic"))
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw .malformed("has a topic that is not UTF-8")
        }
        guard Topic.isWellFormed(bytes.span) else {
            throw .malformed("has \"\(shown(name))\", which is not a well-formed topic")
        }
        guard !list.isAtEnd else { throw .malformed("has the topic \(name) without a kind") }
        var kinds = ASN1Reader(try list.read(.sequence, "the kind of \(name)"))
        let kind = Array(try kinds.read(.utf8String, "the kind of \(name)"))
        guard let text = String(validating: kind, as: UTF8.self), (1...kindBytesMax).contains(kind.count) else {
            throw .malformed("has a kind of \(name) that is not UTF-8 of 1 to \(kindBytesMax) bytes")
        }
        return ListedTopic(name, kind: text)
    }

    // The text for logs: shortened, and without control characters.
    private static func shown(_ text: String) -> String {
        let printable = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : String($0) }
        return printable.prefix(64).joined() + (printable.count > 64 ? "…" : "")
    }

    package static func encode(_ topics: [ListedTopic]) -> [UInt8] {
        DER.element(
            .sequence,
            topics.flatMap { topic in
                DER.element(.utf8String, Array(topic.name.utf8))
                    + DER.element(.sequence, DER.element(.utf8String, Array(topic.kind.utf8)))
            })
    }
}
