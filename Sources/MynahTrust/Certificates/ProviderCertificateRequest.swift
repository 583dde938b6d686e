package import APNsRules

/// The contents of a provider certificate to be signed (`ProviderAPI#Certificates`).
package struct ProviderCertificateRequest: Sendable {
    /// The default validity: about 13 months, as of Apple's.
    package static let defaultLifetime: Duration = .seconds(398 * 24 * 3600)

    /// The app, which becomes the subject's UID.
    package let bundleID: String
    /// The list of topics with their kinds, the app's own first.
    package let topics: [CertificateIdentity.ListedTopic]
    /// Whether it carries the VoIP extension (6.3.4).
    package let voip: Bool
    /// The environments: extensions 6.3.1 and 6.3.2.
    package let environment: EnvironmentScope
    /// The first moment at which it is valid, in whole seconds.
    package let notBefore: Instant
    /// The last moment at which it is valid, in whole seconds; may be in the past.
    package let notAfter: Instant

    /// - Parameters:
    ///   - topics: The first is the app's bundle id.
    ///   - voip: Adds `<bundle id>.voip` where it is not listed, and the VoIP extension.
    ///   - complication: Adds `<bundle id>.complication` where it is not listed.
    /// - Throws: ``TrustError`` that names the topic or the time that is wrong.
    package init(
        topics: [String], voip: Bool = false, complication: Bool = false, environment: EnvironmentScope = .both,
        notBefore: Instant, notAfter: Instant
    ) throws(TrustError) {
        guard let bundleID = topics.first else {
            throw ProviderCertificateRequest.fault(
                "a certificate needs a topic", "Give the app's bundle id as its first topic")
        }
        var names: [String] = []
        let added = [voip ? PushType.voip : nil, complication ? .complication : nil].compactMap(\.self)
        for name in topics + added.map({ bundleID + $0.topicSuffix }) where !names.contains(name) {
            guard Topic.isWellFormed(Array(name.utf8).span) else {
                throw ProviderCertificateRequest.fault(
                    "\"\(name)\" is not a well-formed topic",
                    "A topic has 1 to \(Limits.topicBytesMax) letters, digits, hyphens and periods")
            }
            names.append(name)
        }
        guard names.count <= ProviderTopicList.topicsMax else {
            throw ProviderCertificateRequest.fault(
                "\(names.count) topics are too many", "A certificate has at most \(ProviderTopicList.topicsMax)")
        }
        guard let from = ProviderCertificateRequest.wholeSeconds(notBefore),
            let to = ProviderCertificateRequest.wholeSeconds(notAfter)
        else {
            throw ProviderCertificateRequest.fault(
                "a certificate can't be valid from \(notBefore.rfc3339) to \(notAfter.rfc3339)",
                "Give times from the year 1950 to 9999")
        }
        guard from < to else {
            throw ProviderCertificateRequest.fault(
                "the certificate's end, \(to.rfc3339), is not after its beginning, \(from.rfc3339)",
                "Give a later end or an earlier beginning")
        }
        self.bundleID = bundleID
        self.topics = names.map {
            CertificateIdentity.ListedTopic($0, kind: ProviderCertificateRequest.kind(of: $0, app: bundleID))
        }
        self.voip = voip
        self.environment = environment
        self.notBefore = from
        self.notAfter = to
    }

    /// The kind in Apple's list of topics: `app` for the app, otherwise the part after its bundle id.
    ///
    /// The kind of another app's topic is its suffix, or `app`.
    static func kind(of topic: String, app bundleID: String) -> String {
        if topic == bundleID { return "app" }
        if topic.hasPrefix(bundleID + "."), topic.utf8.count > bundleID.utf8.count + 1 {
            return String(topic.dropFirst(bundleID.count + 1))
        }
        guard let type = Topic.suffixedPushType(of: Array(topic.utf8).span) else { return "app" }
        return String(type.topicSuffix.dropFirst())
    }

    // A certificate's times are from 1950 to 9999 (RFC 5280 §4.1.2.5; earlier ones would be GeneralizedTime, which
    // it reserves for the time after 2049).
    private static func wholeSeconds(_ instant: Instant) -> Instant? {
        let seconds = instant.milliseconds / 1000
        return (-631_152_000...253_402_300_799).contains(seconds) ? Instant(seconds: seconds) : nil
    }

    private static func fault(_ problem: String, _ remedy: String) -> TrustError {
        TrustError(.badSetting, problem, remedy: remedy)
    }
}

extension CertificateProfile {
    /// A provider, in the shape of Apple's certificates (`ProviderAPI#Certificates`).
    static func provider(_ request: ProviderCertificateRequest) -> CertificateProfile {
        var extensions: [(name: String, value: String)] = [
            ("basicConstraints", "critical,CA:FALSE"),
            ("keyUsage", "critical,digitalSignature"),
            ("extendedKeyUsage", "critical,clientAuth"),
            ("subjectKeyIdentifier", "hash"),
            ("authorityKeyIdentifier", "keyid:always"),
        ]
        if request.environment != .production {
            extensions.append((ProviderExtension.development.rawValue, "ASN1:NULL"))
        }
        if request.environment != .sandbox { extensions.append((ProviderExtension.production.rawValue, "ASN1:NULL")) }
        if request.voip { extensions.append((ProviderExtension.voip.rawValue, "ASN1:NULL")) }
        let list = ProviderTopicList.encode(request.topics).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        extensions.append((ProviderExtension.topics.rawValue, "DER:\(list.joined())"))
        return CertificateProfile(
            subject: [
                ("UID", request.bundleID), ("CN", "Apple Push Services: \(request.bundleID)"), ("O", "Mynah"),
            ],
            notBefore: request.notBefore, notAfter: request.notAfter, extensions: extensions)
    }
}
