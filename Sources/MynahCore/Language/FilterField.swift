internal import APNsRules

/// A key of the filter language that has one value per push (`ControlAPI#Filters`).
package enum FilterKey: String, CaseIterable, Sendable {
    case token, device, scope, topic, channel, team, keyId, apnsId, uniqueId, collapseId, pushType, priority
    case environment, connection, status, reason, outcome, shown, sounded, fault, has, since, until, text

    /// For error messages.
    package static let names = allCases.map(\.rawValue) + pointerNames.map { $0 + ".<pointer>" }
    /// The names of texts, behind which ``FilterName/partMark`` may stand.
    package static let textNames = allCases.filter { $0.kind == .text }.map(\.rawValue)
    /// The names that continue with a period and a JSON pointer.
    package static let pointerNames = ["payload", "screen"]

    enum Kind { case text, whole, truth, time }

    var kind: Kind {
        switch self {
        case .priority, .connection, .status: .whole
        case .shown, .sounded: .truth
        case .since, .until: .time
        default: .text
        }
    }

    /// The value of `has` for a push with at least one warning.
    package static let warnings = "warnings"

    /// All possible values, if they are few.
    package var values: [String]? {
        switch self {
        case .pushType: PushType.allCases.map(\.rawValue)
        case .priority: Priority.allCases.map { "\($0.rawValue)" }
        case .environment: APNsEnvironment.allCases.map(\.rawValue)
        case .reason: Reason.allCases.map(\.rawValue)
        case .outcome: Outcome.allCases.map(\.rawValue)
        case .has: [FilterKey.warnings]
        default: nil
        }
    }

    /// Whether upper and lower case are the same; values are then compared in lower case.
    var ignoresCase: Bool { self == .token || self == .apnsId || self == .uniqueId || self == .text }
}

/// What a condition is about.
package enum FilterField: Hashable, Sendable {
    case key(FilterKey)
    case payload(JSONPointer)
    /// The whole payload, for a subset.
    case payloadIncludes
    /// The values of a header, by its lower-case name.
    case header(String)
    /// A place in what the push did to the device's screen.
    case screen(JSONPointer)

    /// The first names of ``screen(_:)``.
    static let screenMemberNames = [
        "badge", "reason", "sequence", "apnsId", "identifier", "topic", "title", "subtitle", "body", "previewHidden",
        "sound", "threadId", "category", "actions", "actionTitle", "interruptionLevel", "relevanceScore", "collapseId",
        "mutableContent", "shownAt", "group", "banner", "alertStyle", "lockScreen", "notificationCenter", "onWatch",
        "sender", "attachments", "details", "activities",
    ]

    /// Where it is in a push as the control API prints it.
    package var pointer: String {
        switch self {
        case .key(.since), .key(.until): "/receivedAt"
        case .key(.text), .payloadIncludes: "/payload"
        case .key(.team): "/credential/team"
        case .key(.keyId): "/credential/keyId"
        case .key(.has): "/warnings"
        case .key(let key): "/" + key.rawValue
        case .payload(let pointer): "/payload" + pointer.description
        case .header(let name): JSONPointer(steps: ["headers", name]).description
        case .screen(let pointer): "/screen" + pointer.description
        }
    }

    /// Whether a text is the name of a header field (RFC 9110 §5.6.2), in lower case as RFC 9113 §8.2 wants it.
    static func isHeaderName(_ name: String) -> Bool {
        Form.isName(name, bytesMax: Limits.headerListBytesMax, punctuation: "!#$%&'*+-.^_`|~")
            && name == name.lowercased()
    }

    /// Refuses a condition that no header meets; `place` is the header's in a `match` object.
    static func check(header name: String, _ matcher: Matcher, at place: String) throws(InputError) {
        guard !name.hasPrefix(":"), !name.isEmpty else {
            throw InputError(at: place, "pseudo-headers can't be matched: expected a header's name")
        }
        guard isHeaderName(name) else {
            throw InputError(at: place, "\(name) is not a header's name: expected one, like user-agent")
        }
        for operand in matcher.operands where operand.string == nil && operand != .null {
            throw .mismatch(operand, at: place, expected: "a string, as all values of headers are")
        }
    }

    /// The relative cost of finding its values; cheaper conditions are checked first.
    var cost: Int {
        switch self {
        case .key(.status), .key(.reason), .key(.outcome), .key(.priority), .key(.environment), .key(.connection),
            .key(.since), .key(.until):
            0
        case .key(.topic), .key(.channel), .key(.scope), .key(.device), .key(.fault), .key(.team), .key(.keyId),
            .key(.collapseId):
            1
        case .key(.token), .key(.apnsId), .key(.uniqueId): 2
        case .header: 3
        // The payload is parsed for the first of these.
        case .key(.pushType), .key(.shown), .key(.sounded), .payload, .payloadIncludes: 4
        case .key(.text), .key(.has), .screen: 5
        }
    }
}
