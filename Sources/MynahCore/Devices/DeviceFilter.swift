internal import APNsRules

/// Selects the devices of a list or a removal.
package typealias DeviceFilter = ParameterFilter<DeviceFilterKey>

package enum DeviceFilterKey: String, ParameterKey {
    case device
    /// The ID with which the device's fleet was made; empty for devices of none.
    case fleet
    /// Empty for devices without a scope.
    case scope
    /// Empty for devices without one.
    case user
    /// The topic or token of one of its apps, including those whose tokens have ended.
    case topic, token
    /// The environment of one of its apps, or its own if it has no app.
    case environment
    case platform, power, online, named

    package func normalized(_ value: String, at name: String) throws(InputError) -> String {
        if self == .token {
            guard let token = DeviceToken(value, byteCounts: DeviceToken.anyByteCounts) else {
                throw .mismatch(.string(value), at: name, expected: "the hexadecimal digits of a device token")
            }
            return token.hex
        }
        let form: Form? =
            switch self {
            case .device: DeviceID.filterForm
            case .fleet: value.isEmpty ? nil : DeviceID.filterForm
            case .user, .topic, .token: nil
            case .scope: value.isEmpty ? nil : ScopeName.form
            case .environment: .choice(APNsEnvironment.self)
            case .platform: .choice(Platform.self)
            case .power: .choice(Power.self)
            case .online, .named: .choice(["true", "false"])
            }
        try form?.check(.string(value), at: name)
        return value
    }
}
