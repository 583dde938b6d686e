/// What a signing key may be used for: the environment, and, for a topic-specific key, the topics
/// (`ProviderAPI#Key-scopes`); a class so that every identity, verdict and journal entry of a key shares one copy.
///
/// How many keys a team may have is a rule of Apple's portal, not of APNs, so it is not checked.
package final class KeyScope: Hashable, Sendable {
    package let environment: EnvironmentScope
    /// The topics of a topic-specific key; `nil` for a key of the whole team.
    package let topics: Set<String>?
    /// The id of the one other topic-specific key that may share a connection with this one.
    package let relatedKeyID: String?

    package init(environment: EnvironmentScope, topics: Set<String>?, relatedKeyID: String? = nil) {
        self.environment = environment
        self.topics = topics
        self.relatedKeyID = relatedKeyID
    }

    /// Whether the key may push to a topic: a listed one or, for a listed bundle id, its suffixed topics (inferred).
    package func covers(_ topic: Span<UInt8>) -> Bool {
        guard let topics else { return true }
        if topics.contains(topic.text) { return true }
        guard let suffix = Topic.suffixedPushType(of: topic)?.topicSuffix else { return false }
        return topics.contains(topic.extracting(0..<(topic.count - suffix.utf8.count)).text)
    }

    /// The scope of a key of the whole team for both environments, as all keys were before 2025.
    package static let team = KeyScope(environment: .both, topics: nil)

    package static func == (one: KeyScope, other: KeyScope) -> Bool {
        one === other
            || (one.environment == other.environment && one.topics == other.topics
                && one.relatedKeyID == other.relatedKeyID)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(environment)
        hasher.combine(topics)
        hasher.combine(relatedKeyID)
    }
}
