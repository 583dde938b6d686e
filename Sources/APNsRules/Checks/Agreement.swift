/// Whether push type, topic, priority and payload agree (`ProviderAPI#Agreement`).
///
/// Each contradiction is a warning in the journal. APNs was seen to refuse one of them, an alert or background push to a
/// VoIP topic; with `--push-type-check strict` each is refused. The device table does that, because a device token of
/// another topic comes first (`ProviderAPI#Order-of-checks`).
package enum Agreement {
    package struct Contradiction: Sendable, Equatable {
        package let text: String
        package let reason: Reason
    }

    /// Whether a push has a contradiction that is refused; `payload` is `nil` if the body is not JSON or wasn't parsed.
    static func isRefused(_ push: borrowing Candidate, topic: CandidateTopic, payload: JSONValue?) -> Bool {
        let bytes = topic.bytes.span.extracting(topic.place)
        guard push.settings.pushTypeCheck == .strict else { return isAlwaysRefused(push.pushType, bytes) }
        return !contradictions(pushType: push.pushType, topic: bytes, priority: push.priority, payload: payload).isEmpty
    }

    /// Whether APNs was seen to refuse a push type for a topic; it accepts the push without one.
    @inline(__always)
    private static func isAlwaysRefused(_ pushType: PushType?, _ topic: Span<UInt8>) -> Bool {
        guard pushType == .alert || pushType == .background else { return false }
        return topic.ends(with: PushType.voip.topicSuffix) && Topic.suffixedPushType(of: topic) == .voip
    }

    /// The refusal of a push for its first contradiction, if it has one: between type and topic before all others.
    package static func refusal(
        pushType: PushType?, topic: Span<UInt8>, priority: Priority?, payload: JSONValue?
    ) -> Refusal? {
        contradictions(pushType: pushType, topic: topic, priority: priority, payload: payload).first
            .map { Refusal($0.reason, $0.text) }
    }

    /// The contradictions of one push; `nil` stands for a field that was not sent, or a body that is not JSON.
    ///
    /// A missing priority counts as 10, its default, and a missing push type as the one that topic and payload imply
    /// (`ProviderAPI#Headers`).
    package static func contradictions(
        pushType: PushType?, topic: Span<UInt8>?, priority: Priority?, payload: JSONValue?
    ) -> [Contradiction] {
        guard let type = pushType ?? PushType(impliedBy: topic, payload: payload) else { return [] }
        let name = "push type \(type.rawValue)" + (pushType == nil ? " (inferred)" : "")
        var kind = TopicKind.app
        if let topic { kind = TopicKind(topic) }
        var found: [Contradiction] = []
        func addContradiction(_ text: String, _ reason: Reason) {
            found.append(Contradiction(text: text, reason: reason))
        }
        if let pushType, let topic, let need = Topic.need(of: pushType, inPlaceOf: topic) {
            addContradiction("\(name) needs \(need)", .invalidPushType)
        }
        // Wallet and device management read no `aps`, at any priority.
        guard kind != .pass, kind != .management else { return found }
        // Without a push type, a payload without `aps` implies nothing.
        if let payload, pushType != nil || payload["aps"]?.object != nil {
            let aps = payload["aps"]
            let visible = PushType.visibleMembers(of: aps)
            if type == .alert, visible.isEmpty {
                addContradiction("\(name) without alert, badge or sound in aps", .invalidPushType)
            }
            if type == .background, !visible.isEmpty {
                addContradiction("\(name) with \(visible.joined(separator: " and ")) in aps", .invalidPushType)
            }
            // An alert push with nothing to show is meant to wake the app.
            let isSilentAlert = type == .alert && visible.isEmpty && aps?["content-available"] != nil
            if type == .background || isSilentAlert, let problem = ContentAvailable(aps).problem {
                addContradiction(problem, .invalidPushType)
            }
        }
        switch (type, priority ?? .immediate) {
        case (.background, .immediate): addContradiction("\(name) with priority 10; 5 was expected", .badPriority)
        case (.liveactivity, .lowest): addContradiction("\(name) with priority 1; 5 or 10 was expected", .badPriority)
        default: break
        }
        return found
    }
}
