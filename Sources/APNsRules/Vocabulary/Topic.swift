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

    /// The push type whose suffix the topic ends with, or `nil` for a plain bundle id.
    public static func suffixedPushType(of topic: Span<UInt8>) -> PushType? {
        PushType.suffixed.first { topic.count > $0.topicSuffix.utf8.count && topic.ends(with: $0.topicSuffix) }
    }

    /// Whether a topic is a bundle id: well formed, and without the suffix of a push type.
    public static func isBundleID(_ topic: Span<UInt8>) -> Bool {
        isWellFormed(topic) && suffixedPushType(of: topic) == nil
    }

    /// The push type that a topic implies: the one of its suffix, or `mdm` for the topic of an MDM push certificate;
    /// `nil` for a plain bundle id.
    public static func impliedPushType(of topic: Span<UInt8>) -> PushType? {
        let managementPrefix = "com.apple.mgmt."
        let isManagement = topic.count > managementPrefix.utf8.count && topic.starts(with: managementPrefix)
        return isManagement ? .mdm : suffixedPushType(of: topic)
    }

    /// Whether a topic is listed, or is a suffixed topic of a listed bundle id (inferred).
    package static func isCovered(_ topic: Span<UInt8>, by listed: [String]) -> Bool {
        let suffixCount = suffixedPushType(of: topic)?.topicSuffix.utf8.count ?? 0
        let bundleID = topic.extracting(0..<(topic.count - suffixCount))
        for name in listed where topic.equals(name) || bundleID.equals(name) { return true }
        return false
    }

    /// Whether a topic has the suffix of a push type, or, for a type without one, no suffix; `mdm` matches any topic.
    public static func matches(_ topic: Span<UInt8>, _ pushType: PushType) -> Bool {
        pushType == .mdm || suffixedPushType(of: topic) == (pushType.topicSuffix.isEmpty ? nil : pushType)
    }
}
