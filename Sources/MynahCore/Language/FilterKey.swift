internal import APNsRules

/// A key of the filter language that has one value per push (`ControlAPI#Filters`).
///
/// One more key is a case with its facts: what it means, its values, and which pushes have it. How its value is found is
/// beside `PushField`.
public enum FilterKey: String, CaseIterable, Sendable {
    case token, device, scope, topic, channel, team, keyId, apnsId, uniqueId, collapseId, pushType, priority
    case environment, connection, kind, status, reason, outcome, shown, sounded, fault, has, since, until, text

    enum Kind { case text, whole, truth, time }

    /// When the value of a key is known for a push.
    package enum Known: Sendable {
        /// Before the push is judged.
        case onArrival
        /// Known with the answer, or later.
        case withAnswer
        /// Known with the answer or later, as it says what became of the push.
        case withOutcome
        /// Known as ``withOutcome``, and found only by what the push did to its device's screen.
        case onDevice
    }

    struct Facts {
        let kind: Kind
        let sentence: String
        var known = Known.onArrival
        var cost = FilterCost.text
        /// The possible values, if they are few; others are possible too if ``isOpen``.
        var values: [String]?
        /// Whether a push may have what is not among ``values``: a reason that a fault rule invented, or a push type that
        /// APNs refuses.
        var isOpen = false
        /// A value that a push can have, if it is neither one of ``values`` nor a number, for messages.
        var example = "example"
        /// What the key's values consist of, if not every text is one.
        var alphabet: Alphabet?
        /// The numbers that a push can have, in ranges of which the shape of a push may exclude some; empty for any.
        var ranges: [ClosedRange<Int64>] = []
        var ignoresCase = false
        /// Where the key is in a push as the control API prints it, if that isn't the member of its name.
        var place: String?
        /// Which pushes have a value, and which values, so that conditions that no push meets together are refused.
        var applies = Applicability.maybe

        /// From the least number that a push can have to the greatest; `nil` for any.
        var range: ClosedRange<Int64>? {
            guard let first = ranges.first, let last = ranges.last else { return nil }
            return first.lowerBound...last.upperBound
        }
    }

    var facts: Facts {
        switch self {
        case .token:
            Facts(
                kind: .text, sentence: "The device token, lower-case hexadecimal digits.", cost: .digits,
                example: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0", ignoresCase: true,
                applies: Applicability("a broadcast has no token") { $0.kind == .broadcast ? .never : .maybe })
        case .device:
            Facts(
                kind: .text, sentence: "The device's ID.", alphabet: .names(DeviceID.filterForm),
                applies: Applicability(
                    "a broadcast has no device, nor has a push to a token that is no device's",
                    presence: { $0.hasDevice ? .always : .never }))
        case .scope:
            Facts(
                kind: .text, sentence: "The device's scope.", alphabet: .names(ScopeName.form),
                applies: Applicability(
                    "a broadcast has no scope, nor has a push without a device",
                    presence: { $0.hasDevice ? .maybe : .never }))
        case .topic:
            Facts(
                kind: .text, sentence: "The topic (apns-topic); of a broadcast, the app's bundle ID.",
                example: "com.example.app", alphabet: .topics)
        case .channel:
            Facts(
                kind: .text, sentence: "The ID of the broadcast channel (apns-channel-id).",
                example: "tvI2UK0vEfEAAA6GFnjo2Q==", alphabet: .channels,
                applies: Applicability("only a broadcast has a channel") { $0.kind == .broadcast ? .maybe : .never })
        case .team:
            Facts(
                kind: .text, sentence: "The team of the provider token.", example: "TEAM123456",
                alphabet: .identifiers, place: "/credential/team", applies: .exceptWebPushes("team"))
        case .keyId:
            Facts(
                kind: .text, sentence: "The ID of the key that signed the provider token.", example: "ABC123DEFG",
                alphabet: .identifiers, place: "/credential/keyId", applies: .exceptWebPushes("keyId"))
        case .apnsId:
            Facts(
                kind: .text, sentence: "The push's apns-id.", cost: .digits, example: FilterKey.exampleID,
                ignoresCase: true)
        case .uniqueId:
            Facts(
                kind: .text, sentence: "The answer's apns-unique-id.", known: .withAnswer, cost: .digits,
                example: FilterKey.exampleID, ignoresCase: true,
                applies: Applicability("only a push that the sandbox accepts has a uniqueId") { shape in
                    shape.kind == .push && shape.environment == .sandbox && shape.outcome != .refused
                        && shape.answer != .refusal ? .maybe : .never
                })
        case .collapseId:
            Facts(
                kind: .text, sentence: "The push's apns-collapse-id.", applies: .exceptWebPushes("collapseId"))
        case .pushType:
            Facts(
                kind: .text, sentence: "The push's apns-push-type.", cost: .payload,
                values: PushType.allCases.map(\.rawValue), isOpen: true, applies: .exceptWebPushes("pushType"))
        case .priority:
            Facts(
                kind: .whole, sentence: "The push's apns-priority.", cost: .number,
                values: Priority.allCases.map { "\($0.rawValue)" }, applies: .exceptWebPushes("priority"))
        case .environment:
            Facts(
                kind: .text, sentence: "The environment of APNs.", cost: .number,
                values: APNsEnvironment.allCases.map(\.rawValue),
                applies: Applicability(
                    "a web push is one to production", values: { .among([.string($0.environment.rawValue)]) }))
        case .connection:
            Facts(
                kind: .whole, sentence: "The number of the connection.", cost: .number, ranges: [1...Int64.max],
                applies: .always)
        case .kind:
            Facts(
                kind: .text,
                sentence: "Whether it went to a device token, to a channel, or to a web app's subscription.",
                cost: .number, values: JournalKind.allCases.map(\.rawValue),
                applies: Applicability(values: { .among([.text($0.kind?.rawValue)]) }))
        case .status:
            Facts(
                kind: .whole, sentence: "The HTTP status of the answer.", known: .withOutcome, cost: .number,
                ranges: PushShape.Answer.allCases.compactMap(\.statuses),
                applies: Applicability(
                    "a pending or unanswered push has no status, and a refused one another than 200",
                    presence: { $0.answer == .none ? .never : .always },
                    values: { $0.answer.statuses.map { .numbers($0) } ?? .any }))
        case .reason:
            Facts(
                kind: .text, sentence: "APNs' reason of a refusal.", known: .withOutcome, cost: .number,
                values: Reason.allCases.map(\.rawValue), isOpen: true,
                applies: Applicability(
                    "only an answer with a status of 300 or more has a reason",
                    presence: { $0.answer == .refusal ? .maybe : .never }))
        case .outcome:
            Facts(
                kind: .text, sentence: "What became of the push.", known: .withOutcome, cost: .number,
                values: Outcome.allCases.map(\.rawValue),
                applies: Applicability(values: { .among([.string($0.outcome.rawValue)]) }))
        case .shown:
            Facts(
                kind: .truth, sentence: "Whether the user saw it.", known: .onDevice, cost: .payload,
                applies: .onDevice("shown"))
        case .sounded:
            Facts(
                kind: .truth, sentence: "Whether the user heard it, with an alert or without.", known: .onDevice,
                cost: .payload, applies: .onDevice("heard"))
        case .fault:
            Facts(
                kind: .text, sentence: "The ID of the fault rule that acted.", known: .withAnswer,
                alphabet: .names(FaultRuleID.form),
                applies: Applicability(
                    "only a fault has a push lost, or delivered and answered with an error",
                    presence: { $0.hasFault ? .always : .never }))
        case .has:
            Facts(
                kind: .text, sentence: "What it has: warnings, at least one.", known: .withAnswer, cost: .wholePush,
                values: [FilterKey.warnings], place: "/warnings")
        case .since:
            Facts(
                kind: .time, sentence: "Received at this time or later.", cost: .number,
                example: FilterKey.exampleTime, place: "/receivedAt", applies: .always)
        case .until:
            Facts(
                kind: .time, sentence: "Received at this time or earlier.", cost: .number,
                example: FilterKey.exampleTime, place: "/receivedAt", applies: .always)
        case .text:
            Facts(
                kind: .text, sentence: "Text in the payload, whatever its case.", cost: .wholePush, ignoresCase: true,
                place: "/payload", applies: .always)
        }
    }

