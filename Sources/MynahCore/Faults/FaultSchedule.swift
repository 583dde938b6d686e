package import APNsRules

/// Which of the requests that match a rule it acts on, and with which of its actions.
///
/// A request passes these steps, in this order; what fails one is not counted by the next:
/// 1. the time is within `activeFrom` and `activeUntil`;
/// 2. with it the rate is above `rateOver`;
/// 3. it is, with the action's `afterPushes`, the n-th match on its connection, or the 2n-th and so on;
/// 4. it is not among the first `skip`;
/// 5. it is the `every`-th of those;
/// 6. the dice fall within `probability`;
/// 7. there are firings left: `times`, and with `then: pass` actions.
///
/// All but step 3 count over all connections, since a rule is one thing to its user. The dice of step 6 depend on the
/// seed, the rule, the place of the connection among those that the rule has met, and the place of the request among
/// those of this connection that matched: what comes in between on other connections does not change them, and a rule
/// that is made again after a reset throws the same dice again.
public struct FaultSchedule: Sendable, Hashable {
    /// What happens when the list of actions is through.
    public enum Then: String, CaseIterable, Sendable {
        /// The rule does nothing any more, and rules below it have their turn.
        case pass
        /// It begins anew.
        case `repeat`
        /// The last action again and again.
        case last
    }

    /// A rate that must be exceeded.
    package struct Rate: Sendable, Hashable {
        /// What is counted together.
        package enum By: String, CaseIterable, Sendable {
            case token, topic, connection, all
        }

        /// The most requests of one window; bounds what a rule remembers per key.
        package static let countMax = 10_000
        /// The longest window.
        package static let windowMax: Duration = .seconds(24 * 3600)

        /// So many requests are let through.
        package let count: Int
        /// In any stretch of time so long.
        package let window: Duration
        /// What is counted together.
        package let by: By

        /// A rate.
        package init(count: Int, per window: Duration, by: By) {
            self.count = count
            self.window = window
            self.by = by
        }
    }

    /// The most that `skip`, `times` and `every` may be.
    package static let countMax = 1_000_000_000
    /// The most actions of a list.
    package static let actionsMax = 1000

    /// The first requests that are let through.
    package var skip = 0
    /// The most firings; `nil` for no limit.
    package var times: Int?
    /// Of how many requests the last one is taken.
    package var every = 1
    /// How likely each is taken, above 0 and at most 1.
    package var probability = 1.0
    /// The rate that must be exceeded.
    package var rateOver: Rate?
    /// The first moment of the server's clock; `nil` for always.
    package var activeFrom: Instant?
    /// The first moment at which it is over; `nil` for never.
    package var activeUntil: Instant?
    /// What happens, one after the other; at least one.
    package let actions: [FaultAction]
    /// Whether `actions` was given as a list.
    package let isSequence: Bool
    /// What happens when a list is through.
    package var then = Then.pass

    /// One action, always.
    package init(_ action: FaultAction) {
        self.actions = [action]
        self.isSequence = false
    }

    /// A list of actions, one per firing.
    package init(sequence actions: [FaultAction], then: Then) {
        precondition(!actions.isEmpty, "a rule without an action")
        self.actions = actions
        self.isSequence = true
        self.then = then
    }

    /// The most firings that there can be; `nil` for no limit.
    package var firingsMax: Int? {
        guard isSequence, then == .pass else { return times }
        return min(times ?? .max, actions.count)
    }

    /// The action of the n-th firing, from 0; `nil` when there is none.
    func action(ofFiring number: Int) -> FaultAction? {
        if let firingsMax, number >= firingsMax { return nil }
        guard isSequence else { return actions[0] }
        return then == .repeat ? actions[number % actions.count] : actions[min(number, actions.count - 1)]
    }

    /// Whether the rule may act at a moment of the clock.
    package func isActive(at now: Instant) -> Bool {
        if let activeFrom, now < activeFrom { return false }
        if let activeUntil, now >= activeUntil { return false }
        return true
    }
}

// MARK: - JSON

