package import APNsRules

/// A notification on a device's screen.
struct ScreenNotification: Sendable, Hashable {
    /// The newest of the pushes that replaced each other.
    let push: DeliveredPush
    let presentation: Presentation
    /// When the notification first appeared, or will appear.
    fileprivate(set) var shownAt: Instant
    fileprivate(set) var updatedAt: Instant?
    // The notification's position: a higher rank is further up; unique on its screen.
    fileprivate var rank: UInt64 = 0

    // Equal for notifications that are stacked: of one thread within an app, or of one app without a thread.
    fileprivate var group: [String?] { [push.topic, presentation.content.threadID] }

    /// What a hidden preview has in place of the text, as iOS in English.
    private static let hiddenPreviewBody = "Notification"

    /// The identifier by which an app removes the notification: the collapse id, without one the `apns-id`.
    var identifier: String { push.collapseID ?? push.notificationID.text }

    private func isPreviewHidden(isLocked: Bool) -> Bool {
        presentation.showPreviews == .never || presentation.showPreviews == .whenUnlocked && isLocked
    }

    /// What can be read of it on a device that is locked or not, in a group of this many.
    private func content(isLocked: Bool, groupCount: Int) -> NotificationContent {
        var content = presentation.content
        guard isPreviewHidden(isLocked: isLocked) else { return content }
        content.title = nil
        content.subtitle = nil
        content.summaryFormat = nil
        content.summaryArgument = nil
        content.body =
            content.hiddenPreviewsBodyPlaceholder.map {
                LocalizedFormat($0, arguments: ["\(groupCount)"], name: "hiddenPreviewsBodyPlaceholder").text
            } ?? ScreenNotification.hiddenPreviewBody
        return content
    }

    /// The notification as its user reads it, on a device that is locked or not, in a group of this many.
    func read(isLocked: Bool, groupCount: Int = 1) -> ReadNotification {
        ReadNotification(
            notification: self, content: content(isLocked: isLocked, groupCount: groupCount),
            isPreviewHidden: isPreviewHidden(isLocked: isLocked))
    }
}

/// The response that an app gets to what the user chose.
package struct AppResponse: Sendable, Hashable {
    let sequence: UInt64
    let topic: String
    /// Apple's identifier of a tap or a dismissal, or an action's id.
    let action: String
    let text: String?
    let at: Instant
    /// The address that a web app opens; `nil` if the push names none, and for any other app.
    var navigate: String?

    package var json: JSONValue { .object(AppResponse.fields.members(of: self)) }

    package static let fields: Fields<AppResponse> = [
        Field(shown: "sequence", .whole, "The push's sequence number.") { .whole($0.sequence) },
        Field(shown: "topic", .anyText, "The topic.") { .string($0.topic) },
        Field(shown: "action", .anyText, "Apple's name of it, or the ID of one of the category's actions.") {
            .string($0.action)
        },
        Field(shown: "text", .nullableText, "What the user typed; null for nothing.") { .text($0.text) },
        Field(shown: "at", .time, "When it happened, by the device's clock.") { .string($0.at.rfc3339) },
        Field(
            shown: "navigate", .nullableText,
            "The address that a web app opens; null if the push names none, and for any other app."
        ) { .text($0.navigate) },
    ]
}

/// A sound that a push made (`Documents#Screen`).
package struct PlayedSound: Sendable, Hashable {
    let sequence: UInt64
    let topic: String
    let at: Instant
    let sound: NotificationSound

    var json: JSONValue { .object(PlayedSound.fields.members(of: self)) }

    package static let fields: Fields<PlayedSound> = [
        Field(shown: "sequence", .whole, "The push's sequence number.") { .whole($0.sequence) },
        Field(shown: "topic", .anyText, "The topic.") { .string($0.topic) },
        Field(shown: "at", .time, "When it happened, by the device's clock.") { .string($0.at.rfc3339) },
        Field(shown: "sound", .object(NotificationSound.fields.showing), "What was heard.") { $0.sound.json },
    ]
}

