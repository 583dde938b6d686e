package import APNsRules

extension Filter {
    /// The names of a `match` object, for error messages.
    package static let memberNames =
        FilterKey.allCases.map(\.rawValue) + ["payload", "payloadIncludes", "headers", "screen", "webPush"]

    /// Reads a `match` object (`Documents#Matchers`): a value is *equal*, an array *any of*, an object one operator;
    /// `besides` are members that the caller reads itself, such as a fault's `event`.
    package init(
        json: JSONValue, at pointer: String = "/match", besides: [String] = [], of subject: FilterSubject = .pushes
    ) throws(InputError) {
        try self.init(reading: json, at: pointer, besides: besides, of: subject)
    }

    /// Reads a `match` object that was accepted before, also one that would be refused now.
    package init(kept json: JSONValue, at pointer: String, besides: [String] = []) throws(InputError) {
        try self.init(reading: json, at: pointer, besides: besides, of: nil)
    }

    /// - Parameter subject: What the filter has to be possible for; `nil` for a filter that was accepted before.
    private init(
        reading json: JSONValue, at pointer: String, besides: [String], of subject: FilterSubject?
    ) throws(InputError) {
        let isKept = subject == nil
        guard let members = json.object else { throw .mismatch(json, at: pointer, expected: "an object of filters") }
        var conditions: [Condition] = []
        var places: [FilterField: String] = [:]
        var budget = PatternBudget(PatternBudget.filterBytesMax)
        func add(_ field: FilterField, _ matcher: Matcher, at place: String) throws(InputError) {
            try budget.take(matcher.patternByteCount, at: place)
            conditions.append(Condition(field, matcher))
            places[field] = place
        }
        for member in members where !besides.contains(member.name) {
            let place = JSONPointer.below(pointer, member.name)
            switch member.name {
            case "payload", "screen", "webPush", "headers":
                try Form.map(of: .any()).check(member.value, at: place)
                for inner in member.value.object ?? [] {
                    let innerPlace = JSONPointer.below(place, inner.name)
                    let field =
                        try FilterField(
                            member.name, pointer: inner.name, isKept: isKept,
                            at: member.name == "payload" ? place : innerPlace)
                        ?? .header(inner.name.lowercased())
                    let matcher = try MatcherReader(key: nil, isKept: isKept).matcher(inner.value, at: innerPlace)
                    if let subject {
                        if case .header(let name) = field {
                            try FilterField.check(header: name, matcher, of: subject, at: innerPlace)
                        }
                        try field.check(matcher, at: innerPlace)
                    }
                    try add(field, matcher, at: innerPlace)
                }
            case "payloadIncludes":
                guard member.value.object != nil || member.value.array != nil else {
                    throw .mismatch(member.value, at: place, expected: "an object that a payload includes")
                }
                if !isKept { try Filter.checkIncluded(member.value, at: place) }
                conditions.append(Condition(.payloadIncludes, .includes(member.value)))
            default:
                guard let key = FilterKey(rawValue: member.name) else {
                    throw .unknown("filter", member.name, at: place, among: Filter.memberNames + besides)
                }
                let matcher = try MatcherReader(key: key, isKept: isKept).matcher(member.value, at: place)
                try add(.key(key), matcher, at: place)
            }
        }
        self.init(conditions)
        if let subject { try checkPossible(subject, at: pointer, places, times: pointer + "/until") }
    }

    /// Refuses paths and operators in what a payload is to include, which is compared as it stands.
    private static func checkIncluded(_ value: JSONValue, at place: String) throws(InputError) {
        for member in value.object ?? [] where FilterField.isPath(member.name) {
            throw InputError(
                at: JSONPointer.below(place, member.name),
                "\"\(member.name)\" is no member of a payload: payloadIncludes has the payload's own members, as in "
                    + "{\"aps\": {\"badge\": 1}}; in payload pointers are names, as in "
                    + "{\"\(JSONPointer.meant(by: member.name))\": 1}")
        }
        guard let aps = value["aps"] else {
            return try checkIsNoMatcher(of: value, at: place, pointer: "")
        }
        try checkInAPS(aps, at: place + "/aps", pointer: "/aps")
    }

    /// Members of `aps` whose contents are an app's own.
    private static let ownMembers = ["content-state", "attributes"]

    /// Refuses an object that has nothing but operators.
    private static func checkIsNoMatcher(of value: JSONValue, at place: String, pointer: String) throws(InputError) {
        let names = (value.object ?? []).map(\.name)
        guard let first = names.first, names.allSatisfy(MatcherReader.operatorNames.contains) else { return }
        let example = JSONValue.object([JSONMember(first, value[first] ?? .null)])
        throw InputError(
            at: JSONPointer.below(place, first),
            "payloadIncludes compares values as they are, without \(first): expected payload in its place, as in "
                + "{\"payload\": {\"\(pointer)\": \(example.encodedText)}}")
    }

    private static func checkInAPS(
        _ value: JSONValue, at place: String, pointer: String
    ) throws(InputError) {
        guard let members = value.object else { return }
        try checkIsNoMatcher(of: value, at: place, pointer: pointer)
        for member in members where member.name.hasPrefix("/") {
            throw InputError(
                at: JSONPointer.below(place, member.name),
                "\"\(member.name)\" is no member of aps: payloadIncludes has the payload's own members, without pointers"
            )
        }
        for member in members where !ownMembers.contains(member.name) {
            try checkInAPS(
                member.value, at: JSONPointer.below(place, member.name),
                pointer: JSONPointer.below(pointer, member.name))
        }
    }

    /// A `match` object, which is read as an equal filter.
    package var json: JSONValue { .object(members) }

