internal import APNsRules

/// Finds conditions that no request can meet, so that a rule which does nothing is refused when it is made:
/// a value that a key never has, a malformed token, a header that is not text.
enum FaultContradiction {
    static func check(_ condition: Filter.Condition, _ event: FaultEvent, at pointer: String) throws(InputError) {
        switch condition.field {
        case .key(let key): try check(key, with: condition.matcher, on: event, at: pointer + "/" + key.rawValue)
        case .header(let name):
            let place = JSONPointer.below(pointer + "/headers", name)
            guard !name.hasPrefix(":"), !name.isEmpty else {
                throw InputError(at: place, "pseudo-headers can't be matched: expected a header's name")
            }
            guard FaultResponse.isFieldName(name) else {
                throw InputError(at: place, "\(name) is not a header's name, so the rule could never match")
            }
            for operand in condition.matcher.operands where operand.string == nil && operand != .null {
                throw .mismatch(operand, at: place, expected: "a string")
            }
        case .payload, .payloadIncludes, .screen: break
        }
    }

    private static func check(
        _ key: FilterKey, with matcher: Matcher, on event: FaultEvent, at place: String
    ) throws(InputError) {
        for text in matcher.operands.compactMap(\.string) where key == .token {
            // The lengths that a server takes are a setting; these are what any setting may allow.
            guard DeviceToken(text, byteCounts: DeviceToken.anyByteCounts) == nil else { continue }
            throw InputError(
                at: place,
                "\(text) is not a token: expected at most \(DeviceToken.byteCountMax) pairs of hexadecimal digits; "
                    + "{\"prefix\": \"\(text)\"} matches tokens that begin with these")
        }
        guard let possible = possibleValues(of: key, matcher, event) else { return }
        guard !possible.contains(where: { matcher.matches(anyOf: $0.map { [$0] } ?? []) }) else { return }
        throw InputError(
            at: place, "\(matcher.json.encodedText) holds for no \(key.rawValue), so the rule could never match",
            allowed: key.values ?? [])
    }

    /// All values that a key can have, including `nil` if it may be missing; `nil` if they can't be listed.
    private static func possibleValues(of key: FilterKey, _ matcher: Matcher, _ event: FaultEvent) -> [JSONValue?]? {
        switch key {
        case .priority: Priority.allCases.map { .number(JSONNumber($0.rawValue)) } + [nil]
        case .environment: APNsEnvironment.allCases.map { .string($0.rawValue) } + (event == .request ? [] : [nil])
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

extension Matcher {
    /// Every value that a field is compared with for equality or order.
    var operands: [JSONValue] {
        switch self {
        case .equal(let value), .atLeast(let value), .atMost(let value): [value]
        case .any(let matchers): matchers.flatMap(\.operands)
        case .not(let matcher): matcher.operands
        case .prefix, .contains, .regex, .exists, .includes: []
        }
    }

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
