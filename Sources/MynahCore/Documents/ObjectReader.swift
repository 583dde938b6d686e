package import APNsRules

/// Reads the members of a JSON object that a user wrote: all are checked against the schema first, so that reading one
/// can't fail, and one that is `null` counts as absent (`Documents`).
package struct ObjectReader: Sendable {
    /// The object's place, a JSON pointer.
    package let pointer: String
    private let members: [JSONMember]

    /// - Throws: ``InputError`` for a value that is not an object, for a member that the schema doesn't have, that is
    ///   given twice or has a wrong value, and for a required one that is missing.
    package init(_ json: JSONValue, at pointer: String = "", _ schema: Schema) throws(InputError) {
        guard let members = json.object else {
            throw .mismatch(json, at: pointer, expected: "an object", allowed: schema.names)
        }
        self.pointer = pointer
        self.members = members
        var seen: Set<String> = []
        for member in members {
            guard schema[member.name] != nil else {
                throw .unknown("member", member.name, at: place(member.name), among: schema.names)
            }
            guard seen.insert(member.name).inserted else {
                throw error(member.name, "\(member.name) is given twice: expected it once")
            }
        }
        for member in schema.members where member.isRequired && self[member.name] == nil {
            throw error(member.name, "\(member.name) is missing: expected \(member.form.expected)")
        }
        for member in members where member.value == .null && schema[member.name]?.mayBeNull == false {
            throw error(member.name, "\(member.name) is null: expected a value, or no \(member.name)")
        }
        for member in members where member.value != .null {
            try schema[member.name]?.form.check(member.value, at: place(member.name))
        }
    }

    /// Reads members that were checked before.
    init(checked members: [JSONMember]) {
        pointer = ""
        self.members = members
    }

    package func place(_ name: String, _ index: Int? = nil) -> String {
        let place = JSONPointer.below(pointer, name)
        return index.map { "\(place)/\($0)" } ?? place
    }

    /// Whether a member is given, even as `null`.
    package func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    /// A member's value; absent when it is `null`.
    package subscript(name: String) -> JSONValue? {
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    package func error(_ name: String, _ problem: String, allowed: [String] = []) -> InputError {
        InputError(at: place(name), problem, allowed: allowed)
    }

    /// Throws if a member and one that excludes it are both given.
    package func refuse(_ name: String, with other: String, because why: String) throws(InputError) {
        guard self[name] != nil, self[other] != nil else { return }
        throw error(name, "\(name) and \(other) exclude each other: \(why)")
    }

    package func text(_ name: String) -> String? { self[name]?.string }
    package func bool(_ name: String) -> Bool? { self[name]?.bool }

    package func integer<Integer: FixedWidthInteger>(_ name: String, _: Integer.Type = Integer.self) -> Integer? {
        self[name]?.integer.flatMap { Integer(exactly: $0) }
    }

    package func duration(_ name: String) -> Duration? { text(name).flatMap { DurationText.parse($0) } }
    package func instant(_ name: String) -> Instant? { text(name).flatMap { Instant(rfc3339: $0) } }

    package func choice<Choice: RawRepresentable<String>>(_ name: String, _: Choice.Type = Choice.self) -> Choice? {
        text(name).flatMap { Choice(rawValue: $0) }
    }

    package func texts(_ name: String) -> [String]? { self[name]?.array.map { $0.compactMap(\.string) } }

    /// The elements of an array with their places; none when it is absent.
    package func elements(_ name: String) -> [(value: JSONValue, place: String)] {
        (self[name]?.array ?? []).enumerated().map { ($1, place(name, $0)) }
    }

    /// The members of an object with their places; none when it is absent.
    package func members(_ name: String) -> [(name: String, value: JSONValue, place: String)] {
        (self[name]?.object ?? []).map { ($0.name, $0.value, JSONPointer.below(place(name), $0.name)) }
    }

    /// The members that are given of those in a schema, `null` ones too.
    func members(among schema: Schema) -> [JSONMember] { members.filter { schema[$0.name] != nil } }

    /// Reads a member's value with its place; `nil` when it is absent.
    package func map<Value>(
        _ name: String, _ read: (JSONValue, String) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        guard let value = self[name] else { return nil }
        return try read(value, place(name))
    }
}
