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

    /// The contradictions of one push; `nil` stands for a field that was not sent, or a body that is not JSON.
    ///
    /// A missing priority counts as 10, its default, and a missing push type as the one that topic and payload imply
    /// (`ProviderAPI#Headers`).
    package static func contradictions(
        pushType: PushType?, topic: Span<UInt8>?, priority: Priority?, payload: JSONValue?
    ) -> [Contradiction] {
        let type = pushType ?? PushType(impliedBy: topic, payload: payload)
        let name = "push type \(type.rawValue)" + (pushType == nil ? " (inferred)" : "")
        var found: [Contradiction] = []
        func note(_ text: String, _ reason: Reason) { found.append(Contradiction(text: text, reason: reason)) }
        if let pushType, let topic, !Topic.matches(topic, pushType) {
            let expected = pushType.topicSuffix.isEmpty ? "without a suffix" : "that ends with \(pushType.topicSuffix)"
            note("\(name) needs a topic \(expected)", .invalidPushType)
        }
        // Without a push type, a payload without `aps` implies nothing.
        if let payload, pushType != nil || payload["aps"]?.object != nil {
            let aps = payload["aps"]
            let visible = PushType.visibleMembers(of: aps)
            if type == .alert, visible.isEmpty {
                note("\(name) without alert, badge or sound in aps", .invalidPushType)
            }
            if type == .background, !visible.isEmpty {
                note("\(name) with \(visible.joined(separator: " and ")) in aps", .invalidPushType)
            }
            // An alert push with nothing to show is meant to wake the app.
            let isSilentAlert = type == .alert && visible.isEmpty && aps?["content-available"] != nil
            if type == .background || isSilentAlert, let problem = ContentAvailable(aps).problem {
                note(problem, .invalidPushType)
            }
        }
        switch (type, priority ?? .immediate) {
        case (.background, .immediate): note("\(name) with priority 10; 5 was expected", .badPriority)
        case (.liveactivity, .lowest): note("\(name) with priority 1; 5 or 10 was expected", .badPriority)
        default: break
        }
        return found
    }
}
