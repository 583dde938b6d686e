extension WebPushJudge {
    /// The fields of which one is read; `Crypto-Key` and `Encryption` are lists, whose parts may be in several.
    private static let singleFields = ["authorization", "ttl", "urgency", "topic", "content-encoding"]

    /// The method is POST (`WebPush#Requests`).
    mutating func checkMethod() {
        guard request.method != "POST" else { return }
        refuse(.methodNotAllowed, "the method is \(request.method): expected POST", .documented)
    }

    /// A field of which one is read is sent once (`WebPush#Requests`).
    mutating func checkRepetition() {
        for name in WebPushJudge.singleFields where request.fields.count(where: { $0.name == name }) > 1 {
            warn(
                "the header \(name) was sent more than once, and the first one counts here: expected it once, "
                    + "since it isn't known which one counts for Apple")
        }
    }

    /// The path is one segment of base64url (`WebPush#Requests`).
    mutating func readPath() {
        let segment = request.path.dropFirst()
        guard request.path.hasPrefix("/"), !segment.isEmpty, segment.utf8.allSatisfy(\.isOfBase64URL),
            segment.utf8.count <= WebPushLimits.segmentCharactersMax
        else {
            let found = request.path.prefix(80)
            refuse(.badPath, "the path is \(found): expected the subscription's, / and one segment", .documented)
            return
        }
        judgement.segment = String(segment)
    }

    /// `TTL` is a whole number of seconds, of which 30 days count (`WebPush#TTL`).
    mutating func readTimeToLive() {
        guard let text = request["ttl"] else {
            return refuse(.badTtl, "no TTL header: expected a number of seconds", .documented)
        }
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
            return refuse(.badTtl, "TTL is \"\(text)\": expected a number of seconds", .inferred)
        }
        let limit = WebPushLimits.storageMax
        // A number with too many digits for 64 bits is more than 30 days.
        let timeToLive = Int64(text).map { Duration.seconds($0) } ?? limit + .seconds(1)
        if timeToLive == .zero {
            warn(
                "TTL is 0, so the push is delivered now or never; Apple documents a positive number, and was seen to "
                    + "accept 0")
        }
        if timeToLive > limit { warn("TTL is \(text): Apple keeps a push for 30 days at most") }
        judgement.timeToLive = min(timeToLive, limit)
    }

    /// `Urgency` is one of four words, if it is sent (`WebPush#Urgency`).
    mutating func readUrgency() {
        let text = request["urgency"] ?? WebPushUrgency.normal.rawValue
        judgement.urgency = WebPushUrgency(rawValue: text)
        guard judgement.urgency == nil else { return }
        let words = WebPushUrgency.allCases.map(\.rawValue).joined(separator: ", ")
        refuse(.badUrgency, "Urgency is \"\(text)\": expected \(words)", .documented)
    }

    /// `Topic` is base64url that can be decoded, if it is sent (`WebPush#Topic`).
    mutating func readTopic() {
        guard let topic = request["topic"] else { return }
        let count = topic.utf8.count
        let limit = WebPushLimits.topicCharactersMax
        var faults: [(cause: String, evidence: Evidence)] = []
        if topic.isEmpty { faults.append(("is empty: expected up to \(limit) characters of base64url", .inferred)) }
        if count > limit { faults.append(("has \(count) characters: expected \(limit) at most", .documented)) }
        if let other = topic.first(where: { $0.asciiValue?.isOfBase64URL != true }) {
            faults.append(
                (
                    "has the character \"\(other)\": expected letters, digits, - and _ only",
                    other == "=" ? .inferred : .documented
                ))
        }
        if count % 4 == 1 {
            let characters = count == 1 ? "1 character" : "\(count) characters"
            faults.append(("has \(characters): base64 never has 4n+1, and Apple decodes it", .observed))
        }
        for fault in faults { refuse(.badWebPushTopic, "Topic \"\(topic.prefix(80))\" \(fault.cause)", fault.evidence) }
        if faults.isEmpty { judgement.topic = topic }
    }
}

extension WebPushJudgement {
    /// Judges whether the subscription exists, and belongs to the request's key (`WebPush#Order-of-checks`).
    package mutating func checkEndpoint(in context: WebPushContext) {
        func refuse(_ reason: Reason, _ cause: String, _ evidence: Evidence) {
            findings.refusals.append(WebPushRefusal(reason, cause, evidence))
        }
        switch context.endpoint {
        case .unasked: return
        case .unknown: refuse(.unregistered, "no subscription has this endpoint", .inferred)
        case .gone(let cause): refuse(.unregistered, cause, .documented)
        case .active(let subscribed):
            guard let key = credential?.key, key != subscribed else { break }
            let owner = context.knownKeys().first { $0.point == key }.map { ", that of \($0.name)" } ?? ""
            refuse(
                .vapidPkHashMismatch,
                "the key of the request is not the applicationServerKey of the subscription\(owner): expected "
                    + Base64.encode(subscribed, url: true), .observed)
        }
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

extension UInt8 {
    /// Whether the byte is a character of base64url (RFC 4648 §5).
    var isOfBase64URL: Bool { isASCIIAlphanumeric || self == 0x2D || self == 0x5F }
}
