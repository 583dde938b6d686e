/// Who a provider certificate speaks for, as its subject and Apple's extensions say (`ProviderAPI#Certificates`).
///
/// Made by `MynahTrust` from a certificate that a known CA signed. A class so that the connection and every journal
/// entry share one copy.
package final class CertificateIdentity: Sendable {
    /// One entry of the topic list, extension 1.2.840.113635.100.6.3.6.
    package struct ListedTopic: Sendable, Hashable {
        /// The topic, with its suffix if it has one.
        package let name: String
        /// What Apple calls it: `app`, `voip`, `complication`.
        package let kind: String

        /// An entry.
        package init(_ name: String, kind: String) {
            self.name = name
            self.kind = kind
        }
    }

    /// The subject as one line for people, escaped as RFC 4514 has it, in the certificate's order.
    package let subject: String
    /// The subject's UID attribute: the bundle id, or the topic of an MDM certificate.
    package let subjectID: String?
    /// The topics it may push to: those listed, or else the UID, with `.voip` where extension 6.3.4 says so.
    package let topics: [ListedTopic]
    /// Where it is good: extensions 6.3.1 (sandbox) and 6.3.2 (production); both where it has neither.
    package let environment: EnvironmentScope
    /// The serial number in capital hexadecimal digits; names the certificate in the API and in the CLI.
    package let serialNumber: String
    /// The first moment at which it is valid.
    package let notBefore: Instant
    /// The last moment at which it is valid.
    package let notAfter: Instant
    /// The CA that signed it, as one line like ``subject``; serial numbers are unique within one CA only.
    package let issuer: String

    /// An identity.
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

    /// The topic of a push that names none: the one topic, if there is just one (`ProviderAPI#Certificates`).
    package var defaultTopic: String? { topics.count == 1 ? topics.first?.name : nil }
}

extension CertificateIdentity: Equatable {
    package static func == (one: CertificateIdentity, other: CertificateIdentity) -> Bool {
        one === other
            || (one.serialNumber == other.serialNumber && one.issuer == other.issuer
                && one.subject == other.subject)
    }
}
