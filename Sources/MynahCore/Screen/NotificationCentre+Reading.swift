package import APNsRules

extension NotificationCentre {
    /// The notifications, the top of the screen first: newest first, groups at the place of their newest.
    package func notifications(at now: Instant) -> [ScreenNotification] {
        let newestFirst = settled(at: now).shown.reversed()
        var members: [ScreenNotification.Group: [ScreenNotification]] = [:]
        var order: [ScreenNotification.Group] = []
        for notification in newestFirst {
            if members[notification.group] == nil { order.append(notification.group) }
            members[notification.group, default: []].append(notification)
        }
        return order.flatMap { members[$0] ?? [] }
    }

    /// What a scheduled summary has, the most relevant first, of equal ones the newest.
    ///
    /// Without time-sensitive and critical ones, which do not wait for it. No score counts as 0 (inferred).
    package func summary(at now: Instant) -> [ScreenNotification] {
        settled(at: now).shown
            .filter { $0.presentation.interruptionLevel == .passive || $0.presentation.interruptionLevel == .active }
            .sorted { left, right in
                let scores = (left.presentation.relevanceScore ?? 0, right.presentation.relevanceScore ?? 0)
                return scores.0 == scores.1 ? left.rank > right.rank : scores.0 > scores.1
            }
    }

    /// The numbers on the apps' icons, by topic; an app without one is not there.
    package func badges(at now: Instant) -> [String: Int64] { settled(at: now).badgesByTopic }

    /// The notification that shows this push, or `nil`.
    package func notification(_ sequence: UInt64, at now: Instant) -> ScreenNotification? {
        settled(at: now).shown.first { $0.push.sequence == sequence }
    }

    /// The screen as `GET …/screen` prints it (`Documents#Devices`).
    package func json(at now: Instant) -> JSONValue {
        let badges = badges(at: now).sorted { $0.key < $1.key }
        return [
            "at": .string(now.rfc3339),
            "badges": .object(badges.map { JSONMember($0.key, .number(JSONNumber($0.value))) }),
            "notifications": .array(notifications(at: now).map(\.json)),
        ]
    }
}
