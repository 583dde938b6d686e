package import APNsRules

extension Filter {
    /// The names of a `match` object, for error messages.
    package static let memberNames =
        FilterKey.allCases.map(\.rawValue) + ["payload", "payloadIncludes", "headers", "screen"]

    /// Reads a `match` object (`Documents#Matchers`): a value is *equal*, an array *any of*, an object one operator.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - pointer: Where it is in the request's body, for errors.
    ///   - besides: Members that the caller reads itself, such as a fault's `event`.
    /// - Throws: ``QueryError`` whose field is a JSON pointer.
    package init(json: JSONValue, at pointer: String = "/match", besides: [String] = []) throws(QueryError) {
        guard let members = json.object else {
            throw QueryError(pointer, "\(json.kind) is no filter; an object was expected")
        }
        var conditions: [Condition] = []
        var budget = PatternBudget(PatternBudget.filterBytesMax)
        func add(_ field: FilterField, _ matcher: Matcher, at place: String) throws(QueryError) {
            try budget.take(matcher.patternByteCount, at: place)
            conditions.append(Condition(field, matcher))
        }
        for member in members where !besides.contains(member.name) {
            let place = pointer + JSONPointer(steps: [member.name]).description
            switch member.name {
            case "payload":
                for (name, value) in try Filter.members(of: member.value, at: place) {
                    let field = FilterField.payload(try TermList.pointer(name, at: place))
                    let place = place + JSONPointer(steps: [name]).description
                    try add(field, MatcherReader(key: nil, ignoresCase: false).matcher(value, at: place), at: place)
                }
            case "payloadIncludes":
                guard member.value.object != nil || member.value.array != nil else {
                    throw QueryError(place, "\(member.value.kind) is no part of a payload; an object was expected")
                }
                conditions.append(Condition(.payloadIncludes, .includes(member.value)))
            case "screen":
                for (name, value) in try Filter.members(of: member.value, at: place) {
                    let place = place + JSONPointer(steps: [name]).description
                    let field = FilterField.screen(try TermList.screenPointer(name, at: place))
                    try add(field, MatcherReader(key: nil, ignoresCase: false).matcher(value, at: place), at: place)
                }
            case "headers":
                for (name, value) in try Filter.members(of: member.value, at: place) {
                    let field = FilterField.header(name.lowercased())
                    let place = place + JSONPointer(steps: [name]).description
                    try add(field, MatcherReader(key: nil, ignoresCase: false).matcher(value, at: place), at: place)
                }
            default:
                guard let key = FilterKey(rawValue: member.name) else {
                    throw .unknown("filter", member.name, at: place, among: Filter.memberNames + besides)
                }
                let reader = MatcherReader(key: key, ignoresCase: key.ignoresCase)
                try add(.key(key), reader.matcher(member.value, at: place), at: place)
            }
        }
        self.init(conditions)
    }

    private static func members(of json: JSONValue, at place: String) throws(QueryError) -> [(String, JSONValue)] {
        guard let members = json.object else {
            throw QueryError(place, "\(json.kind) was given; an object of names and matchers was expected")
        }
        return members.map { ($0.name, $0.value) }
    }
}

/// Reads the matchers of one field from JSON.
struct MatcherReader {
    /// The key, whose values are checked; `nil` for a place in the payload or a header, where anything goes.
    let key: FilterKey?
    /// Whether upper and lower case are the same.
    let ignoresCase: Bool

    private enum Operator: String, CaseIterable {
        case prefix, contains, regex, not, exists, gte, lte
    }

    private var operators: [Operator] {
        switch key?.kind {
        case nil: Operator.allCases
        case .text: [.prefix, .contains, .regex, .not, .exists]
        case .whole: [.not, .exists, .gte, .lte]
        case .truth: [.not, .exists]
        case .time: [.not]
        }
    }

    func matcher(_ json: JSONValue, at place: String) throws(QueryError) -> Matcher {
        switch json {
        case .object(let members): return try operation(members, at: place)
        case .array(let elements):
            guard !elements.isEmpty else {
                throw QueryError(place, "an empty array matches nothing; leave it out or name a value")
            }
            var matchers: [Matcher] = []
            var budget = PatternBudget(PatternBudget.filterBytesMax)
            for (index, element) in elements.enumerated() {
                let matcher = try matcher(element, at: place + "/\(index)")
                try budget.take(matcher.patternByteCount, at: place + "/\(index)")
                matchers.append(matcher)
            }
            return .any(matchers)
        default:
            guard let key else { return .equal(json) }
            if json == .null { return .exists(false) }
            if key == .fault, json == "none" { return .exists(false) }
            return key.bounded(try key.operand(json, at: place))
        }
    }

    private func operation(_ members: [JSONMember], at place: String) throws(QueryError) -> Matcher {
        let names = operators.map(\.rawValue)
        guard members.count == 1, let member = members.first else {
            throw QueryError(
                place, "an object with \(members.count) members is no matcher; exactly one operator was expected",
                allowed: names)
        }
        let place = place + JSONPointer(steps: [member.name]).description
        guard let operation = Operator(rawValue: member.name), operators.contains(operation) else {
            throw .unknown("operator", member.name, at: place, among: names)
        }
        switch operation {
        case .prefix: return .prefix(try part(member.value, at: place))
        case .contains: return .contains(try part(member.value, at: place))
        case .regex: return .regex(try Pattern(text(member.value, at: place), ignoresCase: ignoresCase, at: place))
        case .not: return .not(try matcher(member.value, at: place))
        case .exists:
            guard let isThere = member.value.bool else {
                throw QueryError(place, "\(member.value.kind) was given", allowed: ["true", "false"])
            }
            return .exists(isThere)
        case .gte: return .atLeast(try bound(member.value, at: place))
        case .lte: return .atMost(try bound(member.value, at: place))
        }
    }

    private func text(_ json: JSONValue, at place: String) throws(QueryError) -> String {
        guard let text = json.string else { throw QueryError(place, "\(json.kind) was given; a string was expected") }
        return text
    }

    private func part(_ json: JSONValue, at place: String) throws(QueryError) -> String {
        let text = try text(json, at: place)
        return try key?.part(text, at: place) ?? text
    }

    private func bound(_ json: JSONValue, at place: String) throws(QueryError) -> JSONValue {
        switch json {
        case .number where key != .priority: return json
        case .number(let number) where number.integer != nil: return json
        case .string where key == nil: return json
        default: throw QueryError(place, "\(json.kind) was given; a number was expected")
        }
    }
}
