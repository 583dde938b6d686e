/// Where push type, topic, priority and payload contradict each other (`ProviderAPI#Agreement`).
///
/// APNs is not known to refuse any of it, so by default each is a warning in the journal; with
/// `--push-type-check strict` the first one's reason is answered. A push type that was not given cannot
/// contradict anything.
package enum PayloadWarnings {
    /// One contradiction.
    package struct Warning: Sendable, Equatable {
        /// What contradicts what, for people.
        package let text: String
        /// What the strict check answers.
        package let reason: Reason

        /// A contradiction.
        package init(_ text: String, _ reason: Reason) {
            self.text = text
            self.reason = reason
        }
    }

    /// The contradictions of one push; `nil` stands for a field that was not sent, or a body that is not JSON.
    ///
    /// A missing priority counts as 10, its default (`ProviderAPI#Headers`).
    package static func of(
        pushType: PushType?, topic: Span<UInt8>?, priority: Priority?, payload: JSONValue?
    ) -> [Warning] {
        guard let pushType else { return [] }
        var warnings: [Warning] = []
        if let topic, !Topic.matches(topic, pushType) {
            let expected = pushType.topicSuffix.isEmpty ? "without a suffix" : "that ends with \(pushType.topicSuffix)"
            warnings.append(Warning("push type \(pushType.rawValue) needs a topic \(expected)", .invalidPushType))
        }
        if let payload {
            let aps = payload["aps"]
            let visible = ["alert", "badge", "sound"].filter { aps?[$0] != nil }
            if pushType == .alert, visible.isEmpty {
                warnings.append(Warning("push type alert without alert, badge or sound in aps", .invalidPushType))
            }
            if pushType == .background, !visible.isEmpty {
                let names = visible.joined(separator: " and ")
                warnings.append(Warning("push type background with \(names) in aps", .invalidPushType))
            }
        }
        if pushType == .background, (priority ?? .immediate) == .immediate {
            warnings.append(Warning("push type background with priority 10; 5 is right", .badPriority))
        }
        return warnings
    }
}
