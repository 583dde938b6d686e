internal import APNsRules

/// Finds conditions that no request can meet, so that a rule which does nothing is refused when it is made.
///
/// Only what is certain: a key whose values are few and known, a token that is none, a header that is not text.
enum FaultContradiction {
    /// Refuses a condition that can never hold.
    ///
    /// - Throws: ``QueryError`` of the condition's place below `pointer`.
    static func check(_ condition: Filter.Condition, _ event: FaultEvent, at pointer: String) throws(QueryError) {
        switch condition.field {
        case .key(let key):
            let place = pointer + JSONPointer(steps: [key.rawValue]).description
            try check(key, condition.matcher, event, at: place)
        case .header(let name):
            let place = pointer + JSONPointer(steps: ["headers", name]).description
            guard !name.hasPrefix(":"), !name.isEmpty else {
                throw QueryError(place, "a header's name was expected; pseudo-headers cannot be matched")
            }
            guard FaultResponse.isFieldName(name) else {
                throw QueryError(place, "\(name) is no header's name, so the rule could never match")
            }
            for operand in condition.matcher.operands where operand.string == nil && operand != .null {
                throw QueryError(place, "\(operand.kind) was given; the value of a header is a string")
            }
        case .payload, .payloadIncludes, .screen: break
        }
    }

    private static func check(
        _ key: FilterKey, _ matcher: Matcher, _ event: FaultEvent, at place: String
    ) throws(QueryError) {
        if key == .token {
            for operand in matcher.operands {
                guard let text = operand.string else { continue }
                // The lengths that a server takes are a setting; here is what any setting may allow.
                guard DeviceToken(text, byteCounts: 1...DeviceToken.byteCountMax) != nil else {
                    throw QueryError(
                        place,
                        "\(text) is no token: at most \(DeviceToken.byteCountMax) pairs of hexadecimal digits were "
                            + "expected; {\"prefix\": \"\(text)\"} matches tokens that begin so")
                }
            }
        }
        guard let possible = possibleValues(of: key, matcher, event) else { return }
        let canHold = possible.contains { matcher.matches(anyOf: $0.map { [$0] } ?? []) }
        guard !canHold else { return }
        throw QueryError(
            place, "\(matcher.json.encodedText) holds for no \(key.rawValue), so the rule could never match",
            allowed: key.values ?? [])
    }

    /// All values that a key can have, `nil` among them where it may be missing; `nil` when they cannot be listed.
    private static func possibleValues(
        of key: FilterKey, _ matcher: Matcher, _ event: FaultEvent
    ) -> [JSONValue?]? {
        switch key {
        case .priority: Priority.allCases.map { .number(JSONNumber($0.rawValue)) } + [nil]
        case .environment:
            APNsEnvironment.allCases.map { .string($0.rawValue) } + (event == .request ? [] : [nil])
        case .connection: connections(around: matcher)
        default: nil
        }
    }

    /// Numbers of connections, which count from 1, on both sides of every number that the matcher names.
    private static func connections(around matcher: Matcher) -> [JSONValue?] {
        var numbers: Set<Int64> = [1, .max]
        for operand in matcher.operands {
            guard let number = operand.integer else { continue }
            for neighbour in [number &- 1, number, number &+ 1] where neighbour >= 1 { numbers.insert(neighbour) }
        }
        return numbers.map { .number(JSONNumber($0)) }
    }
}

extension Matcher {
    /// Every value that a field is compared with for equality or order.
    var operands: [JSONValue] {
        switch self {
        case .equal(let value), .atLeast(let value), .atMost(let value): [value]
        case .any(let matchers): matchers.flatMap(\.operands)
        case .not(let matcher): matcher.operands
        case .text, .prefix, .contains, .regex, .exists, .includes: []
        }
    }

    /// The only values that satisfy this, when it is one value or a list of them.
    var exactValues: [JSONValue]? {
        switch self {
        case .equal(let value): return value == .null ? nil : [value]
        case .any(let matchers):
            var values: [JSONValue] = []
            for matcher in matchers {
                guard let exact = matcher.exactValues else { return nil }
                values += exact
            }
            return values
        default: return nil
        }
    }
}