/// What the user of one device sees: the notifications of all its apps, and the numbers on their icons
/// (`DeviceBehaviour#What-the-user-sees`).
///
/// Nothing runs in the background: a notification whose service extension hasn't finished is awaited, and appears when
/// the screen is read at or after its time. An empty screen is a few words without an allocation.
struct NotificationCentre: Sendable, Hashable {
    /// The most notifications of one app, awaited ones included; for one more, the oldest is dropped and counted, so
    /// that a loop of pushes does not fill the memory (Apple documents no number).
    static let notificationsPerAppMax = 500
    /// The most responses; for one more, the oldest is dropped and counted.
    static let responsesMax = 1000
    /// The most sounds; for one more, the oldest is dropped and counted.
    static let soundsMax = 1000

    // The notifications on the screen by rank, lowest first.
    private var shown: [ScreenNotification] = []
    // The notifications that are shown later, by time, and at one time in the order of delivery.
    private var awaited: [ScreenNotification] = []
    private var badgesByTopic: [String: Int64] = [:]
    /// Oldest first.
    private(set) var responses: [AppResponse] = []
    /// What was heard, oldest first.
    private(set) var sounds: [PlayedSound] = []
    private var lastRank: UInt64 = 0
    /// Notifications, responses and sounds dropped for newer ones, and pushes forgotten before the screen was made.
    private(set) var evicted: UInt64 = 0
    /// Whether nothing is on it, awaited or remembered.
    var isEmpty: Bool {
        shown.isEmpty && awaited.isEmpty && badgesByTopic.isEmpty && responses.isEmpty && sounds.isEmpty && evicted == 0
    }

    // MARK: - Pushes

    /// What a push did to the screen.
    enum OnReceive: Sendable, Hashable {
        case shown
        /// Shown in place of the notification with its identifier.
        case replaced(UInt64)
        /// A service extension runs until then, or the summary comes then.
        case awaited(until: Instant)
        /// A badge may have changed.
        case notShown
    }

    /// Takes in a push; its badge and sound count at ``Presentation/shownAt``, the badge of one that waits for the
    /// summary at once (inferred).
    mutating func receive(_ presentation: Presentation, of push: DeliveredPush) -> OnReceive {
        settle(at: push.deliveredAt)
        defer { evict(topic: push.topic) }
        awaited.removeAll { NotificationCentre.isReplaced($0, by: presentation, of: push) }
        let received = ScreenNotification(push: push, presentation: presentation)
        if presentation.isInSummary { setBadge(presentation.content.badge, of: push.topic) }
        if received.shownAt <= push.deliveredAt { return present(received) }
        awaited.insert(received, at: awaited.firstIndexInOrder { $0.shownAt > received.shownAt })
        return .awaited(until: received.shownAt)
    }

    /// The pushes that wait for the summary and whose place a push takes when it is received: they are never shown.
    func replaced(by presentation: Presentation, of push: DeliveredPush) -> [UInt64] {
        awaited.filter { waiting in
            waiting.shownAt > push.deliveredAt
                && NotificationCentre.isReplaced(waiting, by: presentation, of: push)
        }.map(\.push.sequence)
    }

    private static func isReplaced(
        _ waiting: ScreenNotification, by presentation: Presentation, of push: DeliveredPush
    ) -> Bool {
        presentation.isShown && waiting.presentation.isInSummary && push.collapseID != nil
            && waiting.push.topic == push.topic && waiting.push.collapseID == push.collapseID
    }

    /// Counts pushes that were forgotten before the screen was made.
    mutating func countMissing(_ count: UInt64) { evicted += count }
    /// When the next awaited notification appears.
    var nextDue: Instant? { awaited.first?.shownAt }

    /// Shows the notifications that were to appear by now, and returns them.
    @discardableResult
    mutating func settle(at now: Instant) -> [(sequence: UInt64, presentation: Presentation)] {
        let due = awaited.prefix { $0.shownAt <= now }
        awaited.removeFirst(due.count)
        for awaited in due { _ = present(awaited) }
        return due.map { ($0.push.sequence, $0.presentation) }
    }

    /// The screen as it is at a moment; a copy only if something has fallen due.
    func settled(at now: Instant) -> NotificationCentre {
        guard let nextDue, nextDue <= now else { return self }
        var settled = self
        settled.settle(at: now)
        return settled
    }

