internal import APNsRules

/// Which devices a list holds or a removal takes.
package typealias DeviceFilter = ParameterFilter<DeviceFilterKey>

package enum DeviceFilterKey: String, CaseIterable, Sendable {
    case device
    /// Empty for devices without one.
    case scope
    /// Of its apps; a token also of an app that is gone.
    case topic, token
    /// Of its apps, or its own where it has none.
    case environment
    case platform, power, online, named

    fileprivate func normalized(_ value: String, _ name: String) throws(InputError) -> String {
        if self == .token {
            guard let token = DeviceToken(value, byteCounts: 1...DeviceToken.byteCountMax) else {
                throw .mismatch(.string(value), at: name, expected: "the hexadecimal digits of a device token")
            }
            return token.hex
        }
        let form: Form? =
            switch self {
            case .device, .topic, .token: nil
            case .scope: value.isEmpty ? nil : ScopeName.form
            case .environment: .choice(APNsEnvironment.self)
            case .platform: .choice(Platform.self)
            case .power: .choice(Power.self)
            case .online, .named: .choice(["true", "false"])
            }
        try form?.check(.string(value), at: name)
        return value
    }

    fileprivate func values(of device: DeviceView) -> [String] {
        switch self {
        case .device: [device.id]
        case .scope: [device.scope ?? ""]
        case .topic: device.registrations.map(\.topic)
        case .token: device.registrations.compactMap { $0.token?.hex }
        case .environment:
            device.registrations.isEmpty
                ? [device.traits.environment.rawValue] : device.registrations.map(\.environment.rawValue)
        case .platform: [device.traits.platform.rawValue]
        case .power: [device.power.rawValue]
        case .online: ["\(device.isOnline)"]
        case .named: ["\(device.isNamed)"]
        }
    }
}

extension ParameterFilter<DeviceFilterKey> {
    package init(parameters: [(name: String, value: String)], besides: [String] = []) throws(InputError) {
        try self.init(parameters, besides: besides) { key, value, name throws(InputError) in
            try key.normalized(value, name)
        }
    }

    /// Whether a condition is about a device's id, its description or its apps.
    var needsView: Bool { asks(for: [.device, .topic, .token, .environment, .platform]) }
    package func holds(_ device: DeviceView) -> Bool { holds { $0.values(of: device) } }
}
