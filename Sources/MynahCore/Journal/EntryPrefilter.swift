package import APNsRules

/// The conditions of a filter that are decided by an entry in place, before anything of it is copied or decoded: for a
/// reader that waits, nearly all pushes have another topic, device or scope.
package struct EntryPrefilter: Sendable {
    // ASCII only: other texts can be equal although their bytes differ.
    private var topics: [[UInt8]]?
    private var tokens: Set<DeviceToken>?
    private var scopes: Set<String>?
    private var uniqueIDs: Set<NotificationID>?
    private var statuses = Excluded<Int16>()
    private var outcomes = Excluded<Outcome>()
    private var reasons = Excluded<Reason>()
    // Lower-case ASCII without line ends: an ASCII payload without escapes has these bytes where it has the text.
    private var texts: [[UInt8]] = []

    /// The values that a condition rules out, of those that were tried: the usual ones, and none at all.
    private struct Excluded<Value: Hashable & Sendable>: Sendable {
        private var values: Set<Value> = []
        private var excludesAbsent = false

        mutating func exclude(_ matcher: Matcher, of usual: [Value], _ json: (Value) -> JSONValue) {
            values.formUnion(usual.filter { !matcher.matches(anyOf: [json($0)]) })
            excludesAbsent = excludesAbsent || !matcher.matches(anyOf: [])
        }

        func contains(_ value: Value?) -> Bool { value.map { values.contains($0) } ?? excludesAbsent }
    }

    package init(_ filter: Filter = Filter()) {
        for condition in filter.conditions {
            let matcher = condition.matcher
            switch (condition.field, matcher) {
            case (.key(.status), _):
                let usual = [200] + Set(Reason.allCases.map { Int16($0.status) })
                statuses.exclude(matcher, of: usual) { .whole($0) }
            case (.key(.outcome), _): outcomes.exclude(matcher, of: Outcome.allCases) { .string($0.rawValue) }
            case (.key(.reason), _): reasons.exclude(matcher, of: Reason.allCases) { .string($0.rawValue) }
            case (.key(.text), .contains(let text)) where text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0A }:
                texts.append(Array(text.utf8))
            default: break
            }
            guard let values = matcher.exactValues else { continue }
            let texts = values.compactMap(\.string)
            guard texts.count == values.count else { continue }
            switch condition.field {
            case .key(.topic) where texts.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }:
                topics = texts.map { Array($0.utf8) }
            case .key(.token):
                tokens = Set(texts.compactMap { DeviceToken($0, byteCounts: 1...DeviceToken.byteCountMax) })
            case .key(.scope): scopes = Set(texts)
            case .key(.uniqueId): uniqueIDs = Set(texts.compactMap { NotificationID($0) })
            default: break
            }
        }
    }

    /// A prefilter for the push with an `apns-unique-id`.
    package init(uniqueID: NotificationID) { uniqueIDs = [uniqueID] }

    /// Whether an entry may pass the filter; `false` is certain.
    func mayPass(_ entry: EntryFacts) -> Bool {
        if statuses.contains(entry.status) || outcomes.contains(entry.outcome) { return false }
        // Another reason than those of APNs is among the notes.
        if entry.reason != nil || !entry.hasNotes, reasons.contains(entry.reason) { return false }
        if let tokens {
            guard let token = entry.token, tokens.contains(token) else { return false }
        }
        if let scopes {
            guard let scope = entry.label?.scope, scopes.contains(scope) else { return false }
        }
        if let uniqueIDs {
            guard let uniqueID = entry.uniqueID, uniqueIDs.contains(uniqueID) else { return false }
        }
        guard let topics, let place = entry.topicPlace else { return true }
        let topic = entry.bytes.span.extracting(place)
        return topics.contains { topic.equals($0) }
    }

    /// Whether the payload may have the texts that the filter asks for; `false` is certain.
    ///
    /// Takes time in proportion to the payload, so the journal's lock must not be held.
    package func mayHaveTexts(_ entry: Entry) -> Bool {
        guard !texts.isEmpty, entry.body.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) else { return true }
        let payload = entry.body.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return texts.allSatisfy { payload.span.contains($0.span) }
    }
}

/// The members of an entry that a prefilter reads: copying them costs less than copying the entry.
struct EntryFacts {
    let token: DeviceToken?
    let label: DeviceLabel?
    let uniqueID: NotificationID?
    let status: Int16?
    let outcome: Outcome
    let reason: Reason?
    let hasNotes: Bool
    let bytes: [UInt8]
    let topicPlace: Range<Int>?

    @inline(__always)
    init(_ entry: borrowing Entry) {
        (token, label, uniqueID) = (entry.token, entry.label, entry.uniqueID)
        (status, outcome, reason, hasNotes) = (entry.status, entry.outcome, entry.reason, entry.hasNotes)
        (bytes, topicPlace) = (entry.bytes, entry.topicPlace)
    }
}
