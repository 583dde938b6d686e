internal import APNsRules

/// Whether an app runs, and where (`Documents#Devices`).
package enum AppState: String, CaseIterable, Sendable {
    /// On the screen: it gets the payload, and nothing is shown unless it asks for it.
    case foreground
    case background
    /// In memory, not running.
    case suspended
    /// The user has closed it: it isn't woken until the user opens it.
    case forceQuit

    var isRunning: Bool { self == .foreground || self == .background }
}

/// What an app in the foreground lets the system show of a notification (`DeviceBehaviour#Foreground`).
package enum ForegroundOption: String, CaseIterable, Sendable {
    /// A banner over the app.
    case banner
    /// An entry in the notification list.
    case list
    case sound
    /// The number on the icon.
    case badge
}

/// What an app's registration says about its notifications: permissions, sounds, categories, strings
/// (`Documents#Registrations`).
package struct AppPresentation: Described, Hashable {
    var appState = AppState.suspended
    var permissions = NotificationPermissions()
    var presentInForeground: Set<ForegroundOption> = []
    /// The name under its icon and above its notifications; `nil` for one that is derived from its topic.
    var appName: String?
    var sounds: [RegisteredSound] = []
    var categories: [NotificationCategory] = []
    var localization = Localization()
    var serviceExtension: ServiceExtension?
    /// For each Focus the `filter-criteria` that pass the app's Focus filter; other Focuses, and notifications without
    /// `filter-criteria`, are not filtered (inferred).
    var focusFilter: [String: [String]]?
    /// Whether the app reports a call for each VoIP push, as it must (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    var reportsCalls = true
    /// Whether the app supports frequent updates of its Live Activities (`DeviceBehaviour#Live-Activities`).
    var frequentUpdates = false
    /// Whether pushes of priority 10 to its Live Activities have no budget.
    var takesFrequentPushes: Bool { frequentUpdates && permissions.frequentPushes }
    var backgroundFetch = BackgroundFetch()
    /// Whether the app's background modes have ``BackgroundMode/remoteNotification``.
    var hasRemoteNotificationMode = true
    /// Whether `content-available` reaches it (`DeviceBehaviour#From-APNs-to-the-device`).
    var canBeWoken: Bool {
        appState == .foreground || appState != .forceQuit && hasRemoteNotificationMode
    }

    package init() {}

    /// Throws if a platform has no use for what is set.
    func check(on platform: Platform) throws(InputError) {
        try permissions.check(on: platform, at: "/permissions")
        guard platform == .tvOS else { return }
        let set = [
            ("categories", !categories.isEmpty), ("sounds", !sounds.isEmpty),
            ("serviceExtension", serviceExtension != nil),
        ]
        for (name, isSet) in set where isSet {
            throw InputError(at: "/\(name)", "tvOS shows badges alone, and has no \(name): expected it to be left out")
        }
        guard presentInForeground.isSubset(of: [.badge]) else {
            throw InputError(at: "/presentInForeground", "tvOS shows badges alone", allowed: ["badge"])
        }
    }

    /// What is unusual about the app's strings without being an error, a sentence each.
    var warnings: [String] {
        localization.tables.sorted { $0.key < $1.key }
            .flatMap { tag, file in file.warnings.map { "strings of \(tag), \($0)" } }
    }
}

