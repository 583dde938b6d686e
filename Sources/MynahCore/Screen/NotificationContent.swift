internal import APNsRules

/// What a payload's `aps` asks for, as one app on one device understands it (`DeviceBehaviour#What-the-user-sees`).
struct NotificationContent: Sendable, Hashable {
    var title: String?
    var subtitle: String?
    var body: String?
    /// The number to set on the app's icon, which the system doesn't count; 0 removes it, `nil` leaves it.
    var badge: Int64?
    /// `nil` is silence.
    var sound: NotificationSound?
    /// The title of the button that opens the app, from `action-loc-key`; `nil` for the system's.
    var actionTitle: String?
    /// Groups notifications within their app.
    var threadID: String?
    /// `aps.category`, whether or not the app has registered it.
    var category: String?
    /// The category's actions in the list, four at most.
    var actions: [NotificationCategory.Action] = []
    var reportsDismissal = false
    /// The category's format for the line below a group, with the number of its further notifications.
    var summaryFormat: String?
    /// What the group's line names, such as who sent it (`summary-arg`).
    var summaryArgument: String?
    /// For how many it counts in the group's line (`summary-arg-count`).
    var summaryArgumentCount: Int64 = 1
    /// The category's text in place of a hidden preview.
    var hiddenPreviewsBodyPlaceholder: String?
    var interruptionLevel = InterruptionLevel.active
    /// The place in the summary, 0 to 1; the highest comes first.
    var relevanceScore: Double?
    var filterCriteria: String?
    /// What is kept without effect: `launchImage`, `actionLocKey`, `urlArgs`, `targetContentId`, `filterCriteria`.
    var details: [JSONMember] = []
    /// What is wrong in payload, app or strings, a sentence each.
    var warnings: [String] = []
    private(set) var hasAlert = false
    private(set) var isMutable = false
    private(set) var isContentAvailable = false

    /// Whether there is anything to read; an alert without text is not shown.
    var hasText: Bool { [title, subtitle, body].contains { $0?.isEmpty == false } }

    /// The line below a group, of which this is the newest; `nil` without others.
    func groupSummary(_ others: some Collection<NotificationContent>) -> String? {
        guard !others.isEmpty else { return nil }
        let count = others.reduce(0) { $0 + $1.summaryArgumentCount }
        var names: [String] = []
        for name in others.compactMap(\.summaryArgument) where !names.contains(name) { names.append(name) }
        // The text of iOS in English, for a category without a format.
        let usual = "%u more notification" + (count == 1 ? "" : "s") + (names.isEmpty ? "" : " from %@")
        let arguments = ["\(count)", names.joined(separator: ", ")]
        return LocalizedFormat(summaryFormat ?? usual, arguments: arguments, name: "summaryFormat").text
    }
}

