/// What a signing key may be used for: the environment, and, for a topic-specific key, the topics
/// (`ProviderAPI#Key-scopes`).
///
/// How many keys a team may have, 2 of the whole team and 200 topic-specific ones in each environment, is a rule of
/// Apple's portal and not of APNs; nothing here counts keys. The ``Limits/topicsOfKeyMax`` topics of a key are held to.
///
/// A class so that every identity, verdict and journal entry of a key shares one copy.
package final class KeyScope: Sendable {
    /// Where the key is good.
    package let environment: EnvironmentScope
    /// The topics of a topic-specific key; `nil` for a key of the whole team.
    package let topics: Set<String>?
    /// The one other topic-specific key that may share a connection with this one; its key id.
    package let relatedKeyID: String?

    /// A scope.
    package init(environment: EnvironmentScope, topics: Set<String>?, relatedKeyID: String? = nil) {
        self.environment = environment
        self.topics = topics
        self.relatedKeyID = relatedKeyID
    }

    /// Whether a key of this scope may push to a topic: any for a key of the whole team, else those listed and, for a
    /// listed bundle id, its suffixed topics (inferred).
    package func covers(_ topic: Span<UInt8>) -> Bool {
        guard let topics else { return true }
        if topics.contains(topic.text) { return true }
        guard let suffix = Topic.suffixedPushType(of: topic)?.topicSuffix else { return false }
        return topics.contains(topic.extracting(0..<(topic.count - suffix.utf8.count)).text)
    }

    /// A key of the whole team, good in both environments, as all keys were before 2025.
    package static let team = KeyScope(environment: .both, topics: nil)
}

extension KeyScope: Hashable {
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