extension AppPresentation {
    package static let fields: Fields<AppPresentation> = [
        Field(
            "appState", \.appState, "Whether the app runs, and where.", default: .suspended, uses: .clearable),
        Field(
            Member("permissions", NotificationPermissions.form, summary: "What the user lets its notifications do."),
            shown: .object(NotificationPermissions.fields.showing), uses: .clearable, json: { $0.permissions.json },
            set: { app, reader throws(InputError) in
                try app.permissions.apply(reader["permissions"], at: reader.place("permissions"))
            }),
        Field(
            "presentInForeground", \.presentInForeground,
            "What of a notification appears while the app is in the foreground.", default: [],
            form: .array(of: ForegroundOption.form, 0...optionsMax), uses: .clearable),
        Field(
            "appName", \.appName,
            "The name under its icon and above its notifications; null for one derived from its topic.", default: nil,
            uses: .clearable),
        Field(
            Member(
                "sounds", .array(of: .named("Sound", RegisteredSound.form), 0...RegisteredSound.soundsMax),
                summary: "The sound files in its bundle."),
            uses: .clearable, json: { .array($0.sounds.map(\.json)) },
            set: { app, reader throws(InputError) in app.sounds = try RegisteredSound.all(reader) }),
        Field(
            Member(
                "categories", .array(of: .named("Category", .object(NotificationCategory.schema)), 0...categoriesMax),
                summary: "The categories of notifications that it has registered."),
            uses: .clearable, json: { .array($0.categories.map(\.json)) },
            set: { app, reader throws(InputError) in
                app.categories = try reader.elements("categories", called: "category", NotificationCategory.init)
            }),
        Field(
            Member(
                "strings", .map(of: .either(.anyText, .map(of: .anyText)), countMax: Localization.tablesMax),
                summary: "For each language the text of a strings file, or an object of strings."),
            shown: .map(of: .anyText), uses: .clearable,
            json: { .object(sorting: $0.localization.tables) { .string($0.text) } },
            set: { app, reader throws(InputError) in app.localization.tables = try Localization.tables(reader) }),
        Field(
            Member(
                "developmentLanguage", .anyText, summary: "The language of its strings when no other fits.",
                default: .string(Localization.defaultLanguage)),
            uses: .clearable, json: { .string($0.localization.developmentLanguage) },
            set: { app, reader throws(InputError) in
                let language = reader.text("developmentLanguage") ?? Localization.defaultLanguage
                app.localization.developmentLanguage = try Localization.tag(
                    checked: language, at: reader.place("developmentLanguage"))
            }),
        Field(
            "serviceExtension", \.serviceExtension,
            "Its notification service extension, by what that does to a payload.", default: nil, uses: .clearable),
        Field(
            Member(
                "focusFilter", .map(of: .array(of: .anyText, 0...1000), countMax: 100),
                summary: "For each Focus the filter-criteria that pass.", isNullByDefault: true),
            shown: .nullable(.map(of: .array(of: .anyText))), uses: .clearable,
            json: { $0.focusFilter.map { .object(sorting: $0) { .texts($0) } } ?? .null },
            set: { app, reader in
                app.focusFilter = reader["focusFilter"]?.object?.reduce(into: [:]) { filter, member in
                    filter[member.name] = (member.value.array ?? []).compactMap(\.string)
                }
            }),
        Field(
            "reportsCalls", \.reportsCalls, "Whether the app reports a call for each VoIP push.", default: true,
            uses: .clearable),
        Field(
            "frequentUpdates", \.frequentUpdates,
            "Whether the app's NSSupportsLiveActivitiesFrequentUpdates lifts the activity budget.", default: false,
            uses: .clearable),
        Field(
            "backgroundFetch", \.backgroundFetch, "How the app answers when it is woken.", default: BackgroundFetch(),
            isDefaultSaid: false, uses: .clearable),
        Field(
            Member(
                "backgroundModes", .array(of: .choice(BackgroundMode.self), 0...BackgroundMode.allCases.count),
                summary: "The app's UIBackgroundModes: content-available wakes it only with remote-notification.",
                default: .texts(BackgroundMode.allCases.map(\.rawValue))),
            shown: .array(of: .anyText), uses: .clearable,
            json: { .texts($0.hasRemoteNotificationMode ? [BackgroundMode.remoteNotification.rawValue] : []) },
            set: { app, reader in
                let modes = reader.texts("backgroundModes")
                app.hasRemoteNotificationMode = modes?.contains(BackgroundMode.remoteNotification.rawValue) ?? true
            }),
    ]

    private static let optionsMax = 1000
    private static let categoriesMax = 100
}

extension AppState: DocumentValue {
    package static let form = Form.named("AppState", .choice(AppState.self))
}

extension ForegroundOption: DocumentValue {
    package static let form = Form.named("ForegroundOption", .choice(ForegroundOption.self))
}
