internal import APNsRules

/// What a push does to the number on the app's icon; the system does not count by itself
/// (`DeviceBehaviour#What-the-user-sees`).
package enum BadgeChange: Sendable, Hashable {
    /// It stays.
    case unchanged
    /// It goes away: `badge` is 0.
    case removed
    /// It becomes this, above 0.
    case set(Int64)

    /// Reads `aps.badge`; a negative one and what is no whole number changes nothing.
    init(_ value: JSONValue?, warnings: inout [String]) {
        self = .unchanged
        guard let value else { return }
        guard case .number(let number) = value else {
            warnings.append("aps.badge is \(value.kind); a number was expected")
            return
        }
        guard let count = number.integer, count >= 0 else {
            warnings.append("aps.badge is \(number.text); a whole number from 0 was expected")
            return
        }
        self = count == 0 ? .removed : .set(count)
    }
}
