/// Selects Live Activities of the devices that a ``DeviceFilter`` matches.
package typealias ActivityFilter = ParameterFilter<ActivityFilterKey>

package enum ActivityFilterKey: String, ParameterKey {
    /// Empty for activities that follow none.
    case channel
    case attributesType
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
