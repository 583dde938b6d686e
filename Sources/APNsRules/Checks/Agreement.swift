/// Whether push type, topic, priority and payload agree (`ProviderAPI#Agreement`).
///
/// APNs is not known to refuse contradictions, so each is a warning in the journal, or with `--push-type-check strict`
/// the first one is a refusal.
package enum Agreement {
    package struct Contradiction: Sendable, Equatable {
        package let text: String
        package let reason: Reason
    }

    /// Refuses the first contradiction if `--push-type-check` is `strict`; `payload` is `nil` if the body is not JSON.
    static func check(_ push: borrowing Candidate, topic: CandidateTopic, payload: JSONValue?) throws(Refusal) {
        guard push.settings.pushTypeCheck == .strict else { return }
        let found = contradictions(
            pushType: push.pushType, topic: topic.bytes.span.extracting(topic.place), priority: push.priority,
            payload: payload)
        if let first = found.first { throw Refusal(first.reason, first.text) }
    }

    /// The contradictions of one push; empty if it has no push type.
    ///
    /// `nil` means not sent, or not JSON. A missing priority counts as 10, the default (`ProviderAPI#Headers`).
    package static func contradictions(
        pushType: PushType?, topic: Span<UInt8>?, priority: Priority?, payload: JSONValue?
    ) -> [Contradiction] {
        guard let pushType else { return [] }
        var found: [Contradiction] = []
        func note(_ text: String, _ reason: Reason) { found.append(Contradiction(text: text, reason: reason)) }
        if let topic, !Topic.matches(topic, pushType) {
            let expected = pushType.topicSuffix.isEmpty ? "without a suffix" : "that ends with \(pushType.topicSuffix)"
            note("push type \(pushType.rawValue) needs a topic \(expected)", .invalidPushType)
        }
        if let payload {
            let aps = payload["aps"]
            let visible = ["alert", "badge", "sound"].filter { aps?[$0] != nil }
            if pushType == .alert, visible.isEmpty {
                note("push type alert without alert, badge or sound in aps", .invalidPushType)
            }
            if pushType == .background, !visible.isEmpty {
                note("push type background with \(visible.joined(separator: " and ")) in aps", .invalidPushType)
            }
        }
        if pushType == .background, (priority ?? .immediate) == .immediate {
            note("push type background with priority 10; 5 was expected", .badPriority)
        }
        return found
    }
}
