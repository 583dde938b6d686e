/// The method is POST, and the path one segment of base64url (`WebPush#Requests`).
enum WebPushPathCheck {
    static func checkMethod(of request: WebPushRequest, _ findings: inout WebPushFindings) {
        guard request.method != "POST" else { return }
        findings.refuse(.methodNotAllowed, "the method is \(request.method): expected POST", .documented)
    }

    static func segment(of request: WebPushRequest, _ findings: inout WebPushFindings) -> String? {
        let segment = request.path.dropFirst()
        guard request.path.hasPrefix("/"), !segment.isEmpty, segment.utf8.allSatisfy(\.isOfBase64URL),
            segment.utf8.count <= WebPushLimits.segmentCharactersMax
        else {
            findings.refuse(
                .badPath, "the path is \(request.path.prefix(80)): expected the subscription's, / and one segment",
                .documented)
            return nil
        }
        return String(segment)
    }
}

/// A field that a rule reads is sent once (`WebPush#Requests`).
enum RepeatedFieldCheck {
    static func check(_ request: WebPushRequest, _ findings: inout WebPushFindings) {
        for name in request.repeatedNames where WebPushRequest.judgedNames.contains(name) {
            findings.warn(
                "the header \(name) was sent more than once, and the first one counts here: expected it once, "
                    + "since it isn't known which one counts for Apple")
        }
    }
}

/// `TTL` is a whole number of seconds (`WebPush#TTL`).
enum TimeToLiveCheck {
    /// The time to live, at most 30 days.
    static func timeToLive(of request: WebPushRequest, _ findings: inout WebPushFindings) -> Duration? {
        guard let text = request["ttl"] else {
            findings.refuse(.badTtl, "no TTL header: expected a number of seconds", .documented)
            return nil
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            findings.refuse(.badTtl, "TTL is \"\(text)\": expected a number of seconds", .inferred)
            return nil
        }
        let limit = WebPushLimits.storageMax
        // A number of so many digits is more than 30 days.
        let timeToLive = Int64(text).map { Duration.seconds($0) } ?? limit + .seconds(1)
        if timeToLive == .zero {
            findings.warn(
                "TTL is 0, so the push is delivered now or never; Apple documents a positive number, and was seen to "
                    + "accept 0")
        }
        if timeToLive > limit { findings.warn("TTL is \(text): Apple keeps a push for 30 days at most") }
        return min(timeToLive, limit)
    }
}

/// How urgent a push is (RFC 8030 §5.3).
package enum WebPushUrgency: String, CaseIterable, Sendable {
    case veryLow = "very-low"
    case low
    case normal
    case high

    /// The priority that a device treats alike (`WebPush#Urgency`, inferred).
    package var priority: Priority {
        switch self {
        case .veryLow: .lowest
        case .low, .normal: .powerConsiderate
        case .high: .immediate
        }
    }
}

/// `Urgency` is one of four words, if it is sent (`WebPush#Urgency`).
enum UrgencyCheck {
    static func urgency(of request: WebPushRequest, _ findings: inout WebPushFindings) -> WebPushUrgency? {
        guard let text = request["urgency"] else { return .normal }
        guard let urgency = WebPushUrgency(rawValue: text) else {
            let words = WebPushUrgency.allCases.map(\.rawValue).joined(separator: ", ")
            findings.refuse(.badUrgency, "Urgency is \"\(text)\": expected \(words)", .documented)
            return nil
        }
        return urgency
    }
}

/// `Topic` is base64url that can be decoded, if it is sent (`WebPush#Topic`).
enum WebPushTopicCheck {
    static func topic(of request: WebPushRequest, _ findings: inout WebPushFindings) -> String? {
        guard let topic = request["topic"] else { return nil }
        let count = topic.utf8.count
        let limit = WebPushLimits.topicCharactersMax
        func refuse(_ cause: String, _ evidence: Evidence) {
            findings.refuse(.badWebPushTopic, "Topic \"\(topic.prefix(80))\" \(cause)", evidence)
        }
        let other = topic.first { !($0.asciiValue?.isOfBase64URL ?? false) }
        if topic.isEmpty { refuse("is empty: expected up to \(limit) characters of base64url", .inferred) }
        if count > limit { refuse("has \(count) characters: expected \(limit) at most", .documented) }
        if let other {
            refuse(
                "has the character \"\(other)\": expected letters, digits, - and _ only",
                other == "=" ? .inferred : .documented)
        }
        if count % 4 == 1 {
            refuse("has \(count) characters: base64 never has 4n+1, and Apple decodes it", .observed)
        }
        return topic.isEmpty || count > limit || other != nil || count % 4 == 1 ? nil : topic
    }
}

/// The subscription exists, and belongs to the key (`WebPush#Order-of-checks`).
enum WebPushEndpointCheck {
    static func check(key: [UInt8]?, in context: WebPushContext, _ findings: inout WebPushFindings) {
        switch context.endpoint {
        case .unasked: return
        case .unknown: findings.refuse(.unregistered, "no subscription has this endpoint", .inferred)
        case .gone: findings.refuse(.unregistered, "the subscription was removed", .documented)
        case .active(let subscribed):
            guard let key, key != subscribed else { break }
            let owner = context.knownKeys().first { $0.point == key }.map { ", that of \($0.name)" } ?? ""
            findings.refuse(
                .vapidPkHashMismatch,
                "the key of the request is not the applicationServerKey of the subscription\(owner): expected "
                    + Base64.encode(subscribed, url: true), .observed)
        }
    }
}

extension UInt8 {
    /// Whether it is a character of base64url (RFC 4648 §5).
    var isOfBase64URL: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) || self == 0x2D || self == 0x5F
    }
}
