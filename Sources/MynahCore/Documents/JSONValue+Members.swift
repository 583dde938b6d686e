package import APNsRules

extension [JSONMember] {
    /// The members that have a value; `nil` leaves one out.
    static func given(_ members: (name: String, value: JSONValue?)...) -> [JSONMember] {
        members.compactMap { name, value in value.map { JSONMember(name, $0) } }
    }

    /// Sets the member of a name in place, or adds it at the end; removes further members of that name.
    mutating func set(_ name: String, _ value: JSONValue) {
        let index = firstIndex { $0.name == name } ?? count
        removeAll { $0.name == name }
        insert(JSONMember(name, value), at: index)
    }
}

extension JSONValue {
    /// The number as a member's value; `nil` leaves the member out.
    static func given(_ number: Int?) -> JSONValue? { number.map { .whole($0) } }
    /// The text as a member's value; `nil` leaves the member out.
    static func given(_ text: String?) -> JSONValue? { text.map { .string($0) } }

    /// This document with a merge patch applied (RFC 7396): `null` removes, objects are merged, all else replaces.
    ///
    /// Kept members keep their order, and new ones are added at the end. Of two members with one name the last counts,
    /// and a patch that names it leaves one.
    func mergePatched(with patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? []
        for change in changes {
            if change.value == .null {
                members.removeAll { $0.name == change.name }
            } else {
                let old = members.last { $0.name == change.name }?.value ?? .null
                members.set(change.name, old.mergePatched(with: change.value))
            }
        }
        return .object(members)
    }

    /// This document with a value at a place; missing objects on the way are added.
    package func setting(_ value: JSONValue, at steps: ArraySlice<String>) -> JSONValue {
        guard let step = steps.first else { return value }
        var members = object ?? []
        members.set(step, (self[step] ?? .object([])).setting(value, at: steps.dropFirst()))
        return .object(members)
    }

    /// The value as part of a sentence.
    var words: String { string ?? encodedText }

    /// A string, or `null`.
    package static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    /// An object with the keys of a dictionary, sorted.
    static func object<Value>(sorting dictionary: [String: Value], _ json: (Value) -> JSONValue) -> JSONValue {
        .object(dictionary.sorted { $0.key < $1.key }.map { JSONMember($0.key, json($0.value)) })
    }

    package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    /// A whole number, or `null`.
    package static func whole(_ number: (some FixedWidthInteger)?) -> JSONValue {
        number.map { .number(JSONNumber($0)) } ?? .null
    }

    /// A number, or `null`; whole ones without a fraction.
    package static func fraction(_ number: Double?) -> JSONValue {
        guard let number else { return .null }
        return Int64(exactly: number).map { .whole($0) } ?? .number(JSONNumber(text: "\(number)"))
    }
}
