internal import APNsRules

/// Reads the members of one JSON object that a user wrote, and says of each fault where it is and what would be right.
///
/// A member that is `null` counts as absent (`Documents`).
struct MemberReader {
    private let members: [JSONMember]
    private let pointer: JSONPointer

    /// - Throws: ``QueryError`` when `json` is no object or has a member that `names` does not list.
    init(_ json: JSONValue, at pointer: JSONPointer, names: [String]) throws(QueryError) {
        guard let members = json.object else {
            throw QueryError(
                pointer.description, "\(json.kind) was given; an object was expected", allowed: names)
        }
        for member in members where !names.contains(member.name) {
            throw .unknown("field", member.name, at: pointer.appending(member.name).description, among: names)
        }
        self.members = members
        self.pointer = pointer
    }

    /// Where a member is.
    func place(_ name: String) -> JSONPointer { pointer.appending(name) }

    /// Whether the member is there at all, `null` included.
    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    /// A member's value; absent when it is `null`.
    func value(_ name: String) -> JSONValue? {
        guard let value = members.last(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    /// An error of one member.
    func wrong(_ name: String, _ problem: String, allowed: [String] = []) -> QueryError {
        QueryError(place(name).description, problem, allowed: allowed)
    }

    private func wrong(_ name: String, _ value: JSONValue, _ expected: String) -> QueryError {
        wrong(name, "\(value.kind) was given; \(expected) was expected")
    }

    func truth(_ name: String) throws(QueryError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let truth = value.bool else {
            throw wrong(name, "\(value.kind) was given; a boolean was expected", allowed: ["true", "false"])
        }
        return truth
    }

    func text(_ name: String) throws(QueryError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else { throw wrong(name, value, "a string") }
        return text
    }

    /// A string that must be there and may not be empty.
    func requiredText(_ name: String) throws(QueryError) -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw wrong(name, "a string that is not empty was expected")
        }
        return text
    }

    /// One of the values of an enumeration.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(QueryError) -> Choice? where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        return try MemberReader.choice(value, at: place(name))
    }

    /// One of the values of an enumeration.
    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ value: JSONValue, at place: JSONPointer
    ) throws(QueryError) -> Choice where Choice.RawValue == String {
        let allowed = Choice.allCases.map(\.rawValue)
        guard let text = value.string else {
            throw QueryError(place.description, "\(value.kind) was given; a string was expected", allowed: allowed)
        }
        guard let choice = Choice(rawValue: text) else {
            throw .unknown("value", text, at: place.description, among: allowed)
        }
        return choice
    }

    func duration(_ name: String) throws(QueryError) -> Duration? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, let duration = DurationText.parse(text) else {
            let given = value.string ?? value.kind
            throw wrong(
                name, "\(given) is no duration; whole numbers with units were expected", allowed: DurationText.examples)
        }
        return duration
    }

    /// The elements of an array with their places.
    func elements(_ name: String, max: Int) throws(QueryError) -> [(value: JSONValue, place: JSONPointer)]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.array else { throw wrong(name, value, "an array") }
        guard elements.count <= max else {
            throw wrong(name, "\(elements.count) elements were given, the most are \(max)")
        }
        return elements.enumerated().map { ($1, place(name).appending(String($0))) }
    }

    /// The members of an object with their places.
    func members(
        _ name: String, max: Int
    ) throws(QueryError) -> [(name: String, value: JSONValue, place: JSONPointer)]? {
        guard let value = value(name) else { return nil }
        guard let members = value.object else { throw wrong(name, value, "an object") }
        guard members.count <= max else {
            throw wrong(name, "\(members.count) members were given, the most are \(max)")
        }
        return members.map { ($0.name, $0.value, place(name).appending($0.name)) }
    }

    /// The strings of an array.
    func texts(_ name: String, max: Int) throws(QueryError) -> [String]? {
        guard let elements = try elements(name, max: max) else { return nil }
        return try MemberReader.texts(elements)
    }

    static func texts(_ elements: [(value: JSONValue, place: JSONPointer)]) throws(QueryError) -> [String] {
        var texts: [String] = []
        for (value, place) in elements {
            guard let text = value.string else {
                throw QueryError(place.description, "\(value.kind) was given; a string was expected")
            }
            texts.append(text)
        }
        return texts
    }
}
