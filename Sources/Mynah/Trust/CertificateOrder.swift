package import APNsRules
package import MynahTrust

/// What a provider certificate is to be (`mynah certs provider`, `POST /v1/certificates`).
package struct CertificateOrder: Sendable {
    /// Days for which a certificate is good when nobody says it: about 13 months, as Apple's are.
    package static let daysDefault = 398
    /// The most days that can be asked for; no certificate outlives its CA, and a new one is good for ten years.
    package static let daysMax = 3600
    /// The most topics of a certificate; Apple's have an app and its services, a handful.
    package static let topicsMax = 32
    /// The password of PKCS #12 files when nobody chooses one.
    ///
    /// Not empty, because Java and macOS do not open files whose password is; no secret, because the key lies beside
    /// them without one.
    package static let passwordDefault = "mynah"

    /// How long before its making a certificate is good, for whoever's clock is behind.
    private static let backdating: Duration = .seconds(24 * 3600)
    /// How long ago an expired certificate has ended.
    private static let expiredFor: Duration = .seconds(24 * 3600)

    /// The topics, the app's bundle id first.
    package var topics: [String]
    /// Whether the app's VoIP topic is among them.
    package var voip = false
    /// Whether the app's complication topic is among them.
    package var complication = false
    /// Where it is good.
    package var environment = EnvironmentScope.both
    /// For how many days it is good, 1 to ``daysMax``.
    package var days = CertificateOrder.daysDefault
    /// Whether its time is over already.
    package var isExpired = false
    /// What its PKCS #12 file is encrypted with.
    package var password = CertificateOrder.passwordDefault

    /// A certificate for topics, the app's bundle id first.
    package init(topics: [String]) {
        self.topics = topics
    }

    /// The body of `POST /v1/certificates`.
    package var json: JSONValue {
        [
            "topics": .array(topics.map { .string($0) }),
            "voip": .bool(voip),
            "complication": .bool(complication),
            "environment": .string(environment.rawValue),
            "days": .number(JSONNumber(days)),
            "expired": .bool(isExpired),
            "password": .string(password),
        ]
    }

    /// Whether a text can be a topic of a certificate.
    package static func isTopic(_ text: String) -> Bool { Topic.isWellFormed(text.utf8Span.span) }

    /// The order with its times, as trust takes it.
    ///
    /// - Throws: `TrustError` with `badSetting` for topics and times that no certificate can have.
    package func request(now: Instant) throws(TrustError) -> ProviderCertificateRequest {
        let validity: Duration = .seconds(days * 24 * 3600)
        let notAfter = now.advanced(by: isExpired ? .zero - CertificateOrder.expiredFor : validity)
        let notBefore =
            isExpired
            ? notAfter.advanced(by: .zero - validity) : now.advanced(by: .zero - CertificateOrder.backdating)
        return try ProviderCertificateRequest(
            topics: topics, voip: voip, complication: complication, environment: environment, notBefore: notBefore,
            notAfter: notAfter)
    }
}