    private mutating func present(_ received: ScreenNotification) -> OnReceive {
        let push = received.push
        if !received.presentation.isInSummary { setBadge(received.presentation.content.badge, of: push.topic) }
        if let sound = received.presentation.content.sound {
            sounds.append(
                PlayedSound(sequence: push.sequence, topic: push.topic, at: received.shownAt, sound: sound))
            if sounds.count > NotificationCentre.soundsMax {
                sounds.removeFirst()
                evicted += 1
            }
        }
        guard received.presentation.isShown else { return .notShown }
        var notification = received
        lastRank += 1
        notification.rank = lastRank
        let index = shown.firstIndex {
            push.collapseID != nil && $0.push.topic == push.topic && $0.push.collapseID == push.collapseID
        }
        guard let index else {
            shown.append(notification)
            return .shown
        }
        let old = shown[index]
        notification.shownAt = old.shownAt
        notification.updatedAt = received.shownAt
        if received.presentation.content.interruptionLevel == .passive {
            notification.rank = old.rank
            shown[index] = notification
        } else {
            shown.remove(at: index)
            shown.append(notification)
        }
        return .replaced(old.push.sequence)
    }

    // Shown notifications are evicted before awaited ones, which are newer.
    private mutating func evict(topic: String) {
        let count = shown.count { $0.push.topic == topic } + awaited.count { $0.push.topic == topic }
        guard count > NotificationCentre.notificationsPerAppMax else { return }
        if let index = shown.firstIndex(where: { $0.push.topic == topic }) {
            shown.remove(at: index)
        } else if let index = awaited.firstIndex(where: { $0.push.topic == topic }) {
            awaited.remove(at: index)
        }
        evicted += 1
    }

    // MARK: - Actions

    /// The app's response (`nil` for a dismissal that the notification's category doesn't ask for), and whether the app
    /// comes to the foreground; the caller changes its state.
    typealias OnPerform = (response: AppResponse?, opensApp: Bool, topic: String)

    /// The user chooses a ``StandardAction`` or one of the notification's own by its id, and the notification leaves
    /// the screen; `nil` if it is not there.
    mutating func perform(
        _ action: String, text: String? = nil, on sequence: UInt64, at now: Instant, isLocked: Bool = false
    ) throws(InputError) -> OnPerform? {
        settle(at: now)
        guard let index = shown.firstIndex(where: { $0.push.sequence == sequence }) else { return nil }
        let content = shown[index].presentation.content
        let standard = StandardAction.named(action)
        let chosen = standard == nil ? content.actions.first { $0.id == action } : nil
        guard standard != nil || chosen != nil else {
            let known = StandardAction.allCases.map(\.rawValue) + content.actions.map(\.id)
            throw InputError(
                at: "/action", "unknown action \"\(action)\"", hint: Spelling.hint(action, known), allowed: known)
        }
        let takesText = chosen?.takesText ?? false
        if text != nil, !takesText { throw InputError(at: "/text", "the action \(action) takes no text") }
        if text == nil, takesText { throw InputError(at: "/text", "the action \(action) takes a text: expected one") }
        guard !isLocked || !(chosen?.needsUnlockedDevice ?? (standard == .opened)) else {
            throw InputError(.conflict, at: "/action", "\(action) needs an unlocked device, and this one is locked")
        }
        let topic = shown.remove(at: index).push.topic
        let opensApp = chosen?.opensApp ?? (standard == .opened)
        guard standard != .dismissed || content.reportsDismissal else { return (nil, opensApp, topic) }
        let response = AppResponse(
            sequence: sequence, topic: topic, action: standard?.identifier ?? action, text: text, at: now,
            navigate: opensApp ? content.details.first { $0.name == "navigate" }?.value.string : nil)
        responses.append(response)
        if responses.count > NotificationCentre.responsesMax {
            responses.removeFirst()
            evicted += 1
        }
        return (response, opensApp, topic)
    }

    /// Removes notifications as the app or the user does, of which no app is informed; returns how many.
    mutating func remove(at now: Instant, where isMeant: (ScreenNotification) -> Bool) -> Int {
        settle(at: now)
        let before = shown.count
        shown.removeAll(where: isMeant)
        return before - shown.count
    }

    /// The app sets the number on its icon; 0 removes it.
    mutating func setBadge(_ badge: Int64, of topic: String, at now: Instant) {
        settle(at: now)
        setBadge(badge, of: topic)
    }

    private mutating func setBadge(_ badge: Int64?, of topic: String) {
        if let badge { badgesByTopic[topic] = badge == 0 ? nil : badge }
    }

