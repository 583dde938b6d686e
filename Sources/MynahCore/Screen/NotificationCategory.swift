internal import APNsRules

/// A category that an app registered: the actions under its notifications (`DeviceBehaviour#What-the-user-sees`).
package struct NotificationCategory: Sendable, Hashable {
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

        fileprivate static let schema: Schema = [
            Member("id", .someText, isRequired: true),
            Member("title", .anyText),
            Member("destructive", .bool, default: false),
            Member("foreground", .bool, default: false),
            Member("textInput", .bool, default: false),
        ]

        fileprivate init(_ json: JSONValue, at pointer: String) throws(InputError) {
            let reader = try ObjectReader(json, at: pointer, Action.schema)
            id = reader.text("id") ?? ""
            guard !NotificationAction.reservedNames.contains(id) else {
                throw reader.error("id", "\(id) is the system's: expected a name of the app's own")
            }
            title = reader.text("title") ?? id
            isDestructive = reader.bool("destructive") ?? false
            opensApp = reader.bool("foreground") ?? false
            takesText = reader.bool("textInput") ?? false
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

    static let schema: Schema = [
        Member("id", .someText, "What a payload's category names.", isRequired: true),
        Member("actions", .array(of: .object(Action.schema), 0...actionsMax)),
        Member(
            "customDismiss", .bool, "Whether the app is told when the user dismisses such a notification.",
            default: false),
    ]

    private init(_ json: JSONValue, at pointer: String) throws(InputError) {
        let reader = try ObjectReader(json, at: pointer, NotificationCategory.schema)
        id = reader.text("id") ?? ""
        var actions: [Action] = []
        for (value, place) in reader.elements("actions") {
            let action = try Action(value, at: place)
            guard !actions.contains(where: { $0.id == action.id }) else {
                throw InputError(at: place + "/id", "the action \(action.id) is given twice: expected it once")
            }
            actions.append(action)
        }
        self.actions = actions
        reportsDismissal = reader.bool("customDismiss") ?? false
    }

    var json: JSONValue {
        ["id": .string(id), "actions": .array(actions.map(\.json)), "customDismiss": .bool(reportsDismissal)]
    }

    /// Reads the categories of an app.
    static func read(_ app: ObjectReader) throws(InputError) -> [NotificationCategory] {
        var categories: [NotificationCategory] = []
        for (value, place) in app.elements("categories") {
            let category = try NotificationCategory(value, at: place)
            guard !categories.contains(where: { $0.id == category.id }) else {
                throw InputError(at: place + "/id", "the category \(category.id) is given twice: expected it once")
            }
            categories.append(category)
        }
        return categories
    }
}
