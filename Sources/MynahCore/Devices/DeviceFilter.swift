package import APNsRules

/// A selection of devices: each member that is present must hold, by any of its values.
package struct DeviceFilter: Sendable, Equatable {
    package var ids: Set<String>?
    /// `nil` among them is no scope.
    package var scopes: Set<String?>?
    /// Topics of apps.
    package var topics: Set<String>?
    /// Tokens of apps, ended ones included.
    package var tokens: Set<DeviceToken>?
    /// Environments of apps, or of a device that has none.
    package var environments: Set<APNsEnvironment>?
    package var platforms: Set<Platform>?
    package var powers: Set<Power>?
    package var isOnline: Bool?
    package var isNamed: Bool?

    /// None of these filters may hold.
    package var excluded: [DeviceFilter] = []

    package init() {}

    /// The names of the filters in a URL.
    package static let names = [
        "device", "scope", "topic", "token", "environment", "platform", "power", "online", "named",
    ]

    /// Reads the filters of a URL, percent-decoded: values of one name are *any of*, different names are *all of*, and a
    /// name after an exclamation mark is *not*.
    ///
    /// An empty `scope` is no scope.
    /// - Throws: ``DeviceError`` whose field is the parameter's name.
    package init(parameters: [(name: String, value: String)], besides: [String] = []) throws(DeviceError) {
        for (name, value) in parameters {
            if name.hasPrefix("!"), DeviceFilter.names.contains(String(name.dropFirst())) {
                let positive = (name: String(name.dropFirst()), value: value)
                excluded.append(try DeviceFilter(parameters: [positive], besides: besides))
                continue
            }
            switch name {
            case "device": ids = (ids ?? []).union([value])
            case "scope":
                guard value.isEmpty || ScopeName.isWellFormed(value) else {
                    throw DeviceError(.invalid, at: name, ScopeName.problem(value))
                }
                scopes = (scopes ?? []).union([value.isEmpty ? nil : value])
            case "topic": topics = (topics ?? []).union([value])
            case "token":
                guard let token = DeviceToken(value, byteCounts: 1...DeviceToken.byteCountMax) else {
                    throw DeviceError(.invalid, at: name, "invalid device token \(value): expected hexadecimal digits")
                }
                tokens = (tokens ?? []).union([token])
            case "environment": environments = (environments ?? []).union([try FieldReader.choice(value, at: name)])
            case "platform": platforms = (platforms ?? []).union([try FieldReader.choice(value, at: name)])
            case "power": powers = (powers ?? []).union([try FieldReader.choice(value, at: name)])
            case "online": isOnline = try FieldReader.truth(value, at: name)
            case "named": isNamed = try FieldReader.truth(value, at: name)
            default:
                let known = DeviceFilter.names + besides
                throw FieldReader.unknown(name, at: name, among: known, .unknownField)
            }
        }
    }

    /// Whether a ``DeviceView`` is needed to apply the filter.
    var looksInside: Bool {
        ids != nil || platforms != nil || topics != nil || tokens != nil || environments != nil || !excluded.isEmpty
    }

    package func holds(_ device: DeviceView) -> Bool {
        if excluded.contains(where: { $0.holds(device) }) { return false }
        if let ids, !ids.contains(device.id) { return false }
        if let scopes, !scopes.contains(device.scope) { return false }
        if let platforms, !platforms.contains(device.traits.platform) { return false }
        if let powers, !powers.contains(device.power) { return false }
        if let isOnline, isOnline != device.isOnline { return false }
        if let isNamed, isNamed != device.isNamed { return false }
        let apps = device.registrations
        if let topics, !apps.contains(where: { topics.contains($0.topic) }) { return false }
        if let tokens, !apps.contains(where: { $0.token.map(tokens.contains) ?? false }) { return false }
        if let environments {
            let own = apps.isEmpty ? [device.traits.environment] : apps.map(\.environment)
            if !own.contains(where: environments.contains) { return false }
        }
        return true
    }
}
