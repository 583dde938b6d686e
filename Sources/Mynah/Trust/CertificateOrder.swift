package import APNsRules
internal import MynahCore
package import MynahTrust

/// A request for a provider certificate (`mynah certs provider`, `POST /v1/certificates`).
package struct CertificateOrder: Sendable {
    /// The default validity in days: about 13 months, like Apple's.
    package static let daysDefault = 398
    /// The longest validity in days; no certificate outlives its CA, which is valid for ten years.
    package static let daysMax = 3600
    /// The most topics of a certificate; Apple's have an app and its services, a handful.
    package static let topicsMax = 32
    /// Not empty, because Java and macOS don't open such files, and no secret: the key is also given without one.
    package static let passwordDefault = "mynah"
    /// How long before its issue a certificate's validity begins, for clients whose clock is slow, and how long before
    /// its issue that of an expired one ends.
    private static let margin: Duration = .seconds(24 * 3600)

    /// The topics, the app's bundle id first.
    package var topics: [String]
    package var voip = false
    package var complication = false
    package var environment = EnvironmentScope.both
    /// The validity in days, 1 to ``daysMax``.
    package var days = CertificateOrder.daysDefault
    package var isExpired = false
    package var password = CertificateOrder.passwordDefault

    package init(topics: [String]) { self.topics = topics }

    /// The body of `POST /v1/certificates`.
    package var json: JSONValue {
        [
            "topics": .texts(topics), "voip": .bool(voip), "complication": .bool(complication),
            "environment": .string(environment.rawValue), "days": .whole(days),
            "expired": .bool(isExpired), "password": .string(password),
        ]
    }

    package static func isTopic(_ text: String) -> Bool { Topic.isWellFormed(text.utf8Span.span) }

    /// Throws `TrustError` with `badSetting` for topics and times that no certificate can have.
    package func request(now: Instant) throws(TrustError) -> ProviderCertificateRequest {
        let validity: Duration = .seconds(days * 24 * 3600)
        let past = now.advanced(by: .zero - CertificateOrder.margin)
        let (notBefore, notAfter) =
            isExpired ? (past.advanced(by: .zero - validity), past) : (past, now.advanced(by: validity))
        return try ProviderCertificateRequest(
            topics: topics, voip: voip, complication: complication, environment: environment, notBefore: notBefore,
            notAfter: notAfter)
    }
}
