package import APNsRules

extension Presentation {
    /// Decides what a device shows of a payload.
    ///
    /// - Parameters:
    ///   - payload: The push's body, parsed; `nil` when it is no JSON.
    ///   - push: Its other facts.
    ///   - app: The app as it is registered now.
    ///   - surroundings: The device's language and Focus now.
    package init(
        of payload: JSONValue?, push: DeliveredPush, app: AppPresentation, on surroundings: ScreenSurroundings
    ) {
        self.init(shownAt: push.deliveredAt)
        guard let payload else {
            reason = "not shown: the payload is no JSON"
            return
        }
        guard let aps = self.aps(of: payload) else { return }
        let original = content(of: aps, push: push, app: app, locale: surroundings.locale)
        let chosen = extended(payload, original, push: push, app: app, locale: surroundings.locale)
        warnings += chosen.warnings
        take(chosen)
        reachesApp = app.appState == .foreground
        wakesApp = original.isContentAvailable && app.appState != .forceQuit

        let visibility = Visibility(
            of: chosen, topic: push.topic, app: app, surroundings: surroundings,
            isRewritten: mutableContent == .modified)
        place = visibility.place
        reason = visibility.reason
        if !visibility.letsSoundThrough { sound = nil }
        if !visibility.letsBadgeThrough { badge = .unchanged }
        if !isShown { actions = [] }
    }

    private mutating func aps(of payload: JSONValue) -> JSONValue? {
        guard payload.object != nil else {
            reason = "not shown: the payload is \(payload.kind), an object was expected"
            return nil
        }
        guard let aps = payload["aps"] else {
            reason = "not shown: the payload has no aps"
            return nil
        }
        guard aps.object != nil else {
            reason = "not shown: aps is \(aps.kind), an object was expected"
            return nil
        }
        return aps
    }

    private mutating func take(_ content: Content) {
        title = content.text.title
        subtitle = content.text.subtitle
        body = content.text.body
        badge = content.badge
        sound = content.sound
        threadID = content.threadID
        category = content.categoryName
        actions = Array((content.category?.actions ?? []).prefix(NotificationCategory.actionsShownMax))
        reportsDismissal = content.category?.reportsDismissal ?? false
        interruptionLevel = content.level
        relevanceScore = content.relevanceScore
        details = content.details
    }

    // What the service extension makes of the content (DeviceBehaviour#The-service-extension).
    private mutating func extended(
        _ payload: JSONValue, _ original: Content, push: DeliveredPush, app: AppPresentation, locale: String
    ) -> Content {
        guard original.isMutable, !original.text.isEmpty, app.permissions.alert,
            app.permissions.allowsNotifications, let service = app.serviceExtension
        else { return original }
        guard !service.timesOut else {
            mutableContent = .timedOut
            shownAt = push.deliveredAt.advanced(by: ServiceExtension.timeMax)
            warnings.append("the service extension did not finish within 30 s; the original is shown")
            return original
        }
        shownAt = push.deliveredAt.advanced(by: service.takes)
        let rewritten = payload.mergePatched(with: service.rewrite)
        let content = self.content(of: rewritten["aps"] ?? .null, push: push, app: app, locale: locale)
        // The system discards what has no words left (inferred: an extension cannot silence a notification).
        guard !content.text.isEmpty else {
            warnings.append("the service extension left no text; the original is shown")
            return original
        }
        mutableContent = .modified
        let attached = service.attachments(in: rewritten)
        attachments = attached.found
        warnings += attached.warnings
        return content
    }

    /// What a payload says, read.
    struct Content {
        var text = AlertText()
        var hasAlert = false
        var badge = BadgeChange.unchanged
        var sound: NotificationSound?
        var threadID: String?
        var categoryName: String?
        var category: NotificationCategory?
        var level = InterruptionLevel.active
        var relevanceScore: Double?
        var filterCriteria: String?
        var isMutable = false
        var isContentAvailable = false
        var details: [JSONMember] = []
        var warnings: [String] = []
    }

    private func content(of aps: JSONValue, push: DeliveredPush, app: AppPresentation, locale: String) -> Content {
        var content = Content()
        var reader = PayloadReader(aps, called: "aps")
        content.hasAlert = aps["alert"] != nil
        if let alert = aps["alert"] {
            content.text = AlertText(
                alert, app: app, topic: push.topic, locale: locale, warnings: &content.warnings)
        }
        content.badge = BadgeChange(aps["badge"], warnings: &content.warnings)
        content.sound = NotificationSound(aps["sound"], app: app, warnings: &content.warnings)
        content.level = InterruptionLevel(
            aps["interruption-level"], sound: content.sound, permissions: app.permissions,
            warnings: &content.warnings)
        content.threadID = reader.text("thread-id").flatMap { $0.isEmpty ? nil : $0 }
        content.categoryName = reader.text("category")
        content.category = app.categories.first { $0.id == content.categoryName }
        if let name = content.categoryName, content.category == nil {
            reader.warn("the app has no category \(name); the notification has no actions")
        }
        content.relevanceScore = reader.number("relevance-score", in: 0...1)
        content.filterCriteria = reader.text("filter-criteria")
        content.isMutable = reader.isOne("mutable-content")
        content.isContentAvailable = reader.isOne("content-available")
        content.details = Presentation.details(aps, filterCriteria: content.filterCriteria)
        reader.warnOfMisspelling(among: PayloadNames.aps)
        content.warnings += reader.warnings
        return content
    }

    // What is kept and has no effect today, under the control API's spelling.
    private static func details(_ aps: JSONValue, filterCriteria: String?) -> [JSONMember] {
        let alert = aps["alert"] ?? .null
        let kept: [(String, JSONValue?)] = [
            ("launchImage", alert["launch-image"]), ("actionLocKey", alert["action-loc-key"]),
            ("urlArgs", aps["url-args"]), ("targetContentId", aps["target-content-id"]),
            ("filterCriteria", filterCriteria.map { .string($0) }),
        ]
        return kept.compactMap { name, value in value.map { JSONMember(name, $0) } }
    }
}
