package import APNsRules

// The members of devices and apps as the forms of the page have them.
extension DeviceProfile {
    /// What a form needs of each member of a device that can be changed.
    package static var formMembers: JSONValue {
        fields.formMembers { member, platform in
            var profile = DeviceProfile()
            profile.traits = DeviceTraits(platform: platform)
            DevicePatch(checked: [member]).apply(to: &profile)
            return (try? profile.check()) != nil
        }
    }
}

extension AppSettings {
    /// What a form needs of each member of an app that can be changed.
    package static var formMembers: JSONValue { fields.formMembers() }
}

extension NotificationPermissions {
    /// What a form needs of each permission.
    package static var formMembers: JSONValue { fields.formMembers() }
}

extension Fields {
    /// The members that a change takes, each with its kind, its values if they are few, what it means, and the
    /// platforms on which it can be other than by default.
    fileprivate func formMembers(where isPossible: (JSONMember, Platform) -> Bool = { _, _ in true }) -> JSONValue {
        .array(
            used(.changed).map { field in
                let (kind, values) = field.member.formKind
                let others = values.filter { $0 != field.member.standard }
                let platforms = Platform.allCases.filter { platform in
                    others.isEmpty || others.contains { isPossible(JSONMember(field.name, $0), platform) }
                }
                return [
                    "name": .string(field.name), "kind": .string(kind), "values": .array(values),
                    "hint": .string(field.member.summary), "platforms": .texts(platforms.map(\.rawValue)),
                    "isClearable": .bool(field.uses.isSuperset(of: .cleared)),
                ]
            })
    }
}

extension Member {
    fileprivate var formKind: (kind: String, values: [JSONValue]) { formKind(of: form) }

    private func formKind(of form: Form) -> (kind: String, values: [JSONValue]) {
        switch form {
        case .named(_, let form), .described(let form, _): formKind(of: form)
        case .bool: ("flag", standard == true ? [true, false] : [false, true])
        case .choice(let names): ("choice", names.map { .string($0) })
        case .text: ("text", [])
        case .array(.text, _): ("texts", [])
        default: ("other", [])
        }
    }
}
