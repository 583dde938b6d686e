internal import APNsRules

/// How much a notification may disturb (`DeviceBehaviour#What-the-user-sees`).
package enum InterruptionLevel: String, CaseIterable, Sendable {
    /// In the list only: the screen stays dark and nothing is heard.
    case passive
    case active
    /// Through Focus and the summary, if the app may.
    case timeSensitive = "time-sensitive"
    /// Through mute, too, if the app may.
    case critical

    /// Reads `aps.interruption-level`: one that is unknown or that the app may not use counts as `active`; without one
    /// a critical sound makes the notification critical, because it comes through Focus as one (both inferred).
    init(_ reader: inout PayloadReader, sound: NotificationSound?, permissions: NotificationPermissions?) {
        self = .active
        guard let value = reader["interruption-level"] else {
            if sound?.isCritical == true { self = .critical }
            return
        }
        switch value.string.flatMap({ InterruptionLevel(rawValue: $0) }) {
        case nil:
            let allowed = InterruptionLevel.allCases.map(\.rawValue).joined(separator: ", ")
            reader.warn(
                "aps.interruption-level is \(value.string ?? value.kind): expected one of \(allowed); active is used"
            )
        case .timeSensitive where permissions?.timeSensitive == false:
            reader.warn("the app's notifications may not be time-sensitive; this one is active")
        case .critical where permissions?.critical == false:
            reader.warn("the app may not send critical alerts; this notification is active")
        case let level?: self = level
        }
    }
}
