package import APNsRules

/// The contents of a provider certificate to be signed (`ProviderAPI#Certificates`).
package struct ProviderCertificateRequest: Sendable {
    /// The app, or what else the certificate is for; becomes the subject's UID.
    let bundleID: String
    /// The kind of the certificate, by the first topic.
    let kind: ProviderCertificateKind
    let topics: [CertificateIdentity.ListedTopic]
    let voip: Bool
    /// The environments: extensions 6.3.1 and 6.3.2.
    let environment: EnvironmentScope
    /// In whole seconds.
    let notBefore: Instant
    /// In whole seconds; may be in the past.
    let notAfter: Instant

    /// A request for these topics, the first of which is the app's bundle id.
    ///
    /// `voip` and `complication` add the app's suffixed topic if it isn't listed; `voip` also adds the VoIP extension.
    /// Without an `environment` the certificate has the environments of Apple's certificates of its kind.
    package init(
        topics: [String], voip: Bool = false, complication: Bool = false, environment: EnvironmentScope? = nil,
        notBefore: Instant, notAfter: Instant
    ) throws(TrustError) {
        func fault(_ problem: String, _ remedy: String) -> TrustError {
            TrustError(.badSetting, problem, remedy: remedy)
        }
        guard let bundleID = topics.first else {
            throw fault("a certificate needs a topic", "Give the app's bundle id as its first topic")
        }
        var names: [String] = []
        let added = [voip ? PushType.voip : nil, complication ? .complication : nil].compactMap(\.self)
        for name in topics + added.map({ bundleID + $0.topicSuffix }) where !names.contains(name) {
            guard Topic.isWellFormed(name.utf8Span.span) else {
                throw fault(
                    "\"\(name)\" is not a well-formed topic",
                    "A topic has 1 to \(Limits.topicBytesMax) letters, digits, hyphens and periods")
            }
            names.append(name)
        }
        guard names.count <= ProviderTopicList.topicsMax else {
            throw fault(
                "\(names.count) topics are too many", "A certificate has at most \(ProviderTopicList.topicsMax)")
        }
        guard let from = ProviderCertificateRequest.wholeSeconds(notBefore),
            let to = ProviderCertificateRequest.wholeSeconds(notAfter)
        else {
            throw fault(
                "a certificate can't be valid from \(notBefore.rfc3339) to \(notAfter.rfc3339)",
                "Give times from the year 1950 to 9999")
        }
        guard from < to else {
            throw fault(
                "the certificate's end, \(to.rfc3339), is not after its beginning, \(from.rfc3339)",
                "Give a later end or an earlier beginning")
        }
        self.bundleID = bundleID
        self.topics = names.map {
            CertificateIdentity.ListedTopic($0, kind: ProviderCertificateRequest.kind(of: $0, app: bundleID))
        }
        let kind = ProviderCertificateKind(topic: bundleID)
        self.kind = kind
        self.environment = environment ?? kind.environment
        self.voip = voip
        self.notBefore = from
        self.notAfter = to
    }

    /// The kind in Apple's list of topics: the part after the bundle id, or another app's suffix; `app` without one.
    static func kind(of topic: String, app bundleID: String) -> String {
        if topic == bundleID { return "app" }
        if topic.hasPrefix(bundleID + "."), topic.utf8.count > bundleID.utf8.count + 1 {
            return String(topic.dropFirst(bundleID.count + 1))
        }
        guard let type = Topic.suffixedPushType(of: topic.utf8Span.span) else { return "app" }
        return String(type.topicSuffix.dropFirst())
    }

    // A certificate's times are from 1950 to 9999 (RFC 5280 §4.1.2.5; earlier ones would need GeneralizedTime, which it
    // reserves for times after 2049).
    private static func wholeSeconds(_ instant: Instant) -> Instant? {
        let seconds = instant.milliseconds / 1000
        return (-631_152_000...253_402_300_799).contains(seconds) ? Instant(seconds: seconds) : nil
    }
}

extension CertificateProfile {
    /// A provider, in the shape of Apple's certificates (`ProviderAPI#Certificates`).
    static func provider(_ request: ProviderCertificateRequest) -> CertificateProfile {
        let isPass = request.kind == .wallet
        var extensions: [(name: String, value: String)] = [
            ("basicConstraints", "critical,CA:FALSE"),
            ("keyUsage", "critical,digitalSignature"),
            ("extendedKeyUsage", "critical,clientAuth" + (isPass ? ",\(ProviderExtension.passSigning)" : "")),
            ("subjectKeyIdentifier", "hash"),
            ("authorityKeyIdentifier", "keyid:always"),
        ]
        let marks: [(ProviderExtension, Bool)] = [
            (.development, request.environment.contains(.sandbox)),
            (.production, request.environment.contains(.production)), (.voip, request.voip),
        ]
        for (mark, isThere) in marks where isThere { extensions.append((mark.rawValue, "ASN1:NULL")) }
        if isPass { extensions.append((ProviderExtension.passType, "ASN1:UTF8String:\(request.bundleID)")) }
        let list = Hex.text(ProviderTopicList.encode(request.topics))
        extensions.append((ProviderExtension.topics.rawValue, "DER:\(list)"))
        return CertificateProfile(
            subject: [
                ("UID", request.bundleID), ("CN", request.kind.commonName(of: request.bundleID)), ("O", "Mynah"),
            ],
            notBefore: request.notBefore, notAfter: request.notAfter, extensions: extensions)
    }
}
