package import APNsRules

/// Which devices a list holds: each member that is there must hold, by any of its values.
package struct DeviceFilter: Sendable, Equatable {
    /// Ids.
    package var ids: Set<String>?
    /// Scopes; `nil` among them is no scope.
    package var scopes: Set<String?>?
    /// Topics of their apps.
    package var topics: Set<String>?
    /// Tokens of their apps, dead ones included.
    package var tokens: Set<DeviceToken>?
    /// Environments of their apps, or of the device where it has none.
    package var environments: Set<APNsEnvironment>?
    /// Systems.
    package var platforms: Set<Platform>?
    /// Powers.
    package var powers: Set<Power>?
    /// Whether APNs reaches them.
    package var isOnline: Bool?
    /// Whether somebody named them.
    package var isNamed: Bool?

    /// Filters of which none may hold.
    package var excluded: [DeviceFilter] = []

    /// All devices.
    package init() {}

    /// The names of the filters in a URL.
    package static let names = [
        "device", "scope", "topic", "token", "environment", "platform", "power", "online", "named",
    ]

    /// Reads the filters of a URL, percent-decoded; a name again is *any of*, different names are *all of*, a name
    /// behind an exclamation mark is *not*.
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
                    throw DeviceError(.invalid, at: name, "\(value) is no device token; hexadecimal digits are")
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

    /// Whether some member is about a device's id, its description or its apps, or excludes something.
    var looksInside: Bool {
        ids != nil || platforms != nil || topics != nil || tokens != nil || environments != nil || !excluded.isEmpty
    }

    /// Whether the filter holds for a device.
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
