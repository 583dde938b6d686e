internal import APNsRules

/// A category that an app registered: the actions under its notifications (`DeviceBehaviour#What-the-user-sees`).
package struct NotificationCategory: Sendable, Hashable {
    /// Categories of one app; more are an error.
    package static let categoriesMax = 100
    /// Actions of one category; more are an error, and of those that are there ``actionsShownMax`` are shown.
    package static let actionsMax = 32
    /// Actions that the system shows in the list (archived: the fifth and further ones are dropped).
    package static let actionsShownMax = 4
    /// Actions that the system shows in a banner (archived).
    package static let bannerActionsMax = 2

    /// One action.
    package struct Action: Sendable, Hashable {
        /// What the app gets when it is chosen.
        package let id: String
        /// What stands on the button.
        package let title: String
        /// Whether the button is red.
        package let isDestructive: Bool
        /// Whether the app comes to the foreground for it.
        package let opensApp: Bool
        /// Whether it takes a text, such as a reply.
        package let takesText: Bool

        /// An action.
        package init(
            id: String, title: String, isDestructive: Bool = false, opensApp: Bool = false, takesText: Bool = false
        ) {
            self.id = id
            self.title = title
            self.isDestructive = isDestructive
            self.opensApp = opensApp
            self.takesText = takesText
        }

        static let names = ["id", "title", "destructive", "foreground", "textInput"]

        init(_ json: JSONValue, at pointer: JSONPointer) throws(QueryError) {
            let reader = try MemberReader(json, at: pointer, names: Action.names)
            let id = try reader.requiredText("id")
            guard !NotificationAction.reservedNames.contains(id) else {
                throw reader.wrong("id", "\(id) is the system's; an action of the app has a name of its own")
            }
            self.id = id
            self.title = try reader.text("title") ?? id
            self.isDestructive = try reader.truth("destructive") ?? false
            self.opensApp = try reader.truth("foreground") ?? false
            self.takesText = try reader.truth("textInput") ?? false
        }

        var json: JSONValue {
            [
                "id": .string(id), "title": .string(title), "destructive": .bool(isDestructive),
                "foreground": .bool(opensApp), "textInput": .bool(takesText),
            ]
        }
    }

    /// What a payload's `category` names.
    package let id: String
    /// The actions in the order of registration.
    package let actions: [Action]
    /// Whether the app is told when the user dismisses such a notification.
    package let reportsDismissal: Bool

    /// A category.
    package init(id: String, actions: [Action], reportsDismissal: Bool = false) {
        self.id = id
        self.actions = actions
        self.reportsDismissal = reportsDismissal
    }

    static let names = ["id", "actions", "customDismiss"]

    init(_ json: JSONValue, at pointer: JSONPointer) throws(QueryError) {
        let reader = try MemberReader(json, at: pointer, names: NotificationCategory.names)
        self.id = try reader.requiredText("id")
        var actions: [Action] = []
        for (value, place) in try reader.elements("actions", max: NotificationCategory.actionsMax) ?? [] {
            let action = try Action(value, at: place)
            guard !actions.contains(where: { $0.id == action.id }) else {
                throw QueryError(place.appending("id").description, "the action \(action.id) is there twice")
            }
            actions.append(action)
        }
        self.actions = actions
        self.reportsDismissal = try reader.truth("customDismiss") ?? false
    }

    var json: JSONValue {
        ["id": .string(id), "actions": .array(actions.map(\.json)), "customDismiss": .bool(reportsDismissal)]
    }

    static func read(
        _ elements: [(value: JSONValue, place: JSONPointer)]
    ) throws(QueryError) -> [NotificationCategory] {
        var categories: [NotificationCategory] = []
        for (value, place) in elements {
            let category = try NotificationCategory(value, at: place)
            guard !categories.contains(where: { $0.id == category.id }) else {
                throw QueryError(place.appending("id").description, "the category \(category.id) is there twice")
            }
            categories.append(category)
        }
        return categories
    }
}
