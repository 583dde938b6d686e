internal import APNsRules

/// What a filter selects.
package enum FilterSubject: Sendable, Equatable {
    case pushes
    /// Requests that fault rules match.
    case requests
    /// Things that happen: pushes or not, and of each other kind the keys that it has.
    case events(includesPushes: Bool, others: [EventKeys])
    /// Connections, which have only what a fault rule can match before their first request.
    case connections
    /// Pushes that arrived on a device.
    case arrivals
}

extension FilterSubject {
    /// What it is, for messages.
    var noun: String {
        switch self {
        case .pushes, .requests: "a push"
        case .connections: "a connection"
        case .arrivals: "an arrival"
        case .events(_, let others):
            "an event of the kind \(InputError.alternatives(others.map(\.kind)))"
        }
    }

    /// The keys that anything of it has, for messages.
    var keys: String {
        switch self {
        case .events(false, let others):
            InputError.alternatives(
                FilterKey.allCases.filter { key in others.contains { $0.keys.contains(key) } }.map(\.rawValue))
        case .events, .pushes, .requests, .connections, .arrivals: "a key that it has"
        }
    }
}

/// The filter keys of a kind of event that is no push.
package struct EventKeys: Sendable, Hashable {
    /// The kind, as in the events' `event:` line.
    let kind: String
    let keys: Set<FilterKey>
    /// The key of what it is about, which it always has.
    let own: FilterKey?
}

/// A combination of what decides which other keys a push can have: conditions that no such combination meets exclude each
/// other.
struct PushShape {
    /// What was answered, as far as other keys depend on it.
    enum Answer: CaseIterable {
        case none, ok, otherSuccess, refusal

        /// The statuses of the answer.
        var statuses: ClosedRange<Int64>? {
            switch self {
            case .none: nil
            case .ok: 200...200
            case .otherSuccess: 201...299
            case .refusal: 300...599
            }
        }
    }

    /// Whether a push of a shape has a value of a field.
    enum Presence { case never, maybe, always }

    /// A push of a kind, or an event that is no push.
    private enum Thing: Equatable {
        case push(JournalKind)
        case event(EventKeys)
    }

    private let thing: Thing
    private let outcome: Outcome
    private let environment: APNsEnvironment
    private let answer: Answer
    /// Whether it went to a device that there is.
    private let hasDevice: Bool
    /// Whether a fault rule acted on it.
    private let hasFault: Bool

    /// All that a filter of a subject selects from.
    static func shapes(of subject: FilterSubject) -> [PushShape] {
        switch subject {
        case .pushes, .requests, .connections: pushes
        case .arrivals: arrivals
        case .events(let includesPushes, let others): (includesPushes ? pushes : []) + others.flatMap(otherEvents)
        }
    }

    private static let pushes: [PushShape] = JournalKind.allCases.flatMap { kind in
        Outcome.allCases.flatMap { outcome in
            APNsEnvironment.allCases.flatMap { environment in
                Answer.allCases.flatMap { answer in
                    [(true, true), (true, false), (false, true), (false, false)].map { hasDevice, hasFault in
                        PushShape(
                            thing: .push(kind), outcome: outcome, environment: environment, answer: answer,
                            hasDevice: hasDevice, hasFault: hasFault)
                    }
                }
            }
        }
    }.filter(\.isPossible)

    private static let arrivals = pushes.filter { shape in
        // The entry of a broadcast is of all devices.
        shape.kind == .broadcast
            ? ![.refused, .lost, .unanswered].contains(shape.outcome)
            : shape.hasDevice && [.delivered, .pending].contains(shape.outcome)
    }

    /// An event that is no push, in each environment.
    private static func otherEvents(_ event: EventKeys) -> [PushShape] {
        APNsEnvironment.allCases.map { environment in
            PushShape(
                thing: .event(event), outcome: .pending, environment: environment, answer: .none, hasDevice: true,
                hasFault: true)
        }
    }

    private var kind: JournalKind? { if case .push(let kind) = thing { kind } else { nil } }

    private var isPossible: Bool {
        // The service of Web Push has no sandbox.
        guard kind != .webPush || environment == .production else { return false }
        guard kind != .broadcast || !hasDevice else { return false }
        return switch outcome {
        case .pending, .unanswered: answer == .none
        case .refused: answer != .ok
        case .lost: answer != .refusal && hasFault
        case .stored, .deferred, .delivered, .coalesced, .discarded, .expired:
            // Only a fault has a push delivered and answered otherwise; a web push is answered 201.
            (hasFault || answer == (kind == .webPush ? .otherSuccess : .ok)) && (hasDevice || kind == .broadcast)
        }
    }

