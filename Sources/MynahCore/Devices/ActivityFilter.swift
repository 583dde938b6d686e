internal import APNsRules

/// Selects Live Activities of the devices that a ``DeviceFilter`` matches.
package typealias ActivityFilter = ParameterFilter<ActivityFilterKey>

package enum ActivityFilterKey: String, ParameterKey {
    /// The channel that an activity follows; empty for activities that follow none.
    case channel
    case attributesType

    package var sentence: String {
        switch self {
        case .channel: "The ID of the broadcast channel."
        case .attributesType: "The name of the type of its ActivityAttributes."
        }
    }

    package func check(_ value: String, at name: String) throws(InputError) {
        // Activities follow only channels that there can be.
        if self == .channel, !value.isEmpty, ChannelID(value) == nil {
            throw .mismatch(
                .string(value), at: name, expected: "the ID of a channel, like \(FilterKey.channel.example)")
        }
    }
}

extension ParameterFilter<ActivityFilterKey> {
    func holds(_ activity: LiveActivity) -> Bool {
        holds { key in
            switch key {
            case .channel: [activity.channel ?? ""]
            case .attributesType: [activity.attributesType ?? ""]
            }
        }
    }
}
