/// Who a provider certificate was issued to, by its subject and Apple's extensions (`ProviderAPI#Certificates`).
///
/// A class so that the connection and every journal entry share one copy.
package final class CertificateIdentity: Sendable {
    /// One entry of the topic list, extension 1.2.840.113635.100.6.3.6.
    package struct ListedTopic: Sendable, Hashable {
        /// The topic, with its suffix if it has one.
        package let name: String
        /// What Apple calls it: `app`, `voip`, `complication`.
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
    /// The topics it may push to: those listed, or else the UID, with `.voip` if extension 6.3.4 says so.
    package let topics: [ListedTopic]
    /// Where it is valid: extensions 6.3.1 (sandbox) and 6.3.2 (production); both if it has neither.
    package let environment: EnvironmentScope
    /// The serial number in capital hexadecimal digits, which names it in the API and the CLI.
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
        self.environment = environment
        self.serialNumber = serialNumber
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.issuer = issuer
    }

    /// The topic of a push without `apns-topic`: the only one it has (`ProviderAPI#Certificates`).
    package var defaultTopic: String? { topics.count == 1 ? topics.first?.name : nil }
}

extension CertificateIdentity: Equatable {
    package static func == (one: CertificateIdentity, other: CertificateIdentity) -> Bool {
        one === other
            || (one.serialNumber == other.serialNumber && one.issuer == other.issuer
                && one.subject == other.subject)
    }
}
