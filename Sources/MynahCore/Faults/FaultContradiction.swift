internal import APNsRules

/// Finds conditions that no request or connection can meet, so that a rule which does nothing is refused when it is made;
/// ``Filter`` itself refuses what no push can have.
enum FaultContradiction {
    static func check(_ condition: Filter.Condition, _ event: FaultEvent, at pointer: String) throws(InputError) {
        switch condition.field {
        case .key(let key): try check(key, with: condition.matcher, on: event, at: pointer + "/" + key.rawValue)
        case .header(let name) where FilterField.answerHeaders.contains(name):
            throw InputError(
                at: JSONPointer.below(pointer + "/headers", name),
                "no request has \(name), so the rule could never match: expected a header of requests; the action's "
                    + "answerHeaders set those of the answer")
        case .header, .place, .payloadIncludes: break
        }
    }

    private static func check(
        _ key: FilterKey, with matcher: Matcher, on event: FaultEvent, at place: String
    ) throws(InputError) {
        guard event != .request, let possible = possibleValues(of: key, matcher) else { return }
        guard !possible.contains(where: { matcher.matches(anyOf: $0.map { [$0] } ?? []) }) else { return }
        throw InputError(
            at: place, "\(matcher.json.encodedText) holds for no \(key.rawValue), so the rule could never match",
            allowed: key.values ?? [])
    }

    /// The values that a key of a connection can have, including `nil` if it may be missing; `nil` if they can't be
    /// listed.
    private static func possibleValues(of key: FilterKey, _ matcher: Matcher) -> [JSONValue?]? {
        switch key {
        case .environment: APNsEnvironment.allCases.map { .string($0.rawValue) } + [nil]
        case .connection: connections(around: matcher)
        default: nil
        }
    }

    /// Numbers of connections, which count from 1, on both sides of every number that the matcher names.
    private static func connections(around matcher: Matcher) -> [JSONValue?] {
        var numbers: Set<Int64> = [1, .max]
        for number in matcher.operands.compactMap(\.integer) {
            for neighbour in [number &- 1, number, number &+ 1] where neighbour >= 1 { numbers.insert(neighbour) }
        }
        return numbers.map { .number(JSONNumber($0)) }
    }
}

extension Filter {
    /// The kinds of pushes that the filter names; empty if it names none.
    var kinds: Set<JournalKind> {
        let named = conditions.first { $0.field == .key(.kind) }?.matcher.exactValues ?? []
        return Set(named.compactMap { $0.string.flatMap { JournalKind(rawValue: $0) } })
    }
}

extension Matcher {
    /// The only values that satisfy this, when it is one value or a list of them.
    var exactValues: [JSONValue]? {
        switch self {
        case .equal(let value): return value == .null ? nil : [value]
        case .any(let matchers):
            let values = matchers.compactMap(\.exactValues)
            return values.count == matchers.count ? values.flatMap(\.self) : nil
        default: return nil
        }
    }
}
