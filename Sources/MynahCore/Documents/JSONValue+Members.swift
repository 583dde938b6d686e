internal import APNsRules

extension [JSONMember] {
    /// The members that have a value; `nil` leaves one out.
    static func given(_ members: (name: String, value: JSONValue?)...) -> [JSONMember] {
        members.compactMap { name, value in value.map { JSONMember(name, $0) } }
    }

    /// Puts a value at a name: in the place of the first member of that name, else at the end; others of it go.
    mutating func set(_ name: String, _ value: JSONValue) {
        guard let index = firstIndex(where: { $0.name == name }) else { return append(JSONMember(name, value)) }
        self[index] = JSONMember(name, value)
        let rest = self[(index + 1)...].filter { $0.name != name }
        replaceSubrange((index + 1)..., with: rest)
    }
}

extension JSONValue {
    /// This document with a merge patch applied (RFC 7396): `null` removes, objects are merged, all else replaces.
    ///
    /// Members that stay keep their order, new ones go to the end. Of two with one name the last counts, and a
    /// patch that names it leaves one.
    func mergePatched(with patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? []
        for change in changes {
            let old = members.last { $0.name == change.name }?.value
            guard change.value != .null else {
                members.removeAll { $0.name == change.name }
                continue
            }
            members.set(change.name, (old ?? .null).mergePatched(with: change.value))
        }
        return .object(members)
    }

    /// This document with a value at a place; objects on the way are made.
    func setting(_ value: JSONValue, at steps: ArraySlice<String>) -> JSONValue {
        guard let step = steps.first else { return value }
        var members = object ?? []
        members.set(step, (self[step] ?? .object([])).setting(value, at: steps.dropFirst()))
        return .object(members)
    }
}
