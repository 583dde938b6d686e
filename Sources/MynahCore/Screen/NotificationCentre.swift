package import APNsRules

/// What the user of one device sees: the notifications of all its apps, and the numbers on their icons
/// (`DeviceBehaviour#What-the-user-sees`).
///
/// Time is asked, not announced: a notification whose service extension still runs is kept aside and is there as
/// soon as somebody asks with a `now` at or after its moment. Empty, it is a few words without an allocation.
package struct NotificationCentre: Sendable, Hashable {
    /// Notifications of one app, those included that are not shown yet; the oldest goes for one more, and is counted.
    ///
    /// More than any test looks at, and few enough that a push in a loop cannot fill the memory. The system's own
    /// number is not documented.
    package static let notificationsPerAppMax = 500
    /// Responses that are kept; the oldest goes for one more, and is counted.
    package static let responsesMax = 1000

    // In the order of their rank, lowest first.
    var shown: [ScreenNotification] = []
    // In the order of their moment; of two at one moment, in that of their delivery.
    var awaited: [Awaited] = []
    var badgesByTopic: [String: Int64] = [:]
    /// What the apps were told of the user's choices, oldest first.
    package internal(set) var responses: [AppResponse] = []
    private var nextRank: UInt64 = 0
    /// Notifications and responses that went for newer ones, and what was forgotten before the screen was made.
    package internal(set) var evicted: UInt64 = 0

    struct Awaited: Sendable, Hashable {
        let push: DeliveredPush
        let presentation: Presentation
    }

    /// An empty screen.
    package init() {}

    /// Whether there is nothing on it, to come or remembered, so that the device need not keep it.
    package var isEmpty: Bool {
        shown.isEmpty && awaited.isEmpty && badgesByTopic.isEmpty && responses.isEmpty && evicted == 0
    }

    // MARK: - Pushes

    /// What a push did to the screen.
    package enum OnReceive: Sendable, Hashable {
        /// It is on it.
        case shown
        /// It took the place of the notification of this sequence, which had its identifier.
        case replaced(UInt64)
        /// It will be, at that moment: a service extension runs.
        case awaited(until: Instant)
        /// It is not shown; a badge may have changed.
        case notShown
    }

    /// Takes in a push; badge and sound of it count at ``Presentation/shownAt``.
    package mutating func receive(_ presentation: Presentation, of push: DeliveredPush) -> OnReceive {
        settle(at: push.deliveredAt)
        let pending = Awaited(push: push, presentation: presentation)
        guard presentation.shownAt > push.deliveredAt else {
            let result = present(pending)
            evict(topic: push.topic)
            return result
        }
        let index = awaited.lastIndex { $0.presentation.shownAt <= presentation.shownAt }.map { $0 + 1 } ?? 0
        awaited.insert(pending, at: index)
        evict(topic: push.topic)
        return .awaited(until: presentation.shownAt)
    }

    /// Counts pushes that arrived before and that nobody remembers any more.
    mutating func missed(_ count: UInt64) { evicted += count }

    /// The next moment at which something appears, after `now`.
    package func nextDue(after now: Instant) -> Instant? {
        awaited.first { $0.presentation.shownAt > now }?.presentation.shownAt
    }

    /// Shows what was held back until now; answers it, by the pushes' numbers.
    @discardableResult
    mutating func settle(at now: Instant) -> [(sequence: UInt64, presentation: Presentation)] {
        var ended: [(sequence: UInt64, presentation: Presentation)] = []
        while let first = awaited.first, first.presentation.shownAt <= now {
            awaited.removeFirst()
            _ = present(first)
            ended.append((first.push.sequence, first.presentation))
        }
        return ended
    }

    /// This screen as it is at a moment; a copy only when something has fallen due.
    func settled(at now: Instant) -> NotificationCentre {
        guard let first = awaited.first, first.presentation.shownAt <= now else { return self }
        var settled = self
        settled.settle(at: now)
        return settled
    }

    private mutating func present(_ pending: Awaited) -> OnReceive {
        let (push, presentation) = (pending.push, pending.presentation)
        switch presentation.badge {
        case .unchanged: break
        case .removed: badgesByTopic[push.topic] = nil
        case .set(let count): badgesByTopic[push.topic] = count
        }
        guard presentation.isShown else { return .notShown }
        // The collapse id is the notification's identifier; whichever is shown last has its place.
        if let identifier = push.collapseID,
            let index = shown.firstIndex(where: { $0.push.topic == push.topic && $0.push.collapseID == identifier })
        {
            var notification = shown[index]
            let replaced = notification.push.sequence
            notification.push = push
            notification.presentation = presentation
            notification.updatedAt = presentation.shownAt
            if presentation.interruptionLevel == .passive {
                shown[index] = notification
            } else {
                shown.remove(at: index)
                notification.rank = takeRank()
                shown.append(notification)
            }
            return .replaced(replaced)
        }
        shown.append(
            ScreenNotification(
                push: push, presentation: presentation, shownAt: presentation.shownAt, rank: takeRank()))
        return .shown
    }

    private mutating func takeRank() -> UInt64 {
        nextRank += 1
        return nextRank
    }

    // What is shown goes before what is awaited: it was there first.
    private mutating func evict(topic: String) {
        var count = shown.count(where: { $0.push.topic == topic }) + awaited.count(where: { $0.push.topic == topic })
        while count > NotificationCentre.notificationsPerAppMax {
            if let index = shown.firstIndex(where: { $0.push.topic == topic }) {
                shown.remove(at: index)
            } else if let index = awaited.firstIndex(where: { $0.push.topic == topic }) {
                awaited.remove(at: index)
            }
            evicted += 1
            count -= 1
        }
    }
}
