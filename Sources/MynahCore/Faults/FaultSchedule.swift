internal import APNsRules

/// Which of the requests that match a rule it acts on, and with which of its actions.
///
/// A request passes these steps, in this order; what fails one is not counted by the next:
/// 1. the time is within `activeFrom` and `activeUntil`;
/// 2. its connection is one of `connections`, and its signing key one of `keys`, counted in the order in which the rule
///    has met them;
/// 3. the rate, including this request, is above `rateOver`;
/// 4. it is, with the action's `afterPushes`, the n-th match on its connection, or the 2n-th and so on;
/// 5. it is not among the first `skip`;
/// 6. it is the `every`-th of those;
/// 7. a random number is below `probability`;
/// 8. there are firings left: `times`, and with `then: pass` actions.
///
/// All but step 4 count over all connections. The number of step 7 depends on the seed, the rule, the place of the
/// connection among the connections that the rule has met, and the place of the request among its matches on it: other
/// connections don't change it, and a rule that is made again after a reset draws the same ones.
public struct FaultSchedule: Sendable, Hashable {
    /// What follows a list of actions.
    public enum Then: String, CaseIterable, Sendable {
        /// The rule acts no more: the rules below it may act.
        case pass
        /// The list starts over.
        case `repeat`
        /// The last action is repeated.
        case last
    }

    /// Which connections or keys a rule acts on, by their places in the order in which it has met them, from 1; a
    /// connection in use counts when its next request matches.
    package struct Places: Sendable, Hashable {
        /// The place of the first connection or key.
        fileprivate(set) var first = 1
        /// The distance of the places from ``first`` on: with 3, each third connection or key.
        fileprivate(set) var every = 1
        /// The most connections or keys; `nil` for no limit.
        fileprivate(set) var count: Int?

        func contains(_ place: UInt64) -> Bool {
            guard place >= UInt64(first) else { return false }
            let passed = place - UInt64(first)
            let (number, rest) = passed.quotientAndRemainder(dividingBy: UInt64(every))
            return rest == 0 && number < UInt64(count ?? .max)
        }
    }

    package struct Rate: Sendable, Hashable {
        package enum By: String, CaseIterable, Sendable { case token, topic, connection, all }

        /// Bounds what a rule remembers per key.
        fileprivate static let countMax = 10_000
        fileprivate static let windowMax: Duration = .seconds(24 * 3600)

        /// How many requests are let through in any window.
        let count: Int
        let window: Duration
        let by: By
    }

    /// The most that `skip`, `times` and `every` may be.
    static let countMax = 1_000_000_000
    private static let actionsMax = 1000

    private(set) var skip = 0
    /// The most firings; `nil` for no limit.
    private(set) var times: Int?
    private(set) var every = 1
    package private(set) var probability = 1.0
    /// `nil` for all.
    private(set) var connections: Places?
    /// `nil` for all, and for requests without a provider token.
    private(set) var keys: Places?
    private(set) var rateOver: Rate?
    /// When the rule begins to act, by the server's clock; `nil` for always.
    private(set) var activeFrom: Instant?
    /// The first moment at which it is over; `nil` for never.
    private(set) var activeUntil: Instant?
    /// The actions, one for each firing, or a single one for all; never empty.
    package let actions: [FaultAction]
    /// Whether `actions` was given as a list.
    let isSequence: Bool
    private(set) var then = Then.pass

    /// `nil` for no limit.
    var firingsMax: Int? { isSequence && then == .pass ? min(times ?? .max, actions.count) : times }

    /// The action of a firing, numbered from 0; `nil` after the last action.
    func action(ofFiring number: Int) -> FaultAction? {
        if let firingsMax, number >= firingsMax { return nil }
        guard isSequence else { return actions[0] }
        return then == .repeat ? actions[number % actions.count] : actions[min(number, actions.count - 1)]
    }

    /// Whether the rule acts on the n-th request that is within the times, on a connection that counts and above the
    /// rate, from 1: steps 5 and 6.
    func acts(onMatch number: Int) -> Bool { number > skip && (number - skip) % every == 0 }
    /// Step 7, drawn also at probability 1, so that the action's own choices from `random` don't depend on it.
    func isDrawn(using random: inout SeededGenerator) -> Bool { random.fraction() < probability }

