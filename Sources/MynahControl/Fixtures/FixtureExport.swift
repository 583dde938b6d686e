package import APNsRules
internal import MynahCore

/// Turns the objects of the API into fixtures that restore the same state.
package enum FixtureExport {
    private static func members(_ object: JSONValue, without names: [String]) -> [JSONMember] {
        (object.object ?? []).filter { !names.contains($0.name) && $0.value != .null }
    }

    package static func device(_ device: JSONValue) -> JSONValue {
        .object(
            changed(members(device, without: ["stored", "deferred", "inbox"]), of: DeviceSpecification.schema).filter {
                $0.name != "activities" || $0.value.array?.isEmpty == false
            }.map { member in
                guard member.name == "registrations" else { return member }
                return JSONMember(member.name, .array((member.value.array ?? []).map(app)))
            })
    }

    /// An app with its token; a removed or expired one keeps its state and times, so that the token answers 410.
    private static func app(_ app: JSONValue) -> JSONValue {
        let state = app["state"]?.string
        let hasEnded = state == "unregistered" || state == "expired"
        let kept = members(app, without: hasEnded ? [] : ["state", "since", "endedAt", "unregisteredAt"])
        let changed = changed(kept, of: RegistrationSpecification.schema)
        return .object(changed + (state == "notLaunched" ? [JSONMember("launched", false)] : []))
    }

    /// The members that differ from their defaults; those without which a fixture would be hard to understand stay.
    private static func changed(_ members: [JSONMember], of schema: Schema) -> [JSONMember] {
        members.compactMap { member in
            guard !["platform", "environment"].contains(member.name), let declared = schema[member.name] else {
                return member
            }
            if let values = member.value.object, let nested = declared.form.schema {
                let rest = changed(values, of: nested)
                guard rest.isEmpty else { return JSONMember(member.name, .object(rest)) }
                return declared.isNullByDefault ? member : nil
            }
            let isEmpty =
                !declared.isNullByDefault
                && (member.value.array?.isEmpty ?? member.value.object?.isEmpty ?? false)
            let isDefault = declared.standard.map { $0 == member.value } ?? isEmpty
            return isDefault ? nil : member
        }
    }

    package static func fault(_ rule: JSONValue) -> JSONValue {
        .object(members(rule, without: FaultDraft.written.names))
    }

    package static func channel(_ channel: JSONValue) -> JSONValue {
        .object(members(channel, without: ["createdAt", "broadcasts", "followers", "storedUntil"]))
    }

    package static func key(_ key: JSONValue) -> JSONValue { .object(members(key, without: ["canSign"])) }
}

extension Form {
    /// The members of an object; `nil` for any other form.
    fileprivate var schema: Schema? {
        switch self {
        case .object(let schema): schema
        case .nullable(let form), .named(_, let form), .described(let form, _): form.schema
        default: nil
        }
    }
}