    /// The members of a `match` object in the order of the conditions; neighbours in one document share a member.
    var members: [JSONMember] {
        conditions.reduce(into: []) { members, condition in
            switch condition.field {
            case .key(let key): members.append(JSONMember(key.rawValue, key.json(of: condition.matcher)))
            case .payloadIncludes: members.append(JSONMember("payloadIncludes", condition.matcher.json))
            case .payload(let pointer): members.append(pointer.description, condition.matcher.json, in: "payload")
            case .header(let name): members.append(name, condition.matcher.json, in: "headers")
            case .screen(let pointer): members.append(pointer.description, condition.matcher.json, in: "screen")
            case .webPush(let pointer): members.append(pointer.description, condition.matcher.json, in: "webPush")
            }
        }
    }
}

extension FilterKey {
    /// A matcher of this key as it is written in a `match` object.
    fileprivate func json(of matcher: Matcher) -> JSONValue {
        switch (self, matcher) {
        case (_, .not(let matcher)): ["not": json(of: matcher)]
        case (_, .any(let matchers)): .array(matchers.map { json(of: $0) })
        // `since` and `until` are bounds, and `text` is a part, without an operator.
        case (.since, .atLeast(let time)), (.until, .atMost(let time)):
            .text(time.integer.map { Instant(milliseconds: $0).rfc3339 })
        case (.since, .exists), (.until, .exists): .null
        case (.text, .contains(let part)): .string(part)
        default: matcher.json
        }
    }
}

extension [JSONMember] {
    /// Appends a member to the object at the end, if that has this name, or to a new one.
    fileprivate mutating func append(_ name: String, _ value: JSONValue, in document: String) {
        let others = last?.name == document ? removeLast().value.object ?? [] : []
        append(JSONMember(document, .object(others + [JSONMember(name, value)])))
    }
}

/// Reads the matchers of one field from JSON.
struct MatcherReader {
    /// `nil` for a place in a document or a header, which may have any value.
    let key: FilterKey?
    /// Whether they were accepted before, so that values are taken that would be refused now.
    let isKept: Bool

    private enum Operator: String, CaseIterable { case prefix, contains, regex, not, exists, gte, lte }

    static let operatorNames = Operator.allCases.map(\.rawValue)

    private var operators: [Operator] {
        switch key?.kind {
        case nil: Operator.allCases
        case .text: [.prefix, .contains, .regex, .not, .exists]
        case .whole: [.not, .exists, .gte, .lte]
        case .truth: [.not, .exists]
        case .time: [.not]
        }
    }

    func matcher(_ json: JSONValue, at place: String) throws(InputError) -> Matcher {
        switch json {
        case .object(let members): return try operation(members, at: place)
        case .array(let elements):
            guard !elements.isEmpty else {
                throw InputError(at: place, "an empty array matches nothing: expected a value in it, or no array")
            }
            var matchers: [Matcher] = []
            var budget = PatternBudget(PatternBudget.filterBytesMax)
            for (index, element) in elements.enumerated() {
                let matcher = try matcher(element, at: place + "/\(index)")
                try budget.take(matcher.patternByteCount, at: place + "/\(index)")
                matchers += matcher.alternatives
            }
            return .any(matchers)
        default:
            guard let key else { return .equal(json) }
            if json == .null || key == .fault && json == .string(FilterKey.noFault) { return .exists(false) }
            return key.bounded(isKept ? key.kept(json) : try key.operand(json, at: place))
        }
    }

    private func operation(_ members: [JSONMember], at place: String) throws(InputError) -> Matcher {
        let names = operators.map(\.rawValue)
        guard members.count == 1, let member = members.first else {
            throw InputError(
                at: place, "an object with \(members.count) members is not a matcher",
                hint: ": expected exactly one operator", allowed: names)
        }
        let place = JSONPointer.below(place, member.name)
        guard let operation = Operator(rawValue: member.name), operators.contains(operation) else {
            throw .unknown("operator", member.name, at: place, among: names)
        }
        switch operation {
        case .prefix: return .prefix(try part(member.value, at: place, isBeginning: true))
        case .contains: return .contains(try part(member.value, at: place, isBeginning: false))
        case .regex:
            let pattern = try Pattern(
                text(member.value, at: place), ignoresCase: key?.ignoresCase ?? false, at: place)
            guard !isKept else { return .regex(pattern) }
            guard pattern.canMatch else {
                throw InputError(
                    at: place,
                    "no text matches \(PrintableText.shortened(pattern.text, to: 100)): expected a pattern of one")
            }
            try key?.check(pattern, at: place)
            return .regex(pattern)
        case .not: return .not(try matcher(member.value, at: place))
        case .exists:
            try Form.bool.check(member.value, at: place)
            return .exists(member.value == true)
        case .gte: return .atLeast(try bound(member.value, at: place))
        case .lte: return .atMost(try bound(member.value, at: place))
        }
    }

    private func text(_ json: JSONValue, at place: String) throws(InputError) -> String {
        guard let text = json.string else { throw .mismatch(json, at: place, expected: "a string") }
        return text
    }

    private func part(_ json: JSONValue, at place: String, isBeginning: Bool) throws(InputError) -> String {
        let text = try text(json, at: place)
        guard !isKept else { return key?.keptPart(text) ?? text }
        try FilterName.check(part: text, at: place)
        return try key?.part(text, at: place, isBeginning: isBeginning) ?? text
    }

    private func bound(_ json: JSONValue, at place: String) throws(InputError) -> JSONValue {
        switch json {
        case .number where key != .priority: return json
        case .number(let number) where number.integer != nil: return json
        case .string where key == nil: return json
        default: throw .mismatch(json, at: place, expected: "a number")
        }
    }
}
