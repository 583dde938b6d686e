package import APNsRules

/// The counters of a fault rule over all event loops; a patch of the rule keeps them, a new rule with its id starts at
/// zero.
package struct FaultCounters: Sendable {
    /// Requests that matched and that no rule above this one took.
    package private(set) var matched = 0
    package private(set) var fired = 0
    // Requests that were within the times, on a connection that counts and above the rate: what `skip` and `every` count.
    private var eligible = 0
    private var rates = RateWindow()
    private var connections = Met<UInt64>()
    /// The signing keys; not among its bytes, which an earlier version has written without them.
    package var keys = Met<String>()
    // The rate that `rates` counts for: a patched rule may have another one.
    private var rate: FaultSchedule.Rate?
    package init() {}
    /// How many firings are left; `nil` for no limit.
    package func remaining(of schedule: FaultSchedule) -> Int? { schedule.firingsMax.map { max(0, $0 - fired) } }

    /// Counts a request that matches the rule, and decides whether the rule acts on it; `seed` is the server's, used
    /// unless a scenario gave the rule its own.
    package mutating func claim(_ rule: FaultRule, for facts: FaultFacts, seed: UInt64) -> FaultFiring? {
        let schedule = rule.schedule
        matched += 1
        let action = schedule.action(ofFiring: fired)
        let countsConnections = rule.usesChance || action?.afterPushes != nil || schedule.connections != nil
        let (place, request) = countsConnections ? connections.countRequest(of: facts.connection) : (0, 0)
        let isOfKey = schedule.keys.map { places in
            facts.signingKey.map { places.contains(keys.countRequest(of: $0).place) } ?? false
        }
        guard schedule.isActive(at: facts.now), schedule.connections?.contains(place) ?? true, isOfKey ?? true else {
            return nil
        }
        if let rate = schedule.rateOver {
            if rate != self.rate {
                self.rate = rate
                rates = RateWindow()
            }
            guard let key = facts.key(rate.by), rates.isExceeded(key, rate, at: facts.now) else { return nil }
        }
        if let count = action?.afterPushes, request % UInt64(count) != 0 { return nil }
        eligible += 1
        guard schedule.acts(onMatch: eligible) else { return nil }
        var random = SeededGenerator(seed: rule.seed ?? seed).split(for: rule.stream).split(for: place)
            .split(for: request)
        guard schedule.isDrawn(using: &random), let action else { return nil }
        if action.idleTime == nil { fired += 1 }
        return FaultFiring(ruleID: rule.id, action: action, random: random)
    }

    /// Counts an action that has waited for silence; `false` if no firing is left.
    package mutating func fire(_ rule: FaultRule) -> Bool {
        guard rule.schedule.action(ofFiring: fired) != nil else { return false }
        fired += 1
        return true
    }
}

package struct FaultFiring: Sendable, Equatable {
    package let ruleID: String
    package let action: FaultAction
    /// For the action's own choices: the length of a delay.
    package var random: SeededGenerator

    package init(ruleID: String, action: FaultAction, random: SeededGenerator) {
        self.ruleID = ruleID
        self.action = action
        self.random = random
    }
}

extension FaultAction: ByteDocument {
    package init(kept json: JSONValue, at pointer: String) throws(InputError) { try self.init(json: json, at: pointer) }
}

extension FaultFiring: ByteRecord {
    package static let members = ByteMembers(FaultFiring.init) { ($0.ruleID, $0.action, $0.random) }
}

extension FaultFacts {
    /// The key under which a rate counts this; `nil` if it has none, so that no rate is exceeded.
    func key(_ by: FaultSchedule.Rate.By) -> RateWindow.Key? {
        switch by {
        case .token: token.map { .token($0) }
        case .topic: topic.map { .topic($0) }
        case .connection: .connection(connection)
        case .all: .all
        }
    }
}

/// The connections or keys whose requests a rule has matched, numbered in that order, and the requests of each, for its
/// random numbers, `connections`, `keys` and `afterPushes`; counted per rule, so that a new rule starts from 1.
package struct Met<One: Hashable & Sendable & ByteCodable>: Sendable {
    /// The most that are remembered; a forgotten one counts as new at its next request.
    static var countMax: Int { 4096 }

    private var met: [One: (place: UInt64, requests: UInt64)] = [:]
    private var metCount: UInt64 = 0

    /// Counts a request; returns the place of its connection or key, and the request's number on that connection or
    /// with that key, both from 1.
    mutating func countRequest(of one: One) -> (place: UInt64, request: UInt64) {
        if let known = met[one] {
            met[one] = (known.place, known.requests + 1)
            return (known.place, known.requests + 1)
        }
        if met.count >= Met.countMax {
            let kept = metCount - UInt64(Met.countMax / 2)
            met = met.filter { $0.value.place > kept }
        }
        metCount += 1
        met[one] = (metCount, 1)
        return (metCount, 1)
    }
}

extension FaultCounters: ByteRecord {
    package static let members: some ByteForm<FaultCounters> = ByteProperties(
        of: FaultCounters.init, \.matched, \.fired, \.eligible, \.rates, \.connections, \.rate)

    package var damage: String? {
        matched < 0 || fired < 0 || eligible < 0 ? "a rule counts below zero" : nil
    }
}

extension Met: ByteRecord {
    package static var members: some ByteForm<Met> {
        CheckedMembers(Met.init(metCount:known:)) { all in
            let known = all.met.sorted { $0.value.place < $1.value.place }
            return (all.metCount, known.map { Row($0.key, $0.value.place, $0.value.requests) })
        }
    }

    private init(metCount: UInt64, known: [Row<One, UInt64, UInt64>]) throws(CodingProblem) {
        guard known.count <= Met.countMax, metCount >= UInt64(known.count) else {
            throw CodingProblem("a rule can't have met \(known.count) connections or keys")
        }
        self.metCount = metCount
        for row in known {
            let (one, place, requests) = row.values
            met[one] = (place, requests)
        }
    }
}
