internal import APNsRules

/// What a filter selects.
package enum FilterSubject: Sendable {
    case pushes
    /// Requests that fault rules match.
    case requests
    /// Pushes and all other things that happen, which lack most keys.
    case events
    /// Connections, which have only what a fault rule can match before their first request.
    case connections
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

    /// `nil` for an event that is no push.
    let kind: JournalKind?
    let outcome: Outcome
    let environment: APNsEnvironment
    let answer: Answer

    /// All that there are of pushes.
    static let pushes: [PushShape] = JournalKind.allCases.flatMap { kind in
        Outcome.allCases.flatMap { outcome in
            APNsEnvironment.allCases.flatMap { environment in
                Answer.allCases.map { answer in
                    PushShape(kind: kind, outcome: outcome, environment: environment, answer: answer)
                }
            }
        }
    }.filter(\.isPossible)

    /// An event that is no push, in each environment.
    static let otherEvents = APNsEnvironment.allCases.map { environment in
        PushShape(kind: nil, outcome: .pending, environment: environment, answer: .none)
    }

    private var isPossible: Bool {
        // The service of Web Push has no sandbox.
        guard kind != .webPush || environment == .production else { return false }
        return switch outcome {
        case .pending, .unanswered: answer == .none
        case .refused: answer != .ok
        case .lost: answer != .refusal
        case .stored, .deferred, .delivered, .coalesced, .discarded, .expired: true
        }
    }

    func presence(of field: FilterField) -> Presence {
        guard let kind else { return presenceInOtherEvent(of: field) }
        return switch field {
        case .key(let key): presence(of: key, in: kind)
        case .screen: outcome == .delivered ? .maybe : .never
        case .webPush: kind == .webPush ? .maybe : .never
        case .payload, .payloadIncludes, .header: .maybe
        }
    }

    private func presence(of key: FilterKey, in kind: JournalKind) -> Presence {
        switch key {
        case .token, .device, .scope: kind == .broadcast ? .never : .maybe
        case .channel: kind == .broadcast ? .maybe : .never
        case .team, .keyId, .collapseId, .pushType, .priority: kind == .webPush ? .never : .maybe
        case .uniqueId:
            kind == .push && environment == .sandbox && outcome != .refused && answer != .refusal ? .maybe : .never
        case .reason: answer == .refusal ? .maybe : .never
        case .status: answer == .none ? .never : .always
        case .topic, .apnsId, .fault, .has: .maybe
        case .environment, .connection, .kind, .outcome, .shown, .sounded, .since, .until, .text: .always
        }
    }

    // As `EventRoutes` lists them.
    private func presenceInOtherEvent(of field: FilterField) -> Presence {
        guard case .key(let key) = field else { return .never }
        return switch key {
        case .scope, .device, .topic, .token, .environment, .channel, .fault, .connection, .team, .keyId: .maybe
        case .since, .until: .always
        default: .never
        }
    }

    /// The values of a key in this shape that decide about a matcher; `nil` if any text is possible.
    func values(of key: FilterKey, besides operands: [JSONValue]) -> [JSONValue]? {
        switch key {
        case .kind: return [.text(kind?.rawValue)]
        case .outcome: return [.string(outcome.rawValue)]
        case .environment: return [.string(environment.rawValue)]
        case .shown, .sounded: return outcome == .delivered ? [true, false] : [false]
        case .priority: return Priority.allCases.map { .whole($0.rawValue) }
        case .has: return [.string(FilterKey.warnings)]
        case .status: return answer.statuses.map { PushShape.numbers(in: $0, around: operands) }
        case .connection: return PushShape.numbers(in: key.facts.range ?? 1...Int64.max, around: operands)
        default: return nil
        }
    }

    /// The ends of a range, and the numbers in it on both sides of every operand.
    private static func numbers(in range: ClosedRange<Int64>, around operands: [JSONValue]) -> [JSONValue] {
        var numbers: Set<Int64> = [range.lowerBound, range.upperBound]
        for case .number(let operand) in operands {
            guard let whole = operand.integer ?? Int64(exactly: operand.double.rounded(.down)) else { continue }
            for neighbour in [whole &- 1, whole, whole &+ 1] where range.contains(neighbour) {
                numbers.insert(neighbour)
            }
        }
        return numbers.map { .whole($0) }
    }

    /// Why a field goes only with some pushes, a clause; `nil` if it goes with all.
    static func rule(of field: FilterField) -> String? {
        switch field {
        case .screen: "only a delivered push is on a screen"
        case .webPush: "only a web push has webPush"
        case .payload, .payloadIncludes, .header: nil
        case .key(let key):
            switch key {
            case .token, .device, .scope: "a broadcast has no \(key.rawValue)"
            case .channel: "only a broadcast has a channel"
            case .team, .keyId, .collapseId, .pushType, .priority: "a web push has no \(key.rawValue)"
            case .uniqueId: "only a push that the sandbox accepts has a uniqueId"
            case .reason: "only an answer with a status of 300 or more has a reason"
            case .status: "a pending or unanswered push has no status, and a refused one another than 200"
            case .shown: "only a delivered push is shown"
            case .sounded: "only a delivered push is heard"
            case .environment: "a web push is one to production"
            case .topic, .apnsId, .fault, .has, .connection, .kind, .outcome, .since, .until, .text: nil
            }
        }
    }
}
