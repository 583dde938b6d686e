internal import APNsRules

/// Selects the devices of a list or a removal.
package typealias DeviceFilter = ParameterFilter<DeviceFilterKey>

package enum DeviceFilterKey: ParameterKey {
    /// The keys that aren't members of a device's document.
    package enum Own: String, CaseIterable, Sendable {
        case device
        /// The ID with which the device's fleet was made; empty for devices of none.
        case fleet
        /// Empty for devices without a scope.
        case scope
        /// The topic or token of one of the device's apps, including apps whose tokens have ended.
        case topic, token
        /// The environment of one of the device's apps, or its own if it has no app.
        case environment
        /// Whether a call made the device.
        case named

        fileprivate var sentence: String {
            switch self {
            case .device: FilterKey.device.sentence
            case .fleet: "The ID with which count made it; empty for none."
            case .scope: "The scope; empty for none."
            case .topic: "The topic of one of its apps."
            case .token: FilterKey.token.sentence
            case .environment: "The environment of one of its apps; its own without apps."
            case .named: "Whether a call created it, and not a push to an unknown token."
            }
        }
    }

    case own(Own)
    /// A member of the device that is ``FieldUses/filtered``, by its name; its value is empty for devices without it.
    case member(String)

    package static let allCases: [DeviceFilterKey] =
        Own.allCases.map { .own($0) } + DeviceProfile.fields.used(.filtered).map { .member($0.name) }

    package init?(rawValue: String) {
        guard let key = DeviceFilterKey.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = key
    }

    package var rawValue: String {
        switch self {
        case .own(let key): key.rawValue
        case .member(let name): name
        }
    }

    package func normalized(_ value: String, at name: String) throws(InputError) -> String {
        if self == .own(.token) {
            guard let token = DeviceToken(value, byteCounts: DeviceToken.anyByteCounts) else {
                throw .mismatch(.string(value), at: name, expected: "the hexadecimal digits of a device token")
            }
            return token.hex
        }
        try checkForm(of: value, at: name)
        return value
    }

    package var form: Form? {
        switch self {
        case .own(.device): DeviceID.filterForm
        case .own(.fleet): .nullable(DeviceID.filterForm)
        case .own(.topic), .own(.token): nil
        case .own(.scope): .nullable(ScopeName.form)
        case .own(.environment): .choice(APNsEnvironment.self)
        case .own(.named): .bool
        case .member(let name): DeviceProfile.fields[name]?.filterForm
        }
    }

    package var sentence: String {
        switch self {
        case .own(let key): key.sentence
        case .member(let name): DeviceProfile.fields[name]?.member.summary ?? ""
        }
    }

    package func check(_ value: String, at name: String) throws(InputError) {
        if self == .own(.topic) { try Alphabet.topics.check(value, of: .topic, at: name) }
    }
}

extension ParameterFilter<DeviceFilterKey> {
    /// Refuses a device token of a length that no token on a server has; `byteCounts` are the lengths that it takes.
    package func checkTokens(_ byteCounts: ClosedRange<Int>) throws(InputError) {
        for (name, hex) in values(of: .own(.token)) { try DeviceToken.check(inFilter: hex, byteCounts, at: name) }
    }
}

extension Field {
    /// The form of a filter's value; a nullable one has the empty text for what doesn't have the member.
    fileprivate var filterForm: Form {
        if case .nullable = shown { return .nullable(member.form) }
        return member.form
    }

    /// The value that a filter of the member is compared with.
    func filterValue(of root: Root) -> String {
        let value = json(root)
        return value.string ?? (value == .null ? "" : value.encodedText)
    }
}
