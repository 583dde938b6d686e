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
    /// Groups notifications within their app.
    var threadID: String?
    /// `aps.category`, whether or not the app has registered it.
    var category: String?
    /// The category's actions in the list, four at most.
    var actions: [NotificationCategory.Action] = []
    var reportsDismissal = false
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
}

extension NotificationContent {
    /// The names that mean something in `aps` (`ProviderAPI#Members-of-aps`).
    private static let names = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
        "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "stale-date",
        "content-state", "timestamp", "event", "dismissal-date", "attributes-type", "attributes",
        "input-push-channel", "input-push-token", "content-changed", "url-args", "ptt-push-type",
    ]
    private static let alertNames = [
        "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args", "loc-key", "loc-args", "action-loc-key", "sound",
    ]

    init(_ aps: JSONValue, topic: String, app: AppPresentation, locale: String) {
        if let alert = aps["alert"] { read(alert, topic: topic, app: app, locale: locale) }
        var reader = PayloadReader(aps, called: "aps")
        badge = reader.count("badge")
        sound = NotificationSound(&reader, app: app)
        interruptionLevel = InterruptionLevel(&reader, sound: sound, permissions: app.permissions)
        threadID = reader.text("thread-id").flatMap { $0.isEmpty ? nil : $0 }
        category = reader.text("category")
        if let category {
            let registered = app.categories.first { $0.id == category }
            if registered == nil { reader.warn("the app has no category \(category); the notification has no actions") }
            actions = Array((registered?.actions ?? []).prefix(NotificationCategory.actionsShownMax))
            reportsDismissal = registered?.reportsDismissal ?? false
        }
        relevanceScore = reader.number("relevance-score", in: 0...1)
        filterCriteria = reader.text("filter-criteria")
        isMutable = reader.isOne("mutable-content")
        isContentAvailable = reader.isOne("content-available")
        let alert = aps["alert"] ?? .null
        details = .given(
            ("launchImage", alert["launch-image"]), ("actionLocKey", alert["action-loc-key"]),
            ("urlArgs", aps["url-args"]), ("targetContentId", aps["target-content-id"]),
            ("filterCriteria", filterCriteria.map { .string($0) }))
        reader.warnOfMisspelling(among: NotificationContent.names)
        warnings += reader.warnings
    }

    // A bare string is the body under the app's name. An object gets no title that it doesn't name, because a
    // provider's test asks whether it named one.
    private mutating func read(_ alert: JSONValue, topic: String, app: AppPresentation, locale: String) {
        hasAlert = true
        switch alert {
        case .string(let text):
            body = text
            title = text.isEmpty ? nil : app.appName ?? topic
        case .object:
            var reader = PayloadReader(alert, called: "aps.alert")
            title = reader.text("title", orLocalized: "title-loc", app.localization, locale: locale)
            subtitle = reader.text("subtitle", orLocalized: "subtitle-loc", app.localization, locale: locale)
            body = reader.text("body", orLocalized: "loc", app.localization, locale: locale)
            reader.warnOfMisspelling(among: NotificationContent.alertNames)
            warnings += reader.warnings
        default: warnings.append("aps.alert is \(alert.kind): expected a string or an object")
        }
    }
}
