/// Apple's extensions of provider certificates, by their object identifiers (`ProviderAPI#Certificates`).
enum ProviderExtension: String, CaseIterable {
    /// Good in the sandbox.
    case development = "1.2.840.113635.100.6.3.1"
    /// Good in production.
    case production = "1.2.840.113635.100.6.3.2"
    /// A certificate of the VoIP services.
    case voip = "1.2.840.113635.100.6.3.4"
    /// The list of topics.
    case topics = "1.2.840.113635.100.6.3.6"

    /// The longest content that is read; it has room for ``ProviderTopicList/topicsMax`` topics of the longest kind.
    static let bytesMax = 64 << 10

    /// The name for messages.
    var name: String {
        switch self {
        case .development: "the development extension (\(rawValue))"
        case .production: "the production extension (\(rawValue))"
        case .voip: "the VoIP extension (\(rawValue))"
        case .topics: "the topic list (\(rawValue))"
        }
    }

    /// Identifiers that verification accepts even if they are critical.
    static let identifiers = allCases.map(\.rawValue)
}
