/// The identity in a provider certificate: its subject and Apple's extensions (`ProviderAPI#Certificates`).
///
/// A class, so that the connection and every journal entry share one copy.
package final class CertificateIdentity: Equatable, Sendable {
    /// An entry of a certificate's topic list, extension 1.2.840.113635.100.6.3.6.
    package struct ListedTopic: Sendable, Hashable {
        package let name: String
        /// Apple's name for the kind: `app`, `voip`, `complication`.
        package let kind: String

        package init(_ name: String, kind: String) {
            self.name = name
            self.kind = kind
        }
    }

    /// The subject as one line, escaped by RFC 4514, in the certificate's order.
    package let subject: String
    /// The subject's UID: the bundle id, or the topic of an MDM certificate.
    package let subjectID: String?
    /// The topics that the certificate may push to: the listed ones, or else the UID, with `.voip` too if it has
    /// extension 6.3.4.
    ///
    /// A certificate that names none is accepted with `--auth structural` only, and then for every topic.
    package let topics: [ListedTopic]
    /// Where the certificate is valid: extensions 6.3.1 (sandbox) and 6.3.2 (production); both if it has neither.
    package let environment: EnvironmentScope
    /// The serial number in capital hexadecimal digits, which identifies the certificate in the API and the CLI.
    package let serialNumber: String
    package let notBefore: Instant
    package let notAfter: Instant
    /// The CA that signed it, as one line like ``subject``; serial numbers are unique within one CA only.
    package let issuer: String

    package init(
        subject: String, subjectID: String?, topics: [ListedTopic], environment: EnvironmentScope,
        serialNumber: String, notBefore: Instant, notAfter: Instant, issuer: String = ""
    ) {
        self.subject = subject
        self.subjectID = subjectID
        self.topics = topics
        self.issuer = issuer
        self.environment = environment
        self.serialNumber = serialNumber
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// The topic of a push without `apns-topic`: the certificate's only one, or `nil` (`ProviderAPI#Certificates`).
    package var defaultTopic: String? { topics.count == 1 ? topics.first?.name : nil }

    package static func == (one: CertificateIdentity, other: CertificateIdentity) -> Bool {
        one === other
            || (one.serialNumber, one.issuer, one.subject) == (other.serialNumber, other.issuer, other.subject)
    }
}

/// Whether the certificate that a client presented in its handshake is accepted: a known CA signed it, it is valid now
/// and not revoked, and its extensions are readable (`ProviderAPI#TLS`, `ProviderAPI#Certificates`).
package typealias CertificateVerdict = Result<CertificateIdentity, CertificateFault>

/// Why a client's certificate is refused in the handshake.
package struct CertificateFault: Error, Sendable, Equatable {
    /// The alerts of RFC 8446 §6.2 that concern a client's certificate; RFC 5246 §7.2.2 has the same.
    package enum Alert: String, Sendable, CaseIterable {
        /// The certificate is unreadable, not yet valid, or contradictory.
        case badCertificate = "bad_certificate"
        /// The certificate's key or use is not supported.
        case unsupportedCertificate = "unsupported_certificate"
        case certificateRevoked = "certificate_revoked"
        case certificateExpired = "certificate_expired"
        /// No known CA signed the certificate, or the chain is too long.
        case unknownCA = "unknown_ca"
    }

    package let alert: Alert
    /// What is wrong with which certificate, without a period.
    package let problem: String

    package init(_ alert: Alert, _ problem: String) {
        self.alert = alert
        self.problem = problem
    }
}
