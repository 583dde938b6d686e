internal import APNsRules

/// What a push does to the number on the app's icon; the system doesn't count (`DeviceBehaviour#What-the-user-sees`).
enum BadgeChange: Sendable, Hashable {
    case unchanged
    /// `badge` is 0.
    case removed
    /// To a number above 0.
    case set(Int64)

    /// Reads `aps.badge`; a number below 0 changes nothing, nor does what is no whole number.
    init(_ value: JSONValue?, warnings: inout [String]) {
        self = .unchanged
        switch value {
        case nil: break
        case .number(let number)?:
            guard let count = number.integer, count >= 0 else {
                warnings.append("aps.badge is \(number.text); a whole number from 0 was expected")
                return
            }
            self = count == 0 ? .removed : .set(count)
        case let value?: warnings.append("aps.badge is \(value.kind); a number was expected")
        }
    }
}
