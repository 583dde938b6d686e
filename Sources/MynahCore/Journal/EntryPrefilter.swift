package import APNsRules

/// The conditions of a filter that are decided by an entry in place, before anything of it is copied or decoded: for a
/// reader that waits, nearly all pushes have another topic, device or scope.
///
/// Written by hand and not from the facts of `FilterKey`, because each reader that waits asks it for every push.
package struct EntryPrefilter: Sendable {
    /// What an entry is by the conditions that were checked.
    enum Verdict {
        /// The entry does not match.
        case rejected
        /// The entry has to be decoded to be matched.
        case undecided
        /// The entry matches.
        case accepted
    }

    // ASCII only: other texts can be equal although their bytes differ.
    private var topics: [[UInt8]]?
    private var topicCounts = Mask()
    private var tokens: Set<DeviceToken>?
    private var tokenSpreads = Mask()
    private var scopes: Set<String>?
    private var acceptsNoScope = false
    private var uniqueIDs: Set<NotificationID>?
    private var statuses = Excluded<Int16>()
    private var outcomes = Excluded<Outcome>()
    private var reasons = Excluded<Reason>()
    // Lower-case ASCII without line ends: an ASCII payload without escapes has these bytes where it has the text.
    private var texts: [[UInt8]] = []
    // Texts that must be on the screen; for a device without a screen the payload has them.
    private var screenTexts: [[UInt8]] = []
    private static let screenTextNames = ["title", "subtitle", "body"]
    // A part of the names of members by which the screen shows another text than the payload has (`loc-key`,
    // `title-loc-args`).
    private static let localized = Array("loc-".utf8)
    // Whether all conditions are among those above and certain for usual values.
    private var isComplete = true

    /// A set of numbers modulo 64, which excludes most other numbers before a real set is searched.
    private struct Mask: Sendable {
        private var bits: UInt64 = 0
        mutating func insert(_ number: UInt64) { bits |= 1 &<< number }
        func mayContain(_ number: UInt64) -> Bool { bits &>> number & 1 == 1 }
    }

    /// The values that a condition excludes, of the values that were tried: the usual ones, and no value.
    private struct Excluded<Value: Hashable & Sendable>: Sendable {
        private var values: Set<Value> = []
        private var tried: Set<Value> = []
        private var excludesAbsent = false
        private var isAsked = false

        /// Takes a condition in; `usual` are the values that are tried.
        mutating func exclude(_ matcher: Matcher, of usual: [Value], _ json: (Value) -> JSONValue) {
            isAsked = true
            tried.formUnion(usual)
            values.formUnion(usual.filter { !matcher.matches(anyOf: [json($0)]) })
            excludesAbsent = excludesAbsent || !matcher.matches(anyOf: [])
        }

        @inline(__always)
        func verdict(on value: Value?, isKnown: Bool = true) -> Verdict {
            guard isAsked else { return .accepted }
            guard isKnown else { return .undecided }
            guard let value else { return excludesAbsent ? .rejected : .accepted }
            return values.contains(value) ? .rejected : tried.contains(value) ? .accepted : .undecided
        }
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
                isComplete = false
            case (.place(.payload, _), _): addText(of: matcher, in: \.texts)
            case (.place(.screen, let pointer), _):
                let isText = pointer.steps.count == 1 && EntryPrefilter.screenTextNames.contains(pointer.steps[0])
                if isText { addText(of: matcher, in: \.screenTexts) } else { isComplete = false }
            default: isComplete = addExactValues(of: condition) && isComplete
            }
        }
    }

    // Adds the text without which a condition isn't met, if it is as long in JSON.
    private mutating func addText(
        of matcher: Matcher, in texts: WritableKeyPath<EntryPrefilter, [[UInt8]]>
    ) {
        isComplete = false
        switch matcher {
        case .equal(.string(let text)), .prefix(let text), .contains(let text):
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return }
            self[keyPath: texts].append(Array(text.lowercased().utf8))
        default: break
        }
    }

    // Whether the condition is certain for the entries that have what it asks for.
    private mutating func addExactValues(of condition: Filter.Condition) -> Bool {
        guard let values = condition.matcher.exactValues else { return false }
        let texts = values.compactMap(\.string)
        guard texts.count == values.count else { return false }
        let areASCII = texts.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        switch condition.field {
        case .key(.topic) where areASCII && topics == nil:
            topics = texts.map { Array($0.utf8) }
            for text in texts { topicCounts.insert(UInt64(text.utf8.count)) }
            return true
        case .key(.token) where tokens == nil:
            let read = texts.compactMap { DeviceToken($0, byteCounts: 1...DeviceToken.byteCountMax) }
            for token in read { tokenSpreads.insert(token.spread) }
            tokens = Set(read)
            return read.map(\.hex) == texts
        case .key(.scope) where scopes == nil:
            scopes = Set(texts)
            return areASCII
        case .key(.uniqueId) where uniqueIDs == nil:
            uniqueIDs = Set(texts.compactMap { NotificationID($0) })
            return false
        default: return false
        }
    }

    /// A prefilter for the push with an `apns-unique-id`.
    package init(uniqueID: NotificationID) {
        uniqueIDs = [uniqueID]
        isComplete = false
    }

    /// A prefilter for the pushes of a scope and of none.
    package init(scopeOrNone scope: String) {
        scopes = [scope]
        acceptsNoScope = true
    }

    /// What is certain of an entry.
    func verdict(on entry: EntryFacts) -> Verdict {
        var isCertain = isComplete
        if let tokens {
            guard let token = entry.token, tokenSpreads.mayContain(token.spread), tokens.contains(token) else {
                return .rejected
            }
        }
        if let topics {
            if let place = entry.topicPlace {
                guard topicCounts.mayContain(UInt64(place.count)) else { return .rejected }
                let topic = entry.bytes.span.extracting(place)
                guard topics.contains(where: { topic.equals($0) }) else { return .rejected }
            } else {
                isCertain = false
            }
        }
        if let scopes {
            if let scope = entry.label?.scope {
                guard scopes.contains(scope) else { return .rejected }
            } else if !acceptsNoScope {
                return .rejected
            }
        }
        if let uniqueIDs {
            guard let uniqueID = entry.uniqueID, uniqueIDs.contains(uniqueID) else { return .rejected }
        }
        // A reason that is not one of APNs is kept in the entry's notes.
        let isReasonKnown = entry.reason != nil || !entry.hasNotes
        let status = statuses.verdict(on: entry.status)
        let outcome = outcomes.verdict(on: entry.outcome)
        let reason = reasons.verdict(on: entry.reason, isKnown: isReasonKnown)
        if status == .rejected || outcome == .rejected || reason == .rejected { return .rejected }
        isCertain = isCertain && status == .accepted && outcome == .accepted && reason == .accepted
        return isCertain ? .accepted : .undecided
    }

    /// Whether the payload may have the texts that the filter asks for; `false` is certain.
    ///
    /// Takes time in proportion to the payload, so the journal's lock must not be held.
    package func mayHaveTexts(_ entry: Entry) -> Bool {
        // What the browser has decrypted is searched, too.
        guard !(texts.isEmpty && screenTexts.isEmpty), entry.web == nil,
            entry.body.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") })
        else {
            return true
        }
        let payload = entry.body.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard texts.allSatisfy({ payload.span.contains($0.span) }) else { return false }
        guard !screenTexts.isEmpty, entry.presentation == nil, entry.activity == nil,
            !payload.span.contains(EntryPrefilter.localized.span)
        else { return true }
        return screenTexts.allSatisfy { payload.span.contains($0.span) }
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
        token = entry.token
        label = entry.label
        uniqueID = entry.uniqueID
        status = entry.status
        outcome = entry.outcome
        reason = entry.reason
        hasNotes = entry.hasNotes
        bytes = entry.bytes
        topicPlace = entry.topicPlace
    }
}
