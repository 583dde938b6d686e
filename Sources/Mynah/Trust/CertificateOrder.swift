package import APNsRules
package import MynahCore
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
    /// its issue an expired one's validity ends.
    private static let margin: Duration = .seconds(24 * 3600)

    /// The topics, the app's bundle id first.
    package var topics: [String]
    package var voip = false
    package var complication = false
    /// `nil` for the environment of Apple's certificates for such a topic: both, or production for MDM, Wallet and
    /// Safari.
    package var environment: EnvironmentScope?
    /// The validity in days, 1 to ``daysMax``.
    package var days = CertificateOrder.daysDefault
    package var isExpired = false
    package var keyType = ProviderKeyType.rsa
    package var password = CertificateOrder.passwordDefault
    /// A certificate signing request, PEM, for whose key the certificate is; `nil` to have a key made.
    ///
    /// With one there is no PKCS #12 and so no password.
    package var signingRequest: String?

    package init(topics: [String]) { self.topics = topics }

    /// The body of `POST /v1/certificates`.
    package var json: JSONValue { .object(CertificateOrder.fields.remakingMembers(of: self)) }

    private static let fields: Fields<CertificateOrder> = [
        Field(
            Member(
                "topics", .array(of: .topic, 1...topicsMax), summary: "The topics, the app's bundle id first.",
                isRequired: true)
        ) { .texts($0.topics) },
        Field(
            Member("voip", .bool, summary: "Whether the app's VoIP topic is included.", default: false)
        ) { .bool($0.voip) },
        Field(
            Member("complication", .bool, summary: "Whether the app's complication topic is included.", default: false)
        ) { .bool($0.complication) },
        Field(
            Member(
                "environment", .choice(EnvironmentScope.self),
                summary: "By default both; production for a topic of MDM, Wallet (pass.) or Safari (web.)."),
            given: { order in order.environment.map { .string($0.rawValue) } }),
        Field(
            Member(
                "days", .integer(1...Int64(daysMax)), summary: "How many days it is valid.",
                default: .whole(daysDefault))
        ) { .whole($0.days) },
        Field(
            Member("expired", .bool, summary: "Whether it is issued already expired.", default: false)
        ) { .bool($0.isExpired) },
        Field(
            Member(
                "keyType", .choice(ProviderKeyType.self), summary: "The key to make: RSA of 2048 bits, or EC on P-256.",
                default: .string(ProviderKeyType.rsa.rawValue)),
            given: { $0.signingRequest == nil ? .string($0.keyType.rawValue) : nil }),
        Field(
            Member(
                "password", .someText, summary: "The password of the PKCS #12 file.", default: .string(passwordDefault)),
            given: { $0.signingRequest == nil ? .string($0.password) : nil }),
        Field(
            Member(
                "csr", .someText,
                summary: "A certificate signing request, PEM, for whose key the certificate is; instead of keyType and "
                    + "password. Its subject doesn't count."),
            given: { order in order.signingRequest.map { .string($0) } }),
    ]
    package static let schema = fields.making

    /// The key of the request, or a new one, which for RSA takes some hundred milliseconds on a busy machine; throws a
    /// `TrustError` for a bad request, as a clause about it.
    package func subject() throws(TrustError) -> ProviderSubject {
        if let signingRequest { return try ProviderSubject(request: signingRequest) }
        return try ProviderSubject.generate(keyType)
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