    func presence(of field: FilterField) -> Presence {
        switch thing {
        case .push(let kind): presence(of: field, in: kind)
        case .event(let event): PushShape.presence(of: field, in: event)
        }
    }

    private func presence(of field: FilterField, in kind: JournalKind) -> Presence {
        switch field {
        case .key(let key): presence(of: key, in: kind)
        case .place(.screen, _): outcome == .delivered && kind != .broadcast ? .maybe : .never
        case .place(.webPush, _): kind == .webPush ? .maybe : .never
        case .place(.payload, _), .payloadIncludes, .header: .maybe
        }
    }

    private func presence(of key: FilterKey, in kind: JournalKind) -> Presence {
        switch key {
        case .token: kind == .broadcast ? .never : .maybe
        case .device: hasDevice ? .always : .never
        case .scope: hasDevice ? .maybe : .never
        case .channel: kind == .broadcast ? .maybe : .never
        case .team, .keyId, .collapseId, .pushType, .priority: kind == .webPush ? .never : .maybe
        case .uniqueId:
            kind == .push && environment == .sandbox && outcome != .refused && answer != .refusal ? .maybe : .never
        case .reason: answer == .refusal ? .maybe : .never
        case .status: answer == .none ? .never : .always
        case .fault: hasFault ? .always : .never
        case .topic, .apnsId, .has: .maybe
        case .environment, .connection, .kind, .outcome, .shown, .sounded, .since, .until, .text: .always
        }
    }

    private static func presence(of field: FilterField, in event: EventKeys) -> Presence {
        guard case .key(let key) = field, event.keys.contains(key) else { return .never }
        return event.own == key || [.since, .until].contains(key) ? .always : .maybe
    }

    /// The values of a key that has few, or the range of its numbers.
    enum Values {
        case any
        case among([JSONValue])
        case numbers(ClosedRange<Int64>)
    }

    /// The values of a key in this shape.
    func values(of key: FilterKey) -> Values {
        switch key {
        case .kind: .among([.text(kind?.rawValue)])
        case .outcome: .among([.string(outcome.rawValue)])
        case .environment: .among([.string(environment.rawValue)])
        case .shown, .sounded: .among(outcome == .delivered && kind != .broadcast ? [true, false] : [false])
        case .status: answer.statuses.map { .numbers($0) } ?? .any
        default: PushShape.values(of: key)
        }
    }

    /// The values of a key in all shapes.
    static func values(of key: FilterKey) -> Values {
        switch key {
        case .shown, .sounded: .among([true, false])
        case .priority: .among(Priority.allCases.map { .whole($0.rawValue) })
        case .status, .connection: .numbers(key.facts.range ?? 0...Int64.max)
        case .reason, .pushType: .any
        default: key.facts.values.map { .among($0.map { .string($0) }) } ?? .any
        }
    }

    /// The numbers at which a range of a key's numbers begins or ends in some shape.
    static func ends(of key: FilterKey) -> [Int64] {
        let ranges = key == .status ? Answer.allCases.compactMap(\.statuses) : [key.facts.range].compactMap(\.self)
        return ranges.flatMap { [$0.lowerBound, $0.upperBound] }
    }

    /// Why a field goes only with some pushes, a clause; `nil` if it goes with all.
    static func rule(of field: FilterField) -> String? {
        switch field {
        case .place(.screen, _): "only a delivered push to a device is on a screen"
        case .place(.webPush, _): "only a web push has webPush"
        case .place(.payload, _), .payloadIncludes, .header: nil
        case .key(let key):
            switch key {
            case .token: "a broadcast has no token"
            case .device: "a broadcast has no device, nor has a push to a token that is no device's"
            case .scope: "a broadcast has no scope, nor has a push without a device"
            case .channel: "only a broadcast has a channel"
            case .team, .keyId, .collapseId, .pushType, .priority: "a web push has no \(key.rawValue)"
            case .uniqueId: "only a push that the sandbox accepts has a uniqueId"
            case .reason: "only an answer with a status of 300 or more has a reason"
            case .status: "a pending or unanswered push has no status, and a refused one another than 200"
            case .shown: "only a delivered push to a device is shown"
            case .sounded: "only a delivered push to a device is heard"
            case .environment: "a web push is one to production"
            case .fault: "only a fault has a push lost, or delivered and answered with an error"
            case .topic, .apnsId, .has, .connection, .kind, .outcome, .since, .until, .text: nil
            }
        }
    }
}
