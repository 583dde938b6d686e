internal import APNsRules

/// Finds filters that nothing can meet, which would make an expectation of no push one that always holds, and their
/// negations, which would select everything.
extension Filter {
    /// Refuses a filter that nothing can meet; `places` are the places, for errors, of fields that have one of their
    /// own.
    package func checkPossible(
        _ subject: FilterSubject = .pushes, at place: String, _ places: [FilterField: String] = [:],
        times: String? = nil
    ) throws(InputError) {
        try checkTimes(at: times ?? place)
        let groups = grouped()
        for group in groups { try group.checkNegations(at: places[group.field] ?? place) }
        guard subject != .connections else { return }
        let shapes = PushShape.shapes(of: subject)
        let judged = groups.map(\.judged)
        for group in judged { try group.checkValues(subject, shapes, at: places[group.field] ?? place) }
        try Filter.checkTogether(judged, shapes, at: place, places)
    }

    /// Refuses a condition on the empty text, which in what is to be removed comes from a variable that is not set, and
    /// whose negation would select nearly everything.
    package func checkSelection(at place: String) throws(InputError) {
        for condition in conditions where condition.matcher.operands.contains(.string("")) {
            throw InputError(
                at: place,
                "\(condition.field.name) is empty: expected a value, or no \(condition.field.name) where it isn't to select"
            )
        }
    }

    /// Refuses a device token of a length that no token on a server has; `byteCounts` are the lengths that it takes.
    package func checkTokens(_ byteCounts: ClosedRange<Int>, at place: String) throws(InputError) {
        for condition in conditions where condition.field == .key(.token) {
            for case .string(let hex) in condition.matcher.operands {
                try DeviceToken.check(inFilter: hex, byteCounts, at: place)
            }
        }
    }

    /// Refuses a filter of what arrived on a device that asks for other devices.
    package func checkDevice(_ id: String, at place: String) throws(InputError) {
        for condition in conditions where condition.field == .key(.device) {
            // A broadcast has none.
            guard !condition.matcher.matches(anyOf: [.string(id)]), !condition.matcher.matches(anyOf: []) else {
                continue
            }
            throw InputError(at: place, "nothing here has another device than \(id): expected no device")
        }
    }

    private func grouped() -> [ConditionGroup] {
        var order: [FilterField] = []
        var matchers: [FilterField: [Matcher]] = [:]
        for condition in conditions {
            if matchers[condition.field] == nil { order.append(condition.field) }
            matchers[condition.field, default: []].append(condition.matcher)
        }
        return order.map { ConditionGroup(field: $0, matchers: matchers[$0, default: []]) }
    }

    /// The most fields among which the two that exclude each other are searched for an error.
    private static let namedMax = 32

    /// Refuses conditions on several fields that no push has together.
    private static func checkTogether(
        _ groups: [ConditionGroup.Judged], _ shapes: [PushShape], at place: String,
        _ places: [FilterField: String]
    ) throws(InputError) {
        // What holds of every shape excludes nothing.
        let deciding = groups.filter { group in !shapes.allSatisfy { group.allows($0) } }
        func isPossible(_ groups: [ConditionGroup.Judged]) -> Bool {
            shapes.contains { shape in groups.allSatisfy { $0.allows(shape) } }
        }
        guard deciding.count > 1, !isPossible(deciding) else { return }
        var excluded = deciding
        for (index, first) in deciding.prefix(namedMax).enumerated() {
            for second in deciding[..<index] where !isPossible([first, second]) && excluded.count > 2 {
                excluded = [second, first]
            }
        }
        let names = excluded.map(\.field.name)
        var rules: [String] = []
        for rule in excluded.compactMap(\.applicability.rule) where !rules.contains(rule) {
            rules.append(rule)
        }
        var problem =
            names.count > 1 ? "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])" : names[0]
        problem += " as they are given exclude each other, so nothing can match: "
        throw InputError(
            at: excluded.last.flatMap { places[$0.field] } ?? place,
            problem + (rules.isEmpty ? "expected one of them" : rules.joined(separator: ", and ")))
    }
}

extension DeviceToken {
    static func check(inFilter hex: String, _ byteCounts: ClosedRange<Int>, at place: String) throws(InputError) {
        guard DeviceToken(hex, byteCounts: byteCounts) == nil else { return }
        let expected = "\(2 * byteCounts.lowerBound) to \(2 * byteCounts.upperBound)"
        throw InputError(
            at: place, "\(hex) is no device token: it has \(hex.utf8.count) hexadecimal digits, expected \(expected)")
    }
}

/// The conditions of a filter on one field.
private struct ConditionGroup {
    /// The most comparisons that are made to find a contradiction; with more, an impossible filter is accepted and
    /// matches nothing.
    private static let comparisonsMax = 100_000

    let field: FilterField
    let matchers: [Matcher]

    /// A group with what its matchers say about absence and about values that are few, found out once.
    struct Judged {
        let group: ConditionGroup
        var field: FilterField { group.field }
        let applicability: Applicability
        private let mayBeAbsent: Bool
        private let mayBePresent: Bool
        /// The listed values that every matcher takes.
        private let values: Set<JSONValue>
        /// The numbers to try, at least one from each range that the matchers' bounds divide all numbers into; `nil`
        /// for all.
        private let numbers: [Int64]?
        /// The values of a key in all shapes.
        private let possibleValues: PushShape.Values