    /// Whether the rule may act at a moment of the clock: step 1.
    func isActive(at now: Instant) -> Bool {
        if let activeFrom, now < activeFrom { return false }
        if let activeUntil, now >= activeUntil { return false }
        return true
    }
}

extension FaultSchedule {
    static let fields: Fields<FaultSchedule> = [
        Field(
            Member(
                "skip", .integer(0...countMax), summary: "How many matching requests are passed over first.",
                default: 0)
        ) { .whole($0.skip) },
        Field(Member("times", .integer(1...countMax), summary: "null: no limit.")) { .whole($0.times) },
        Field(
            Member(
                "every", .integer(1...countMax),
                summary: "Of the matching requests after skip, each one at this distance is taken.", default: 1)
        ) { .whole($0.every) },
        Field(
            Member(
                "probability", .fraction, summary: "How likely a request that is taken makes the rule fire.",
                default: 1)
        ) { .number(JSONNumber(text: "\($0.probability)")) },
        Field(
            Member(
                "connections", .object(Places.fields.making),
                summary: "Only on some connections, counted in the order in which the rule meets them.")
        ) { $0.connections?.json ?? .null },
        Field(
            Member(
                "keys", .object(Places.fields.making),
                summary: "Only by provider tokens of some signing keys, or web pushes of some application server keys, "
                    + "counted in the order in which the rule meets them.")
        ) { $0.keys?.json ?? .null },
        Field(Member("rateOver", .object(Rate.fields.making), summary: "Only above this rate.")) {
            $0.rateOver?.json ?? .null
        },
        Field(
            Member("activeFrom", .time, summary: "When the rule begins to act, by the clock; null for at once.")
        ) { .text($0.activeFrom?.rfc3339) },
        Field(
            Member("activeUntil", .time, summary: "When the rule stops acting, by the clock; null for never.")
        ) { .text($0.activeUntil?.rfc3339) },
        Field(Member("action", .any(schema: "FaultAction"), summary: "What happens when the rule fires.")) {
            $0.isSequence ? .null : $0.actions[0].json
        },
        Field(
            Member(
                "actions", .array(of: .any(schema: "FaultAction"), 0...actionsMax),
                summary: "In place of action: one after the other, per firing.")
        ) { $0.isSequence ? .array($0.actions.map(\.json)) : .null },
        Field(Member("then", .choice(Then.self), summary: "What follows the last of actions.")) {
            .string($0.then.rawValue)
        },
    ]
    static let schema = fields.making

    init(_ reader: ObjectReader) throws(InputError) {
        try reader.refuse("actions", with: "action", because: "a rule has one action or a list of them")
        let then: Then? = reader.choice("then")
        if reader["actions"] != nil {
            let actions = try reader.elements("actions").map { json, place throws(InputError) in
                try FaultAction(json: json, at: place)
            }
            guard !actions.isEmpty else {
                throw reader.error("actions", "an empty array: expected 1 to \(FaultSchedule.actionsMax) actions")
            }
            self.actions = actions
            isSequence = true
            self.then = then ?? .pass
        } else if let action = reader["action"] {
            guard then == nil || then == .pass else {
                throw reader.error("then", "then is not valid with action: expected actions, which it follows")
            }
            actions = [try FaultAction(json: action, at: reader.place("action"))]
            isSequence = false
        } else {
            throw reader.error("action", "a rule needs an action, or actions", allowed: FaultActionType.names)
        }
        skip = reader.integer("skip") ?? 0
        times = reader.integer("times")
        every = reader.integer("every") ?? 1
        if case .number(let number) = reader["probability"] { probability = number.double }
        connections = try reader.map("connections", Places.init)
        keys = try reader.map("keys", Places.init)
        rateOver = try reader.map("rateOver") { json, place throws(InputError) in
            let rate = try ObjectReader(json, at: place, Rate.fields.making)
            return Rate(
                count: rate.integer("count") ?? 0, window: rate.duration("per") ?? .zero, by: rate.choice("by") ?? .all)
        }
        activeFrom = reader.instant("activeFrom")
        activeUntil = reader.instant("activeUntil")
        if let activeFrom, let activeUntil, activeUntil <= activeFrom {
            throw reader.error(
                "activeUntil", "activeUntil is not after activeFrom: expected a time after \(activeFrom.rfc3339)")
        }
    }

