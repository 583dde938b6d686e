internal import APNsRules

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
            if change.value == .null {
                members.removeAll { $0.name == change.name }
                continue
            }
            let merged = JSONMember(change.name, (old ?? .null).mergePatched(with: change.value))
            guard let index = members.firstIndex(where: { $0.name == change.name }) else {
                members.append(merged)
                continue
            }
            members[index] = merged
            let rest = members[(index + 1)...].filter { $0.name != change.name }
            members.replaceSubrange((index + 1)..., with: rest)
        }
        return .object(members)
    }
}