        init(_ group: ConditionGroup) {
            self.group = group
            applicability = group.field.applicability
            mayBeAbsent = group.matchers.allSatisfy { $0.matches(anyOf: []) }
            mayBePresent = !group.matchers.contains { $0.isOfAbsence }
            guard case .key(let key) = group.field else {
                values = []
                numbers = nil
                possibleValues = .any
                return
            }
            possibleValues = key.possibleValues
            switch possibleValues {
            case .any:
                values = []
                numbers = nil
            case .among(let listed):
                values = Set(listed.filter(group.holds))
                numbers = nil
            case .numbers:
                values = []
                let candidates = Judged.numbers(
                    around: group.matchers.flatMap(\.operands),
                    and: key.facts.ranges.flatMap { [$0.lowerBound, $0.upperBound] })
                numbers = group.canCompare(candidates.count) ? candidates.filter { group.holds(.whole($0)) } : nil
            }
        }

        func allows(_ shape: PushShape) -> Bool {
            let presence = shape.presence(of: field, applicability)
            if presence != .always, mayBeAbsent { return true }
            guard presence != .never, mayBePresent else { return false }
            return switch applicability.values?(shape) ?? possibleValues {
            case .any: true
            case .among(let listed): listed.contains(where: values.contains)
            case .numbers(let range): numbers?.contains(where: range.contains) ?? true
            }
        }

        /// Refuses what nothing that a filter selects from has.
        func checkValues(_ subject: FilterSubject, _ shapes: [PushShape], at place: String) throws(InputError) {
            guard !shapes.contains(where: allows) else { return }
            if shapes.allSatisfy({ $0.presence(of: field, applicability) == .never }) {
                throw InputError(
                    at: place, "\(subject.noun) has no \(field.name), so nothing can match: expected \(subject.keys)")
            }
            guard case .key(let key) = field else { return }
            let of = subject == .arrivals ? " of \(subject.noun)" : ""
            let given = group.matchers.count == 1 ? group.matchers[0].json.encodedText : "what is given"
            throw InputError(
                at: place, "\(given) holds for no \(key.rawValue)\(of), so it could never match",
                allowed: subject == .arrivals ? [] : key.values ?? [])
        }

        /// The ends of ranges, and the numbers on both sides of every operand.
        private static func numbers(around operands: [JSONValue], and ends: [Int64]) -> Set<Int64> {
            var numbers = Set(ends)
            for case .number(let operand) in operands {
                guard let whole = operand.integer ?? Int64(exactly: operand.double.rounded(.down)) else { continue }
                numbers.formUnion([whole &- 1, whole, whole &+ 1])
            }
            return numbers
        }
    }

    var judged: Judged { Judged(self) }

    /// Whether `count` values may be compared with all values that the matchers name.
    private func canCompare(_ count: Int) -> Bool {
        count * matchers.reduce(0) { $0 + $1.alternatives.count } <= ConditionGroup.comparisonsMax
    }

    private func holds(_ value: JSONValue) -> Bool { matchers.allSatisfy { $0.matches(anyOf: [value]) } }

    /// Whether a push has at most one value, so that two different ones exclude each other.
    private var isSingle: Bool {
        switch field {
        case .header, .payloadIncludes: false
        case .key, .place: true
        }
    }

    /// Refuses conditions of which one wants what another refuses.
    func checkNegations(at place: String) throws(InputError) {
        guard matchers.count > 1 else { return }
        let refused = Set(
            matchers.flatMap { matcher -> [Matcher] in
                if case .not(let refused) = matcher { refused.alternatives } else { [] }
            })
        for matcher in matchers {
            if case .not = matcher { continue }
            guard matcher.alternatives.allSatisfy(refused.contains) else { continue }
            throw InputError(
                at: place,
                "\(field.name) is to match and not to match the same, so nothing can match: expected one of both")
        }
        try checkCandidates(at: place)
    }

    /// Refuses two conditions of which no value meets both.
    private func checkCandidates(at place: String) throws(InputError) {
        let lists = matchers.map(\.candidates)
        guard isSingle, let fewest = lists.compactMap(\.self).min(by: { $0.count < $1.count }),
            canCompare(fewest.count)
        else { return }
        let isMet = fewest.contains { value in
            let values = value.map { [$0] } ?? []
            return matchers.allSatisfy { $0.matches(anyOf: values) }
        }
        guard !isMet else { return }
        throw InputError(
            at: place,
            "\(field.name) is given twice with conditions that exclude each other, so nothing can match: expected one of "
                + "them, or an array of values")
    }
}

extension Matcher {
    /// Whether only an absent field satisfies this matcher.
    fileprivate var isOfAbsence: Bool {
        switch self {
        case .exists(let isThere): !isThere
        case .equal(let value): value == .null
        case .any(let matchers): matchers.allSatisfy(\.isOfAbsence)
        case .not(let matcher): matcher.isOfPresence
        default: false
        }
    }

    private var isOfPresence: Bool {
        switch self {
        case .exists(let isThere): isThere
        case .any(let matchers): matchers.contains { $0.isOfPresence }
        case .not(let matcher): matcher.isOfAbsence
        default: false
        }
    }

    /// The only values that satisfy this, `nil` for an absent one, when it is one value or a list of them.
    fileprivate var candidates: [JSONValue?]? {
        switch self {
        case .equal(let value): return [value == .null ? nil : value]
        case .exists(false): return [nil]
        case .any(let matchers):
            let values = matchers.compactMap(\.candidates)
            return values.count == matchers.count ? values.flatMap(\.self) : nil
        default: return nil
        }
    }
}
