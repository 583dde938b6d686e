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
package struct AppPresentation: Sendable, Hashable {
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
    /// Whether it reports a call for each VoIP push, as it must (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    var reportsCalls = true
    /// Whether it supports frequent updates of its Live Activities (`DeviceBehaviour#Live-Activities`).
    var frequentUpdates = false
    /// Whether pushes of priority 10 to its Live Activities have no budget.
    var takesFrequentPushes: Bool { frequentUpdates && permissions.frequentPushes }
    var backgroundFetch = BackgroundFetch()
    /// Whether its background modes have ``BackgroundMode/remoteNotification``.
    var hasRemoteNotificationMode = true
    /// Whether `content-available` reaches it (`DeviceBehaviour#From-APNs-to-the-device`).
    var canBeWoken: Bool {
        appState == .foreground || appState != .forceQuit && hasRemoteNotificationMode
    }

    package static let schema = Schema(AppMember.all.map(\.member))

    /// Changes what is given, as `PATCH` does: `permissions` member by member, all else whole, `null` to the default;
    /// changes nothing if it throws.
    mutating func apply(_ json: JSONValue) throws(InputError) {
        let reader = try ObjectReader(json, AppPresentation.schema)
        var changed = self
        for member in AppMember.all where reader.has(member.member.name) { try member.apply(&changed, reader) }
        self = changed
    }

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

    /// The members of a registration, with `null` for what is absent; reading them gives the same app.
    var members: [JSONMember] { AppMember.all.map { JSONMember($0.member.name, $0.json(self)) } }

    /// What is unusual about the app's strings without being an error, a sentence each.
    var warnings: [String] {
        localization.tables.sorted { $0.key < $1.key }
            .flatMap { tag, file in file.warnings.map { "strings of \(tag), \($0)" } }
    }
}

/// A member of a registration: how a given one changes an app (`null` restores the default), and how it is printed.
private struct AppMember: Sendable {
    let member: Member
    let apply: @Sendable (inout AppPresentation, ObjectReader) throws(InputError) -> Void
    let json: @Sendable (AppPresentation) -> JSONValue

    /// In the order in which they are printed.
    static let all = [
        AppMember(
            member: Member("appState", .named("AppState", .choice(AppState.self))),
            apply: { $0.appState = $1.choice("appState") ?? .suspended }, json: { .string($0.appState.rawValue) }),
        AppMember(
            member: Member("permissions", .named("Permissions", .object(NotificationPermissions.schema))),
            apply: { app, reader throws(InputError) in
                try app.permissions.apply(reader["permissions"], at: reader.place("permissions"))
            }, json: { $0.permissions.json }),
        AppMember(
            member: Member(
                "presentInForeground", .array(of: .named("ForegroundOption", .choice(ForegroundOption.self)), 0...1000)),
            apply: {
                $0.presentInForeground = Set(
                    ($1.texts("presentInForeground") ?? []).compactMap { ForegroundOption(rawValue: $0) })
            },
            json: { app in
                .texts(ForegroundOption.allCases.filter { app.presentInForeground.contains($0) }.map(\.rawValue))
            }),
        AppMember(
            member: Member("appName", .anyText, summary: "The name under its icon and above its notifications."),
            apply: { $0.appName = $1.text("appName") }, json: { .text($0.appName) }),
        AppMember(
            member: Member("sounds", .array(of: .named("Sound", RegisteredSound.form), 0...RegisteredSound.soundsMax)),
            apply: { app, reader throws(InputError) in app.sounds = try RegisteredSound.all(reader) },
            json: { .array($0.sounds.map(\.json)) }),
        AppMember(
            member: Member("categories", .array(of: .named("Category", .object(NotificationCategory.schema)), 0...100)),
            apply: { app, reader throws(InputError) in
                app.categories = try reader.elements("categories", called: "category", NotificationCategory.init)
            }, json: { .array($0.categories.map(\.json)) }),
        AppMember(
            member: Member(
                "strings", .map(of: .either(.anyText, .map(of: .any())), countMax: Localization.tablesMax),
                summary: "For each language the text of a strings file, or an object of strings."),
            apply: { app, reader throws(InputError) in app.localization.tables = try Localization.tables(reader) },
            json: { .object(sorting: $0.localization.tables) { .string($0.text) } }),
        AppMember(
            member: Member("developmentLanguage", .anyText, default: "en"),
            apply: { app, reader throws(InputError) in
                let language = reader.text("developmentLanguage") ?? Localization.defaultLanguage
                app.localization.developmentLanguage = try Localization.tag(
                    checked: language, at: reader.place("developmentLanguage"))
            }, json: { .string($0.localization.developmentLanguage) }),
        AppMember(
            member: Member("serviceExtension", .named("ServiceExtension", .object(ServiceExtension.schema))),
            apply: { app, reader throws(InputError) in
                app.serviceExtension = try reader.map("serviceExtension", ServiceExtension.init)
            }, json: { $0.serviceExtension?.json ?? .null }),
        AppMember(
            member: Member(
                "focusFilter", .map(of: .array(of: .anyText, 0...1000), countMax: 100),
                summary: "For each Focus the filter criteria whose notifications pass."),
            apply: { app, reader in
                app.focusFilter = reader["focusFilter"]?.object?.reduce(into: [:]) { filter, member in
                    filter[member.name] = (member.value.array ?? []).compactMap(\.string)
                }
            }, json: { $0.focusFilter.map { .object(sorting: $0) { .texts($0) } } ?? .null }),
        AppMember(
            member: Member(
                "reportsCalls", .bool, summary: "Whether the app reports a call for each VoIP push.", default: true),
            apply: { $0.reportsCalls = $1.bool("reportsCalls") ?? true }, json: { .bool($0.reportsCalls) }),
        AppMember(
            member: Member(
                "frequentUpdates", .bool,
                summary: "Whether the app's NSSupportsLiveActivitiesFrequentUpdates lifts the activity budget.",
                default: false),
            apply: { $0.frequentUpdates = $1.bool("frequentUpdates") ?? false }, json: { .bool($0.frequentUpdates) }),
        AppMember(
            member: Member("backgroundFetch", .named("BackgroundFetch", .object(BackgroundFetch.schema))),
            apply: { app, reader throws(InputError) in
                app.backgroundFetch = try reader.map("backgroundFetch", BackgroundFetch.init) ?? BackgroundFetch()
            }, json: { $0.backgroundFetch.json }),
        AppMember(
            member: Member(
                "backgroundModes", .array(of: .choice(BackgroundMode.self), 0...BackgroundMode.allCases.count),
                summary: "The app's UIBackgroundModes: content-available wakes it only with remote-notification.",
                default: .texts(BackgroundMode.allCases.map(\.rawValue))),
            apply: { app, reader in
                let modes = reader.texts("backgroundModes")
                app.hasRemoteNotificationMode = modes?.contains(BackgroundMode.remoteNotification.rawValue) ?? true
            },
            json: { .texts($0.hasRemoteNotificationMode ? [BackgroundMode.remoteNotification.rawValue] : []) }),
    ]
}
