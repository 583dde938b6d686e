internal import APNsRules

/// What the user can do with every notification, by the control API's name (`DeviceBehaviour#What-the-user-does`).
enum StandardAction: String, CaseIterable {
    case opened = "default"
    case dismissed = "dismiss"

    /// Apple's name, which the app gets.
    var identifier: String {
        switch self {
        case .opened: "com.apple.UNNotificationDefaultActionIdentifier"
        case .dismissed: "com.apple.UNNotificationDismissActionIdentifier"
        }
    }

    /// The action with this name, the control API's or Apple's.
    static func named(_ name: String) -> StandardAction? {
        allCases.first { name == $0.rawValue || name == $0.identifier }
    }
}

/// A category that an app registered: the actions of its notifications (`DeviceBehaviour#What-the-user-sees`).
struct NotificationCategory: Sendable, Hashable, Identifiable {
    /// The most actions that may be registered; ``actionsShownMax`` of them are shown.
    private static let actionsMax = 32
    /// The most actions in the list (archived: the fifth and further ones are dropped).
    static let actionsShownMax = 4
    /// The most actions in a banner (archived).
    static let bannerActionsMax = 2

    struct Action: Sendable, Hashable, Identifiable {
        let id: String
        let title: String
        /// Whether the button is red.
        let isDestructive: Bool
        /// Whether choosing it brings the app to the foreground.
        let opensApp: Bool
        /// Whether the action can be chosen on an unlocked device only.
        let requiresAuthentication: Bool
        /// Whether the user types a text for it, such as a reply.
        let takesText: Bool
        /// The button beside the text field; `nil` for the system's.
        let textInputButtonTitle: String?
        /// What the empty text field shows.
        let textInputPlaceholder: String?
        /// Whether the device must be unlocked for it, as it must be to open the app (archived).
        var needsUnlockedDevice: Bool { requiresAuthentication || opensApp }

        fileprivate static let schema: Schema = [
            Member("id", .someText, summary: "The action's ID.", isRequired: true),
            Member("title", .anyText, summary: "The text of the button."),
            Member("destructive", .bool, summary: "Whether it removes something, and is red.", default: false),
            Member("foreground", .bool, summary: "Whether it opens the app.", default: false),
            Member(
                "authenticationRequired", .bool, summary: "Whether the device must be unlocked for it.", default: false),
            Member("textInput", .bool, summary: "Whether the user types a text for it.", default: false),
            Member("textInputButtonTitle", .anyText, summary: "With textInput only, as the next."),
            Member("textInputPlaceholder", .anyText, summary: "What the empty text field shows."),
        ]

        var json: JSONValue { .object(Action.shownFields.members(of: self)) }

        static let shownFields: Fields<Action> = [
            Field(shown: "id", .anyText, "The action's ID.") { .string($0.id) },
            Field(shown: "title", .anyText, "The text of the button.") { .string($0.title) },
            Field(shown: "destructive", .bool, "Whether it removes something, and is red.") {
                .bool($0.isDestructive)
            },
            Field(shown: "foreground", .bool, "Whether it opens the app.") { .bool($0.opensApp) },
            Field(shown: "authenticationRequired", .bool, "Whether the device must be unlocked for it.") {
                .bool($0.requiresAuthentication)
            },
            Field(shown: "textInput", .bool, "Whether the user types a text for it.") { .bool($0.takesText) },
            Field(
                shown: "textInputButtonTitle", .nullableText,
                "The button beside the text field; null for the system's."
            ) { .text($0.textInputButtonTitle) },
            Field(
                shown: "textInputPlaceholder", .nullableText, "What the empty text field shows; null for nothing."
            ) { .text($0.textInputPlaceholder) },
        ]
    }

    /// What a payload's `category` names.
    let id: String
    let actions: [Action]
    /// Whether the app receives the user's dismissal of a notification of this category.
    let reportsDismissal: Bool
    /// `%u more messages from %@`: the number of a group's further notifications, and their `summary-arg`s.
    let summaryFormat: String?
    /// What a hidden preview has in place of the text; `%u` is the number of the group's notifications.
    let hiddenPreviewsBodyPlaceholder: String?

