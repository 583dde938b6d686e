package import APNsRules

extension NotificationCentre {
    /// What should be so and is not, a sentence each; for tests.
    package func brokenInvariants(at now: Instant) -> [String] {
        let settled = settled(at: now)
        var broken: [String] = []
        if zip(settled.shown, settled.shown.dropFirst()).contains(where: { $0.rank >= $1.rank }) {
            broken.append("the notifications are not in the order of their rank")
        }
        if zip(awaited, awaited.dropFirst()).contains(where: { $0.presentation.shownAt > $1.presentation.shownAt }) {
            broken.append("what is awaited is not in the order of time")
        }
        if settled.shown.contains(where: { !$0.presentation.isShown }) { broken.append("something hidden is shown") }
        if settled.shown.contains(where: { $0.shownAt > now }) { broken.append("something is shown too early") }
        let identifiers = settled.shown.filter { $0.push.collapseID != nil }
            .map { [$0.push.topic, $0.push.collapseID] }
        if Set(identifiers).count != identifiers.count { broken.append("an identifier is there twice") }
        if settled.badgesByTopic.values.contains(where: { $0 <= 0 }) { broken.append("a badge is not above 0") }
        for topic in Set(settled.shown.map(\.push.topic))
        where settled.shown.count(where: { $0.push.topic == topic }) > NotificationCentre.notificationsPerAppMax {
            broken.append("\(topic) has too many notifications")
        }
        return broken
    }
}
