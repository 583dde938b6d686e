/// The rules for `apns-topic`: a bundle id with, for some push types, a suffix (`ProviderAPI#Headers`,
/// `ProviderAPI#Push-types-and-topics`); a namespace, because on the push path a topic stays the bytes that were sent.
public enum Topic {
    /// Whether a topic has 1 to ``Limits/topicBytesMax`` letters, digits, hyphens and periods, as bundle ids have.
    public static func isWellFormed(_ topic: Span<UInt8>) -> Bool {
        guard !topic.isEmpty, topic.count <= Limits.topicBytesMax else { return false }
        for index in 0..<topic.count where !isAllowed(topic[index]) { return false }
        return true
    }

    // A bit for each character below 0x40, and for each from 0x40 to 0x7F, since every character of every push's topic
    // is looked up.
    @inline(__always)
    private static func isAllowed(_ character: UInt8) -> Bool {
        let digitsHyphenAndPeriod: UInt64 = 0x03FF_6000_0000_0000
        let letters: UInt64 = 0x07FF_FFFE_07FF_FFFE
        let allowed = character & 0x40 == 0 ? digitsHyphenAndPeriod : letters
        return character < 0x80 && allowed >> UInt64(character & 0x3F) & 1 == 1
    }

    /// The push type whose suffix the topic ends with, or `nil` for a plain bundle id, for passes and for device
    /// management.
    public static func suffixedPushType(of topic: Span<UInt8>) -> PushType? {
        let found = PushType.suffixed.first {
            topic.count > $0.topicSuffix.utf8.count && topic.ends(with: $0.topicSuffix)
        }
        guard let found else { return nil }
        return switch TopicKind(topic) {
        case .app, .website: found
        case .pass, .management: nil
        }
    }

    /// Whether a topic is a bundle id: well formed, and without the suffix of a push type.
    public static func isBundleID(_ topic: Span<UInt8>) -> Bool {
        isWellFormed(topic) && suffixedPushType(of: topic) == nil
    }

    /// The push type that a topic implies: the one of its suffix, or `mdm` for the topic of an MDM push certificate;
    /// `nil` for a plain bundle id, a pass and a website.
    public static func impliedPushType(of topic: Span<UInt8>) -> PushType? {
        TopicKind(topic) == .management ? .mdm : suffixedPushType(of: topic)
    }

    /// Whether a topic is listed, or is a suffixed topic of a listed bundle id (inferred).
    package static func isCovered(_ topic: Span<UInt8>, by listed: [String]) -> Bool {
        let suffixCount = suffixedPushType(of: topic)?.topicSuffix.utf8.count ?? 0
        let bundleID = topic.extracting(0..<(topic.count - suffixCount))
        for name in listed where topic.equals(name) || bundleID.equals(name) { return true }
        return false
    }

    /// What a push type would need in place of a topic, as the end of a sentence; `nil` if the topic fits it
    /// (`ProviderAPI#Agreement`).
    static func need(of pushType: PushType, inPlaceOf topic: Span<UInt8>) -> String? {
        let kind = TopicKind(topic)
        switch (pushType, kind) {
        case (.mdm, .management), (.alert, .pass), (.background, .pass): return nil
        case (.mdm, _): return "a topic that begins with \(TopicKind.managementPrefix)"
        case (_, .management): return "a topic of an app; mdm was expected"
        default: break
        }
        let suffix = pushType.topicSuffix
        guard suffixedPushType(of: topic) != (suffix.isEmpty ? nil : pushType) else { return nil }
        return suffix.isEmpty ? "a topic without a suffix" : "a topic that ends with \(suffix)"
    }
}

/// What a topic names, by how Apple's identifiers begin (`ProviderAPI#Topics-that-are-no-bundle-ids`).
public enum TopicKind: Sendable {
    /// An app, by its bundle id, with or without a suffix.
    case app
    /// Wallet passes of one type, by its identifier.
    case pass
    /// A website, by its website push identifier; Safari shows its pushes.
    case website
    /// The devices that an MDM server manages.
    case management

    static let managementPrefix = "com.apple.mgmt."

    /// The kind of a topic.
    public init(_ topic: Span<UInt8>) {
        if TopicKind.begins(topic, "pass.") {
            self = .pass
        } else if TopicKind.begins(topic, "web.") {
            self = .website
        } else {
            self = TopicKind.begins(topic, TopicKind.managementPrefix) ? .management : .app
        }
    }

    private static func begins(_ topic: Span<UInt8>, _ prefix: String) -> Bool {
        topic.count > prefix.utf8.count && topic.starts(with: prefix)
    }
}
