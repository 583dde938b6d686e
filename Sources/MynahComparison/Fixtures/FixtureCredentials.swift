package import APNsRules
internal import MynahCore

/// A signing key of a case's world (`ProviderAPI#Key-scopes`).
package struct FixtureKey: Sendable, Hashable {
    /// What credentials and other keys of the case call it.
    package let name: String
    /// Whether the key belongs to the other known team.
    package let isOfOtherTeam: Bool
    package let environment: EnvironmentScope
    package let topics: [String]?
    /// The name of a related key.
    package let related: String?
    package let isRevoked: Bool
}

/// A connection's client certificate (`ProviderAPI#Certificates`).
package struct FixtureCertificate: Sendable, Hashable {
    /// The default of ``validFor``.
    package static let usualValidity: Duration = .seconds(365 * 24 * 3600)

    /// The subject's UID.
    package let subjectID: String
    /// The topics of extension 1.2.840.113635.100.6.3.6; the first is of kind `app`.
    package let topics: [CertificateIdentity.ListedTopic]
    package let environment: EnvironmentScope
    /// How long after the case's start the certificate is valid.
    package let validFor: Duration

    /// What a server reads from it; `start` is the case's.
    package func identity(start: Instant) -> CertificateIdentity {
        CertificateIdentity(
            subject: "UID=\(subjectID),CN=Apple Push Services: \(subjectID)", subjectID: subjectID, topics: topics,
            environment: environment, serialNumber: "01", notBefore: start.advanced(by: .seconds(-86_400)),
            notAfter: start.advanced(by: validFor))
    }
}

extension FixtureReader {
    func keys(_ json: JSONValue?) throws -> [FixtureKey] {
        try (json?.array ?? []).map { key in
            try allow(key, ["name", "team", "environment", "topics", "related", "revoked"], "a key")
            return FixtureKey(
                name: try string(key["name"], "a key's name"), isOfOtherTeam: key["team"]?.string == "other",
                environment: try environment(key["environment"]),
                topics: try key["topics"]?.array?.map { try string($0, "a topic") }, related: key["related"]?.string,
                isRevoked: key["revoked"]?.bool ?? false)
        }
    }

    func certificate(_ json: JSONValue) throws -> FixtureCertificate {
        try allow(json, ["subjectId", "topics", "environment", "validFor"], "the certificate")
        let topics = try (json["topics"]?.array ?? []).map { topic in
            let name = try string(topic, "a topic")
            let suffix = Topic.suffixedPushType(of: Array(name.utf8).span)
            return CertificateIdentity.ListedTopic(name, kind: suffix?.rawValue ?? "app")
        }
        guard let first = topics.first else {
            throw InputError(at: file, "the certificate has no topics")
        }
        return FixtureCertificate(
            subjectID: json["subjectId"]?.string ?? first.name, topics: topics,
            environment: try environment(json["environment"]),
            validFor: try json["validFor"]?.string.map { try seconds($0) } ?? FixtureCertificate.usualValidity)
    }

    private func environment(_ json: JSONValue?) throws -> EnvironmentScope {
        guard let text = json?.string else { return .both }
        guard let environment = EnvironmentScope(rawValue: text) else {
            throw InputError(at: file, "\(text) is no environment")
        }
        return environment
    }
}
