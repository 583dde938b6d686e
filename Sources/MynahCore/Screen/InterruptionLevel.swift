internal import APNsRules

/// How much a notification may disturb (`DeviceBehaviour#What-the-user-sees`).
package enum InterruptionLevel: String, CaseIterable, Sendable {
    /// In the list only: no light, no sound.
    case passive
    /// Lights the screen up and may sound.
    case active
    /// Also through Focus and the summary, when the app may.
    case timeSensitive = "time-sensitive"
    /// Also through mute, when the app may.
    case critical

    /// Reads `aps.interruption-level` and takes what the app may not have.
    ///
    /// A level that the app may not use, and one that is unknown, is `active` (inferred). A critical sound without a
    /// level makes the notification critical, since it comes through Focus as one (inferred).
    init(
        _ value: JSONValue?, sound: NotificationSound?, permissions: NotificationPermissions,
        warnings: inout [String]
    ) {
        self = .active
        guard let value else {
            if sound?.isCritical == true { self = .critical }
            return
        }
        guard let level = value.string.flatMap({ InterruptionLevel(rawValue: $0) }) else {
            let allowed = InterruptionLevel.allCases.map(\.rawValue).joined(separator: ", ")
            warnings.append(
                "aps.interruption-level is \(value.string ?? value.kind); one of \(allowed) was expected, active counts"
            )
            return
        }
        switch level {
        case .timeSensitive where !permissions.timeSensitive:
            warnings.append("the app's notifications may not be time-sensitive; this one is active")
        case .critical where !permissions.critical:
            warnings.append("the app may not send critical alerts; this notification is active")
        default: self = level
        }
    }
}