extension FaultSchedule {
    static let memberNames = [
        "skip", "times", "every", "probability", "rateOver", "activeFrom", "activeUntil", "action", "actions", "then",
    ]

    init(_ fields: FaultFields) throws(QueryError) {
        try fields.refuse("actions", with: "action", because: "a rule has one action or a list of them")
        let then = try fields.choice("then", "end of a list", of: Then.self)
        if let list = fields["actions"] {
            self.init(sequence: try FaultSchedule.actions(list, at: fields.place("actions")), then: then ?? .pass)
        } else if let action = fields["action"] {
            guard then == nil || then == .pass else {
                throw fields.error("then", "then says what follows a list of actions; give actions in place of action")
            }
            self.init(try FaultAction(json: action, at: fields.place("action")))
        } else {
            throw fields.error(
                "action", "a rule needs an action, or actions", allowed: FaultActionType.allCases.map(\.rawValue))
        }
        skip = try fields.count("skip", in: 0...FaultSchedule.countMax) ?? 0
        times = try fields.count("times", in: 1...FaultSchedule.countMax)
        every = try fields.count("every", in: 1...FaultSchedule.countMax) ?? 1
        probability = try FaultSchedule.probability(fields)
        rateOver = try fields["rateOver"].map { json throws(QueryError) in
            try Rate(json: json, at: fields.place("rateOver"))
        }
        activeFrom = try fields.instant("activeFrom")
        activeUntil = try fields.instant("activeUntil")
        if let activeFrom, let activeUntil, activeUntil <= activeFrom {
            throw fields.error(
                "activeUntil", "the rule would be over at its beginning, \(activeFrom.rfc3339), or before it")
        }
    }

    private static func actions(_ json: JSONValue, at place: String) throws(QueryError) -> [FaultAction] {
        guard let elements = json.array, !elements.isEmpty, elements.count <= actionsMax else {
            throw QueryError(place, "an array of 1 to \(actionsMax) actions was expected")
        }
        var actions: [FaultAction] = []
        for (index, element) in elements.enumerated() {
            actions.append(try FaultAction(json: element, at: place + "/\(index)"))
        }
        return actions
    }

    private static func probability(_ fields: FaultFields) throws(QueryError) -> Double {
        guard let json = fields["probability"] else { return 1 }
        guard case .number(let number) = json, number.double > 0, number.double <= 1 else {
            throw fields.error(
                "probability", "\(json.encodedText) was given; a number above 0 and at most 1 was expected")
        }
        return number.double
    }

    var members: [JSONMember] {
        func number(_ value: Int?) -> JSONValue { .whole(value) }
        func list() -> JSONValue { .array(actions.map(\.json)) }
        return [
            JSONMember("skip", number(skip)), JSONMember("times", number(times)), JSONMember("every", number(every)),
            JSONMember("probability", .number(JSONNumber(text: "\(probability)"))),
            JSONMember("rateOver", rateOver?.json ?? .null),
            JSONMember("activeFrom", .text(activeFrom?.rfc3339)),
            JSONMember("activeUntil", .text(activeUntil?.rfc3339)),
            JSONMember("action", isSequence ? .null : actions[0].json),
            JSONMember("actions", isSequence ? list() : .null), JSONMember("then", .string(then.rawValue)),
        ]
    }
}

extension FaultSchedule.Rate {
    init(json: JSONValue, at place: String) throws(QueryError) {
        typealias Rate = FaultSchedule.Rate
        let fields = try FaultFields(json, at: place, what: "rate", known: ["count", "per", "by"])
        let count = try fields.required("count", fields.count("count", in: 0...Rate.countMax), of: "rateOver")
        let window = try fields.duration("per", in: .milliseconds(1)...Rate.windowMax)
        self.init(
            count: count, per: try fields.required("per", window, of: "rateOver"),
            by: try fields.choice("by", "key of a rate") ?? .all)
    }

    var json: JSONValue {
        [
            "count": .number(JSONNumber(count)), "per": .string(DurationText.text(window)),
            "by": .string(by.rawValue),
        ]
    }
}
