/// Whether push type, topic, priority and payload agree (`ProviderAPI#Agreement`).
///
/// APNs is not known to refuse a push where they contradict each other, so by default each contradiction is a warning in
/// the journal; with `--push-type-check strict` the first one's reason is answered.
package enum Agreement {
    package struct Contradiction: Sendable, Equatable {
        package let text: String
        package let reason: Reason
    }

    /// Refuses a contradiction where the settings say so; `payload` is `nil` if the body is not JSON.
    static func check(_ push: borrowing Candidate, topic: CandidateTopic, payload: JSONValue?) throws(Refusal) {
        guard push.settings.pushTypeCheck == .strict else { return }
        let found = contradictions(
            pushType: push.pushType, topic: topic.bytes.span.extracting(topic.place), priority: push.priority,
            payload: payload)
        if let first = found.first { throw Refusal(first.reason, first.text) }
    }

    /// The contradictions of one push, none without a push type; `nil` stands for a field that was not sent, or a body
    /// that is not JSON, and a missing priority counts as 10, its default (`ProviderAPI#Headers`).
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
            note("push type background with priority 10; 5 is right", .badPriority)
        }
        return found
    }
}