    /// What the rule does: of a list of actions each in turn, and what follows the last.
    var actionsInWords: [String] { actions.map(\.words) + (isSequence ? [then.words] : []) }

    /// Which of the matching requests the rule acts on, a phrase for each condition; empty for all.
    var words: [String] {
        [
            skip > 0 ? "not the first \(skip)" : nil, every > 1 ? "every \(every.ordinal)" : nil,
            probability < 1 ? "\(probabilityWords) of them" : nil,
            times.map { $0 == 1 ? "once" : "at most \($0) times" },
            connections.map { "on \($0.words(of: "connection"))" }, keys.map { "by \($0.words(of: "key"))" },
            rateOver?.words, activeFrom.map { "from \($0.rfc3339)" }, activeUntil.map { "until \($0.rfc3339)" },
        ].compactMap(\.self)
    }

    private var probabilityWords: String {
        JSONValue.fraction((probability * 1_000_000).rounded() / 10_000).words + " %"
    }
}

extension FaultSchedule.Places {
    fileprivate init(json: JSONValue, at pointer: String) throws(InputError) {
        let reader = try ObjectReader(json, at: pointer, FaultSchedule.Places.fields.making)
        self.init(
            first: reader.integer("first") ?? 1, every: reader.integer("every") ?? 1, count: reader.integer("count"))
    }

    fileprivate static let fields: Fields<FaultSchedule.Places> = [
        Field(
            Member(
                "first", .integer(1...FaultSchedule.countMax), summary: "The place of the first, from 1.", default: 1)
        ) { .whole($0.first) },
        Field(
            Member(
                "every", .integer(1...FaultSchedule.countMax),
                summary: "From the first on, the first of every so many: with 3, the first, the fourth and so on.",
                default: 1)
        ) { .whole($0.every) },
        Field(
            Member(
                "count", .integer(1...FaultSchedule.countMax), summary: "The most of them; null: no limit.")
        ) { .whole($0.count) },
    ]

    fileprivate var json: JSONValue { .object(FaultSchedule.Places.fields.remakingMembers(of: self)) }

    fileprivate func words(of noun: String) -> String {
        guard count != 1 else { return "the \(first.ordinal) \(noun) that it meets" }
        let which =
            every > 1 ? "the \(first.ordinal) of every \(every) \(noun)s" : "\(noun)s from the \(first.ordinal)"
        return which + " that it meets" + (count.map { ", at most \($0)" } ?? "")
    }
}

extension FaultSchedule.Then {
    fileprivate var words: String {
        switch self {
        case .pass: "then \(FaultActionType.pass.words)"
        case .repeat: "and then from the first again"
        case .last: "and then always the last"
        }
    }
}

extension FaultSchedule.Rate {
    fileprivate static let fields: Fields<FaultSchedule.Rate> = [
        Field(
            Member(
                "count", .integer(0...countMax), summary: "How many requests pass before the rule acts.",
                isRequired: true)
        ) { .whole($0.count) },
        Field(
            Member("per", .duration(.milliseconds(1)...windowMax), summary: "In which time.", isRequired: true)
        ) { .duration($0.window) },
        Field(Member("by", .choice(By.self), summary: "What is counted separately.", default: "all")) {
            .string($0.by.rawValue)
        },
    ]

    fileprivate var json: JSONValue { .object(FaultSchedule.Rate.fields.remakingMembers(of: self)) }

    fileprivate var words: String {
        "above \(count) per \(DurationText.text(window))" + (by == .all ? "" : " and \(by.rawValue)")
    }
}

extension FaultSchedule.Rate.By: ByteCodable {}

extension FaultSchedule.Rate: ByteRecord {
    package static let members = ByteMembers(FaultSchedule.Rate.init) { ($0.count, $0.window, $0.by) }
}
