public import APNsRules
public import MynahCore

extension SimulatedDevice {
    /// A condition on devices, by the keys of `GET /v1/devices`; several values are *any of*, several filters *all of*.
    public struct Filter: Hashable, Sendable {
        fileprivate let condition: ParameterCondition<DeviceFilterKey>

        private init(_ key: DeviceFilterKey.Own, _ values: [String]) {
            condition = ParameterCondition(.own(key), values)
        }
        private init(member: String, _ values: [String]) { condition = ParameterCondition(.member(member), values) }
        private init(_ condition: ParameterCondition<DeviceFilterKey>) { self.condition = condition }

        /// Matches these devices.
        public static func device(_ devices: SimulatedDevice...) -> Self { Self(.device, devices.map(\.id)) }
        /// Matches the devices with these ids.
        public static func device(_ ids: String...) -> Self { Self(.device, ids) }
        /// Matches the devices of this scope, or with `nil` the devices without a scope.
        public static func scope(_ name: String?) -> Self { Self(.scope, [name ?? ""]) }
        /// Matches the devices of these users.
        public static func user(_ users: String...) -> Self { Self(member: "user", users) }
        /// Matches devices with an app that has one of these topics.
        public static func topic(_ topics: String...) -> Self { Self(.topic, topics) }
        /// Matches devices with an app that has, or had, one of these tokens.
        public static func token(_ tokens: DeviceToken...) -> Self { Self(.token, tokens.map(\.hex)) }
        /// Matches devices with an app in this environment.
        public static func environment(_ environment: APNsEnvironment) -> Self {
            Self(.environment, [environment.rawValue])
        }
        /// Matches devices with one of these systems.
        public static func platform(_ platforms: Platform...) -> Self {
            Self(member: "platform", platforms.map(\.rawValue))
        }
        /// Matches devices in one of these states: `.state(\.power, .low)`, `.state(\.isOnline, false)`.
        public static func state<Value>(
            _ property: WritableKeyPath<DeviceState, Value>, _ value: Value, _ others: Value...
        ) -> Self {
            let member = DeviceState.member(property, value)
            let values = [member.value] + others.map { DeviceState.member(property, $0).value }
            return Self(member: member.name, values.map { $0.string ?? $0.encodedText })
        }
        /// Made by a call, or by a push to an unknown token.
        public static func named(_ isNamed: Bool = true) -> Self { Self(.named, ["\(isNamed)"]) }

        /// Matches all devices that a filter doesn't match.
        public static prefix func ! (filter: Self) -> Self { Self(filter.condition.negated) }

        /// What all these filters select, in a scope only its own devices.
        static func all(_ filters: [Self], inScope scope: String?) throws(InputError) -> DeviceFilter {
            let own = scope.map { [Self.scope($0).condition] } ?? []
            return try DeviceFilter(parameters: ParameterCondition.parameters(filters.map(\.condition) + own))
        }
    }
}

extension DeviceActivity {
    /// A condition on Live Activities, by the keys of `DELETE /v1/activities`; several filters are *all of*.
    public struct Filter: Hashable, Sendable {
        fileprivate let condition: ParameterCondition<ActivityFilterKey>

        private init(_ key: ActivityFilterKey, _ values: [String]) { condition = ParameterCondition(key, values) }
        private init(_ condition: ParameterCondition<ActivityFilterKey>) { self.condition = condition }

        /// Matches Live Activities that follow this channel, or with `nil` no channel.
        public static func channel(_ id: ChannelID?) -> Self { Self(.channel, [id?.text ?? ""]) }
        /// Matches Live Activities that follow this channel.
        public static func channel(_ channel: ChannelView) -> Self { .channel(channel.id) }
        /// Matches Live Activities whose attributes have one of these types.
        public static func attributesType(_ types: String...) -> Self { Self(.attributesType, types) }

        /// Matches all Live Activities that a filter doesn't match.
        public static prefix func ! (filter: Self) -> Self { Self(filter.condition.negated) }

        static func all(_ filters: [Self]) throws(InputError) -> ActivityFilter {
            try ActivityFilter(parameters: ParameterCondition.parameters(filters.map(\.condition)))
        }
    }
}

/// A filter of a URL as one value.
private struct ParameterCondition<Key: RawRepresentable<String> & Hashable & Sendable>: Hashable, Sendable {
    private let key: Key
    private let values: [String]
    private var isNegated = false

    init(_ key: Key, _ values: [String]) {
        self.key = key
        self.values = values
    }

    var negated: Self {
        var opposite = self
        opposite.isNegated.toggle()
        return opposite
    }

    /// The parameters of a URL that mean all these conditions; throws for what a URL would read as more than that.
    static func parameters(_ conditions: [Self]) throws(InputError) -> [(name: String, value: String)] {
        var seen: Set<Key> = []
        for condition in conditions {
            let name = condition.key.rawValue
            guard !condition.values.isEmpty else {
                throw InputError(at: name, "\(name) has no value: expected at least one")
            }
            guard condition.isNegated || seen.insert(condition.key).inserted else {
                throw InputError(at: name, "\(name) is given twice: expected all values at once")
            }
        }
        return conditions.flatMap { condition in
            condition.values.map { ((condition.isNegated ? "!" : "") + condition.key.rawValue, $0) }
        }
    }
}
