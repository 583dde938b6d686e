/// The topic is present, and, after the device token, one that the credential may push to
/// (`ProviderAPI#Push-types-and-topics`, `ProviderAPI#Reasons`, `ProviderAPI#Key-scopes`, `ProviderAPI#Certificates`).
enum TopicCheck {
    /// The topic, if there is one.
    static func topic(of push: borrowing Candidate) throws(Refusal) -> CandidateTopic {
        guard let topic = push.topic else { throw Refusal(.missingTopic, missing(push.credential.verdict)) }
        return topic
    }

    /// Checks that the credential may push to a topic, which nothing may to one that no bundle id can be.
    static func check(
        _ topic: CandidateTopic, of push: borrowing Candidate, trust: borrowing ConnectionTrust
    ) throws(Refusal) {
        guard Topic.isWellFormed(topic.bytes.span.extracting(topic.place)) else { throw malformed(topic) }
        switch push.credential.verdict {
        case .token(let identity):
            try check(topic, keyOf: identity, trust: trust, teamTopics: push.settings.teamTopics)
        case .certificate(let identity): try check(topic, certificate: identity, pushType: push.effectivePushType)
        case .missing, .invalid, .revokedKey, .revokedCertificate: break
        }
    }

    private static func malformed(_ topic: CandidateTopic) -> Refusal {
        guard (1...Limits.topicBytesMax).contains(topic.place.count) else {
            return Refusal(
                .badTopic,
                "apns-topic has \(topic.place.count) bytes: expected 1 to \(Limits.topicBytesMax)")
        }
        return Refusal(
            .topicDisallowed,
            "apns-topic is \"\(topic.text)\": expected letters, digits, hyphens and periods")
    }

    private static func missing(_ verdict: TrustVerdict) -> String {
        guard case .certificate(let identity) = verdict else {
            return "no apns-topic; with a provider token every push names its topic"
        }
        guard !identity.topics.isEmpty else { return "no apns-topic, and the certificate names none" }
        return "no apns-topic, and the certificate has \(identity.topics.count) topics; only a certificate "
            + "with a single topic has a default"
    }

    private static func check(
        _ topic: CandidateTopic, keyOf identity: ProviderIdentity, trust: borrowing ConnectionTrust,
        teamTopics: [String]
    ) throws(Refusal) {
        guard identity.scope.topics != nil else {
            guard !teamTopics.isEmpty, !Topic.isCovered(topic.bytes.span.extracting(topic.place), by: teamTopics)
            else { return }
            throw Refusal(
                .topicDisallowed,
                "the topic \(topic.text) belongs to no app of the team \(identity.team): expected one of "
                    + teamTopics.joined(separator: ", "))
        }
        guard identity.scope.covers(topic.bytes.span.extracting(topic.place)) else {
            throw Refusal(.topicDisallowed, "the key \(identity.keyID) is not for the topic \(topic.text)")
        }
        // A bundle id added to a key takes effect on new connections only (`ProviderAPI#Key-scopes`).
        guard trust.scope(of: identity.keyID)?.covers(topic.bytes.span.extracting(topic.place)) != false else {
            throw Refusal(
                .topicDisallowed,
                "the topic \(topic.text) was added to the key \(identity.keyID) after this connection's first push "
                    + "with it; use another connection")
        }
    }

    private static func check(
        _ topic: CandidateTopic, certificate: CertificateIdentity, pushType: PushType
    ) throws(Refusal) {
        guard !pushType.needsProviderToken else {
            throw Refusal(
                .topicDisallowed,
                "push type \(pushType.rawValue) was sent with a certificate; a provider token was expected")
        }
        guard !certificate.topics.isEmpty else { return }
        let bytes = topic.bytes.span.extracting(topic.place)
        for listed in certificate.topics where bytes.equals(listed.name) { return }
        let names = certificate.topics.map(\.name).joined(separator: ", ")
        throw Refusal(.topicDisallowed, "the certificate is not for the topic \(topic.text) but for \(names)")
    }
}
