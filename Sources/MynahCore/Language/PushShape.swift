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
    /// The subject's noun, for messages.
    var noun: String {
        switch self {
        case .pushes, .requests: "a push"
        case .connections: "a connection"
        case .arrivals: "an arrival"
        case .events(_, let others):
            "an event of the kind \(InputError.alternatives(others.map(\.kind)))"
        }
    }

    /// The keys that an item of the subject can have, for messages.
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
    let outcome: Outcome
    let environment: APNsEnvironment
    let answer: Answer
    /// Whether a push of this shape went to a device that exists.
    let hasDevice: Bool
    /// Whether a fault rule acted on a push of this shape.
    let hasFault: Bool
    /// Whether a device has it.
    var isOnDevice: Bool { outcome == .delivered && kind != .broadcast }

    /// The shapes of all items that a filter of a subject selects from.
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

    /// The kind of push; `nil` for an event that is no push.
    var kind: JournalKind? { if case .push(let kind) = thing { kind } else { nil } }

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

    /// Whether a push of this shape has a value of a field; `applicability` is the field's.
    func presence(of field: FilterField, _ applicability: Applicability) -> Presence {
        switch thing {
        case .push: applicability.presence(self)
        case .event(let event): PushShape.presence(of: field, in: event)
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
}

extension FilterKey {
    /// The values in all shapes.
    var possibleValues: PushShape.Values {
        let facts = facts
        guard !facts.isOpen else { return .any }
        if facts.kind == .truth { return .among([true, false]) }
        if let range = facts.range { return .numbers(range) }
        guard let values = facts.values else { return .any }
        return .among(
            facts.kind == .whole ? values.compactMap { Int64($0) }.map { .whole($0) } : values.map { .string($0) })
    }
}
