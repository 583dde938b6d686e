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
    package var json: JSONValue {
        let members = [
            JSONMember("topics", .texts(topics)), JSONMember("voip", .bool(voip)),
            JSONMember("complication", .bool(complication)), JSONMember("days", .whole(days)),
            JSONMember("expired", .bool(isExpired)),
        ]
        let choice = environment.map { JSONMember("environment", .string($0.rawValue)) }
        let own =
            if let signingRequest {
                [JSONMember("csr", .string(signingRequest))]
            } else {
                [JSONMember("keyType", .string(keyType.rawValue)), JSONMember("password", .string(password))]
            }
        return .object(members + [choice].compactMap(\.self) + own)
    }

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
