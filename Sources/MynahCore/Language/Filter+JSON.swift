package import APNsRules

extension Filter {
    /// The members of a `match` object that are no keys.
    static let specialMembers =
        [
            FilterDocument.payload.member,
            Member(
                "payloadIncludes", .either(.types([.object]), .array(of: .any())),
                summary: "A JSON subset of the payload.", mayBeNull: false),
            Member(
                "headers", .map(of: .any(schema: "Matcher")),
                summary: "By lower-case name, what a header field must be.", mayBeNull: false),
        ] + Schema(FilterDocument.allCases.filter { $0 != .payload }.map(\.member))

    /// The members of a `match` object (`Documents#Matchers`), where `null` is a value.
    package static let schema =
        Schema(
            FilterKey.allCases.map {
                Member($0.rawValue, .any(schema: "Matcher"), summary: $0.sentence, mayBeNull: false)
            }) + specialMembers

    /// The names of a `match` object, for error messages.
    package static let memberNames = schema.names

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
            try budget.spend(matcher.patternByteCount, at: place)
            conditions.append(Condition(field, matcher))
            places[field] = place
        }
        for member in members where !besides.contains(member.name) {
            let place = JSONPointer.below(pointer, member.name)
            let document = FilterDocument(rawValue: member.name)
            switch member.name {
            case _ where document != nil, "headers":
                try Form.map(of: .any()).check(member.value, at: place)
                for inner in member.value.object ?? [] {
                    let innerPlace = JSONPointer.below(place, inner.name)
                    let field: FilterField =
                        if let document {
                            try FilterField(
                                document, pointer: inner.name, isKept: isKept,
                                at: document == .payload ? place : innerPlace)
                        } else {
                            .header(inner.name.lowercased())
                        }
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
        guard let first = names.first, names.allSatisfy(MatcherOperator.names.contains) else { return }
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
            case .header(let name): members.append(name, condition.matcher.json, in: "headers")
            case .place(let document, let pointer):
                members.append(pointer.description, condition.matcher.json, in: document.rawValue)
            }
        }
    }
}

extension FilterKey {
    /// A matcher of this key as it is written in a `match` object.
    fileprivate func json(of matcher: Matcher) -> JSONValue {
        switch (self, matcher) {
        case (_, .not(let matcher)): MatcherOperator.not.matcher(json(of: matcher))
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