    /// The app is deleted, with its notifications, badge, responses and sounds.
    mutating func uninstall(_ topic: String) {
        shown.removeAll { $0.push.topic == topic }
        awaited.removeAll { $0.push.topic == topic }
        badgesByTopic[topic] = nil
        responses.removeAll { $0.topic == topic }
        sounds.removeAll { $0.topic == topic }
    }

    // MARK: - Reading

    /// The notifications from the top of the screen: newest first, a group at the place of its newest.
    func notifications(at now: Instant) -> [ScreenNotification] { groups(at: now).flatMap(\.self) }

    /// The notifications by stack, in the order of ``notifications(at:)``.
    func groups(at now: Instant) -> [[ScreenNotification]] {
        let newestFirst = settled(at: now).shown.reversed()
        let groups = Dictionary(grouping: newestFirst, by: \.group)
        var listed: Set<[String?]> = []
        return newestFirst.compactMap { listed.insert($0.group).inserted ? groups[$0.group] : nil }
    }

    /// What scheduled summaries have brought, the most relevant first, of equally relevant ones the newest; a missing
    /// score counts as 0 (inferred).
    func summary(at now: Instant) -> [ScreenNotification] {
        func order(_ notification: ScreenNotification) -> (Double, UInt64) {
            (notification.presentation.content.relevanceScore ?? 0, notification.rank)
        }
        return settled(at: now).shown
            .filter(\.presentation.isInSummary).sorted { order($0) > order($1) }
    }

    /// What waits for the summary, in the order of its arrival.
    func held(at now: Instant) -> [ScreenNotification] { settled(at: now).awaited.filter(\.presentation.isInSummary) }

    func badges(at now: Instant) -> [String: Int64] { settled(at: now).badgesByTopic }

    /// The broken invariants, a sentence each; for tests.
    func brokenInvariants(at now: Instant) -> [String] {
        let shown = settled(at: now).shown
        let badges = badges(at: now)
        let identifiers = shown.filter { $0.push.collapseID != nil }.map { [$0.push.topic, $0.push.collapseID] }
        let counts = Dictionary(shown.map { ($0.push.topic, 1) }, uniquingKeysWith: +)
        let ranks = shown.map(\.rank)
        let times = awaited.map(\.shownAt)
        let checks = [
            ("the notifications are in the order of their rank", ranks == Set(ranks).sorted()),
            ("what is awaited is in the order of time", times == times.sorted()),
            ("what is shown is not hidden", shown.allSatisfy(\.presentation.isShown)),
            ("nothing is shown too early", shown.allSatisfy { $0.shownAt <= now }),
            ("an identifier is there once", Set(identifiers).count == identifiers.count),
            ("badges are above 0", badges.values.allSatisfy { $0 > 0 }),
            ("an app's notifications are bounded", counts.values.allSatisfy { $0 <= Self.notificationsPerAppMax }),
        ]
        return checks.filter { !$0.1 }.map { "it does not hold that \($0.0)" }
    }
}

extension ScreenNotification {
    init(push: DeliveredPush, presentation: Presentation) {
        self.push = push
        self.presentation = presentation
        shownAt = presentation.shownAt
    }
}

extension ScreenNotification: ByteRecord {
    static let members = ByteMembers(ScreenNotification.init) {
        ($0.push, $0.presentation, $0.shownAt, $0.updatedAt, $0.rank)
    }
}

extension AppResponse: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(sequence, topic, action, text, at)
        if isOfWebApp { writer.write(navigate) }
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(
            sequence: try reader.read(), topic: try reader.read(), action: try reader.read(),
            text: try reader.read(), at: try reader.read())
        if isOfWebApp { navigate = try reader.read() }
    }

    // The topic of a web app is its origin.
    private var isOfWebApp: Bool { topic.hasPrefix("https://") }
}

extension PlayedSound: ByteRecord {
    package static let members: some ByteForm<PlayedSound> = ByteMembers(PlayedSound.init) {
        ($0.sequence, $0.topic, $0.at, $0.sound)
    }
}

extension NotificationCentre: ByteRecord {
    static let members = ByteMembers(NotificationCentre.init) {
        ($0.shown, $0.awaited, $0.badgesByTopic, $0.responses, $0.sounds, $0.lastRank, $0.evicted)
    }
}
