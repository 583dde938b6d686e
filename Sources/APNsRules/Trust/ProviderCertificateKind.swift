/// The algorithm of a provider certificate's key.
public enum ProviderKeyType: String, CaseIterable, Sendable {
    /// RSA of 2048 bits, as in the requests that Keychain Access makes.
    case rsa
    /// An EC key on P-256.
    case ec
}

/// What a provider certificate is for, which Apple's certificates say by the beginning of their topic
/// (`ProviderAPI#Certificates`).
package enum ProviderCertificateKind: Sendable {
    case app
    /// Device management: `com.apple.mgmt.External.…`.
    case management
    /// A pass in Wallet: `pass.…`.
    case wallet
    /// A website's notifications in Safari: `web.…`.
    case website

    package init(topic: String) {
        let bytes = topic.utf8Span.span
        if Topic.impliedPushType(of: bytes) == .mdm {
            self = .management
        } else if topic.hasPrefix("pass.") {
            self = .wallet
        } else {
            self = topic.hasPrefix("web.") ? .website : .app
        }
    }

    /// The environments of Apple's certificates of this kind.
    package var environment: EnvironmentScope { self == .app ? .both : .production }

    /// The common name of Apple's certificates for a topic (observed in certificates).
    package func commonName(of topic: String) -> String {
        switch self {
        case .app: "Apple Push Services: \(topic)"
        case .management: "APSP:" + (topic.split(separator: ".").last ?? "")
        case .wallet: "Pass Type ID: \(topic)"
        case .website: "Website Push ID: \(topic)"
        }
    }
}