    private static let fields: Fields<NotificationCategory> = [
        Field(Member("id", .someText, summary: "What a payload's category names.", isRequired: true)) {
            .string($0.id)
        },
        Field(
            Member(
                "actions", .array(of: .object(Action.schema), 0...actionsMax),
                summary: "Its actions, in the order of their buttons.")
        ) { .array($0.actions.map(\.json)) },
        Field(
            Member(
                "customDismiss", .bool,
                summary: "Whether the app is told when the user dismisses a notification of it.", default: false)
        ) { .bool($0.reportsDismissal) },
        Field(
            Member(
                "summaryFormat", .someText,
                summary: "The line below a group: %u is the number of further notifications, %@ what they name.")
        ) { .text($0.summaryFormat) },
        Field(
            Member(
                "hiddenPreviewsBodyPlaceholder", .someText,
                summary: "The text in place of a hidden preview; %u is the number of the group's notifications.")
        ) { .text($0.hiddenPreviewsBodyPlaceholder) },
    ]
    static let schema = fields.making

    var json: JSONValue { .object(NotificationCategory.fields.remakingMembers(of: self)) }
}

extension NotificationCategory {
    init(_ json: JSONValue, at place: String) throws(InputError) {
        let reader = try ObjectReader(json, at: place, NotificationCategory.schema)
        id = reader.text("id") ?? ""
        actions = try reader.elements("actions", called: "action", Action.init)
        reportsDismissal = reader.bool("customDismiss") ?? false
        summaryFormat = reader.text("summaryFormat")
        hiddenPreviewsBodyPlaceholder = reader.text("hiddenPreviewsBodyPlaceholder")
    }
}

extension NotificationCategory.Action {
    fileprivate init(_ json: JSONValue, at place: String) throws(InputError) {
        let reader = try ObjectReader(json, at: place, Self.schema)
        id = reader.text("id") ?? ""
        guard StandardAction.named(id) == nil else {
            throw reader.error("id", "\(id) is the system's: expected a name of the app's own")
        }
        title = reader.text("title") ?? id
        isDestructive = reader.bool("destructive") ?? false
        opensApp = reader.bool("foreground") ?? false
        requiresAuthentication = reader.bool("authenticationRequired") ?? false
        takesText = reader.bool("textInput") ?? false
        textInputButtonTitle = reader.text("textInputButtonTitle")
        textInputPlaceholder = reader.text("textInputPlaceholder")
        for name in ["textInputButtonTitle", "textInputPlaceholder"] where !takesText && reader[name] != nil {
            throw reader.error(name, "the action \(id) takes no text: expected textInput true")
        }
    }
}

extension ObjectReader {
    /// The elements of an array, whose ids must differ.
    func elements<Element: Identifiable<String>>(
        _ name: String, called noun: String, _ read: (JSONValue, String) throws(InputError) -> Element
    ) throws(InputError) -> [Element] {
        var found: [Element] = []
        for (value, place) in elements(name) {
            let element = try read(value, place)
            guard !found.contains(where: { $0.id == element.id }) else {
                throw InputError(at: place + "/id", "the \(noun) \(element.id) is given twice: expected it once")
            }
            found.append(element)
        }
        return found
    }
}

extension NotificationCategory.Action: ByteRecord {
    static let members = ByteMembers(NotificationCategory.Action.init) {
        (
            $0.id, $0.title, $0.isDestructive, $0.opensApp, $0.requiresAuthentication, $0.takesText,
            $0.textInputButtonTitle, $0.textInputPlaceholder
        )
    }
}

extension NotificationCategory: ByteRecord {
    static let members = ByteMembers(NotificationCategory.init) {
        ($0.id, $0.actions, $0.reportsDismissal, $0.summaryFormat, $0.hiddenPreviewsBodyPlaceholder)
    }
}