    var kind: Kind { facts.kind }
    /// What the key means, for the OpenAPI document, the help of commands and the page.
    package var sentence: String { facts.sentence }
    package var known: Known { facts.known }
    /// Whether it says what became of a push.
    package var isOfOutcome: Bool { known == .withOutcome || known == .onDevice }
    /// The values that APNs itself gives the key, if they are few.
    package var values: [String]? { facts.values }
    /// A value that a push can have, for messages.
    package var example: String { words.first ?? facts.range.map { "\($0.lowerBound)" } ?? facts.example }
    /// Whether upper and lower case are the same; values are then compared in lower case.
    var ignoresCase: Bool { facts.ignoresCase }
    /// Whether the key's value is a number or a boolean in JSON.
    package var isTyped: Bool { kind == .whole || kind == .truth }
    package var isTime: Bool { kind == .time }
    /// Words that it can be, to be suggested; none if they can't be listed.
    package var words: [String] {
        guard self != .fault else { return [FilterKey.noFault] }
        return kind == .truth ? ["true", "false"] : values ?? []
    }

    /// For error messages.
    package static let names = allCases.map(\.rawValue) + pointerNames.map { $0 + ".<pointer>" }
    /// The names of texts, behind which ``FilterName/partMark`` may stand.
    package static let textNames = allCases.filter { $0.kind == .text }.map(\.rawValue)
    /// The names that continue with a period and a JSON pointer.
    package static let pointerNames = FilterDocument.allCases.map(\.rawValue)
    static let exampleID = "27CFDC15-E305-27E0-E290-8FC98E115899"
    private static let exampleTime = "2026-11-21T09:30:00Z"
    /// The value of `has` for a push with at least one warning.
    package static let warnings = "warnings"
    /// The value of `fault` for a push on which none acted.
    static let noFault = "none"
}

/// What it takes to find the values of a field; conditions that take less are checked first.
enum FilterCost: Int, Comparable {
    /// A number or a word of the entry.
    case number
    /// A text of the headers or of what belongs to the entry.
    case text
    /// Bytes that are written as digits.
    case digits
    /// The values of the header fields.
    case headers
    /// The payload, which is parsed for the first condition on it.
    case payload
    /// All texts of the payload, or of what a device makes of the push.
    case wholePush

    static func < (left: FilterCost, right: FilterCost) -> Bool { left.rawValue < right.rawValue }
}