extension NotificationContent {
    /// The names that mean something in `aps` (`ProviderAPI#Members-of-aps`).
    static let names = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
        "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "stale-date",
        "content-state", "timestamp", "event", "dismissal-date", "attributes-type", "attributes",
        "input-push-channel", "input-push-token", "content-changed", "url-args", "ptt-push-type",
    ]
    private static let alertNames = [
        "title", "subtitle", "body", "action", "launch-image", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args", "loc-key", "loc-args", "action-loc-key", "sound",
        "summary-arg", "summary-arg-count",
    ]

    /// A notification that no `aps` asks for, such as a web app's.
    init(
        title: String, body: String?, badge: Int64?, sound: NotificationSound?, details: [JSONMember],
        warnings: [String]
    ) {
        self.init()
        self.title = title
        self.body = body
        self.badge = badge
        self.sound = sound
        self.details = details
        self.warnings = warnings
        hasAlert = true
    }

    /// - Parameter app: `nil` if it isn't known, so that nothing is missing in it.
    init(_ aps: JSONValue, app: AppPresentation?, languages: [String]) {
        if let alert = aps["alert"] { read(alert, app: app, languages: languages) }
        var reader = PayloadReader(aps, called: "aps")
        badge = reader.count("badge")
        sound = NotificationSound(&reader, app: app)
        interruptionLevel = InterruptionLevel(&reader, sound: sound, permissions: app?.permissions)
        threadID = reader.text("thread-id").flatMap { $0.isEmpty ? nil : $0 }
        category = reader.text("category")
        if let category {
            let registered = app?.categories.first { $0.id == category }
            if app != nil, registered == nil {
                reader.warn("the app has no category \(category); the notification has no actions")
            }
            actions = Array((registered?.actions ?? []).prefix(NotificationCategory.actionsShownMax))
            reportsDismissal = registered?.reportsDismissal ?? false
            summaryFormat = registered?.summaryFormat
            hiddenPreviewsBodyPlaceholder = registered?.hiddenPreviewsBodyPlaceholder
            if !hasAlert { reader.warn("aps has category without alert; a notification with actions needs an alert") }
        }
        relevanceScore = reader.number("relevance-score", in: 0...1)
        filterCriteria = reader.text("filter-criteria")
        isMutable = reader.isOne("mutable-content")
        let contentAvailable = ContentAvailable(aps)
        isContentAvailable = contentAvailable.wakesApp
        if aps["content-available"] != nil, let problem = contentAvailable.problem { reader.warn(problem) }
        let alert = PayloadReader(aps["alert"] ?? .null, called: "aps.alert")
        details = .given(
            ("launchImage", alert["launch-image"]), ("actionLocKey", alert["action-loc-key"]),
            ("urlArgs", aps["url-args"]), ("targetContentId", aps["target-content-id"]),
            ("filterCriteria", filterCriteria.map { .string($0) }))
        reader.warnOfMisspelling(among: NotificationContent.names)
        warnings += reader.warnings
    }

    /// The alert of a Live Activity: its title and body are texts, or objects with `loc-key` and `loc-args`, and it has
    /// the sound; without one the default sound is played (inferred).
    init(ofActivity alert: JSONValue, app: AppPresentation, languages: [String]) {
        hasAlert = true
        if let text = alert.string { body = text }
        var reader = PayloadReader(alert, called: "aps.alert")
        func text(_ member: String) -> String? {
            guard let value = alert[member], value.object != nil else { return reader.text(member) }
            var texts = PayloadReader(value, called: "aps.alert.\(member)")
            let text = texts.text("", orLocalized: "loc", app.localization, languages: languages)
            texts.warnOfMisspelling(among: ["loc-key", "loc-args"])
            reader.warn(texts.warnings)
            return text
        }
        title = text("title") ?? title
        subtitle = text("subtitle")
        body = text("body") ?? body
        sound = alert["sound"] == nil ? .standard : NotificationSound(&reader, app: app)
        if alert.object != nil { reader.warnOfMisspelling(among: ["title", "subtitle", "body", "sound"]) }
        warnings = reader.warnings
    }

    // A string is the body, as in an object that has nothing else: the app's name is the card's header, not the title.
    private mutating func read(_ alert: JSONValue, app: AppPresentation?, languages: [String]) {
        hasAlert = true
        switch alert {
        case .string(let text): body = text
        case .object:
            var reader = PayloadReader(alert, called: "aps.alert")
            let strings = app?.localization
            title = reader.text("title", orLocalized: "title-loc", strings, languages: languages)
            subtitle = reader.text("subtitle", orLocalized: "subtitle-loc", strings, languages: languages)
            body = reader.text("body", orLocalized: "loc", strings, languages: languages)
            actionTitle = reader.text("action", orLocalized: "action-loc", strings, languages: languages)
            summaryArgument = reader.text("summary-arg")
            summaryArgumentCount = min(max(1, reader.count("summary-arg-count") ?? 1), Int64(Int32.max))
            reader.warnOfMisspelling(among: NotificationContent.alertNames)
            warnings += reader.warnings
        default: warnings.append("aps.alert is \(alert.kind): expected a string or an object")
        }
    }
}

extension NotificationContent: ByteRecord {
    static let members = ByteMembers(NotificationContent.init) {
        (
            $0.title, $0.subtitle, $0.body, $0.badge, $0.sound, $0.actionTitle, $0.threadID, $0.category, $0.actions,
            $0.reportsDismissal, $0.summaryFormat, $0.summaryArgument, $0.summaryArgumentCount,
            $0.hiddenPreviewsBodyPlaceholder, $0.interruptionLevel, $0.relevanceScore, $0.filterCriteria, $0.details,
            $0.warnings, $0.hasAlert, $0.isMutable, $0.isContentAvailable
        )
    }

    /// What groups add up must not overflow.
    var damage: String? {
        guard !(1...Int64(Int32.max)).contains(summaryArgumentCount) else { return nil }
        return "a notification counts for \(summaryArgumentCount)"
    }
}
