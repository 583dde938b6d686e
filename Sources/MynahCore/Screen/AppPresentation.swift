package import APNsRules

/// What an app's registration says about its notifications: permissions, sounds, categories, strings (`Documents`).
///
/// A device keeps one only for an app that was configured; a push to any other is shown as by `AppPresentation()`.
package struct AppPresentation: Sendable, Hashable {
    /// Where the app runs; a simulated one is suspended until somebody says otherwise.
    package var appState = AppState.suspended
    /// What the user lets it do.
    package var permissions = NotificationPermissions()
    /// What it lets the system show while it is in the foreground.
    package var presentInForeground: Set<ForegroundOption> = []
    /// The name under its icon, the title of a bare alert; `nil`: its topic stands for it.
    package var appName: String?
    /// The sound files that lie in it.
    package var sounds: [RegisteredSound] = []
    /// Its categories.
    package var categories: [NotificationCategory] = []
    /// Its strings.
    package var localization = Localization()
    /// Its notification service extension; `nil` when it has none.
    package var serviceExtension: ServiceExtension?
    /// Per name of a Focus, the `filter-criteria` that its Focus filter lets through.
    ///
    /// Under a Focus that is not named, and for notifications without `filter-criteria`, nothing is filtered
    /// (inferred).
    package var focusFilter: [String: [String]]?
    /// Whether it reports a call for each VoIP push, as it must (`DeviceBehaviour#Pushes-that-are-not-alerts`).
    package var reportsCalls = true
    /// What it does when it is woken.
    package var backgroundFetch = BackgroundFetch()

    /// An app that was not configured: the default sound, no categories, no strings, no extension.
    package init() {}

    /// What the title of a bare alert is, for an app of this topic.
    func displayName(topic: String) -> String { appName ?? topic }
}

// MARK: - JSON

extension AppPresentation {
    /// Its members in a registration, in the order in which they are printed.
    package static let schema: Schema = [
        Member("appState", .named("AppState", .choice(AppState.self))),
        Member("permissions", .named("Permissions", .object(NotificationPermissions.schema))),
        Member("presentInForeground", .array(of: .named("ForegroundOption", .choice(ForegroundOption.self)), 0...1000)),
        Member("appName", .anyText),
        Member("sounds", .array(of: .named("Sound", RegisteredSound.form), 0...RegisteredSound.soundsMax)),
        Member("categories", .array(of: .named("Category", .object(NotificationCategory.schema)), 0...100)),
        Member(
            "strings", .map(of: .either(.anyText, .map(of: .any())), countMax: Localization.tablesMax),
            "For each language the text of a strings file, or an object of strings."),
        Member("developmentLanguage", .anyText, default: "en"),
        Member("serviceExtension", .named("ServiceExtension", .object(ServiceExtension.schema))),
        Member(
            "focusFilter", .map(of: .array(of: .anyText, 0...1000), countMax: 100),
            "For each Focus the filter criteria whose notifications pass."),
        Member("reportsCalls", .bool, "Whether the app reports a call for each VoIP push.", default: true),
        Member("backgroundFetch", .named("BackgroundFetch", .object(BackgroundFetch.schema))),
    ]

    /// Reads a registration's members; what is absent has its default.
    ///
    /// - Throws: ``InputError`` whose field is a JSON pointer.
    package init(json: JSONValue) throws(InputError) {
        self.init()
        try apply(json)
    }

    /// Changes what is named, as `PATCH` does: `permissions` member by member, all else whole, `null` to the default.
    ///
    /// Nothing is changed when an error is thrown.
    /// - Throws: ``InputError`` whose field is a JSON pointer.
    package mutating func apply(_ json: JSONValue) throws(InputError) {
        let reader = try ObjectReader(json, AppPresentation.schema)
        let standard = AppPresentation()
        var changed = self
        if reader.has("appState") { changed.appState = reader.choice("appState") ?? standard.appState }
        if reader.has("permissions") {
            let given = try reader.map("permissions") { json, place throws(InputError) in
                permissions.changed(by: try ObjectReader(json, at: place, NotificationPermissions.schema))
            }
            changed.permissions = given ?? standard.permissions
        }
        if reader.has("presentInForeground") {
            let options = (reader.texts("presentInForeground") ?? []).compactMap { ForegroundOption(rawValue: $0) }
            changed.presentInForeground = Set(options)
        }
        if reader.has("appName") { changed.appName = reader.text("appName") }
        if reader.has("sounds") { changed.sounds = reader.elements("sounds").map { RegisteredSound($0.value) } }
        if reader.has("categories") { changed.categories = try NotificationCategory.read(reader) }
        if reader.has("strings") || reader.has("developmentLanguage") {
            changed.localization = try localization(reader)
        }
        if reader.has("serviceExtension") {
            changed.serviceExtension = try reader.map("serviceExtension") { json, place throws(InputError) in
                try ServiceExtension(json, at: place)
            }
        }
        if reader.has("focusFilter") {
            changed.focusFilter = reader["focusFilter"]?.object.map { members in
                Dictionary(
                    members.map { ($0.name, ($0.value.array ?? []).compactMap(\.string)) }, uniquingKeysWith: { $1 })
            }
        }
        if reader.has("reportsCalls") { changed.reportsCalls = reader.bool("reportsCalls") ?? standard.reportsCalls }
        if reader.has("backgroundFetch") {
            let given = try reader.map("backgroundFetch") { json, place throws(InputError) in
                BackgroundFetch(try ObjectReader(json, at: place, BackgroundFetch.schema))
            }
            changed.backgroundFetch = given ?? standard.backgroundFetch
        }
        self = changed
    }

    private func localization(_ reader: ObjectReader) throws(InputError) -> Localization {
        func check(_ language: String, at place: String) throws(InputError) {
            guard !Localization.isTag(Localization.tag(language)) else { return }
            throw .mismatch(.string(language), at: place, expected: "a language tag, such as en, en-GB or zh-Hant")
        }
        var language = localization.developmentLanguage
        if reader.has("developmentLanguage") {
            language = reader.text("developmentLanguage") ?? Localization.defaultLanguage
            try check(language, at: reader.place("developmentLanguage"))
        }
        guard reader.has("strings") else {
            return Localization(tables: localization.tables, developmentLanguage: language)
        }
        var tables: [String: StringsFile] = [:]
        for (name, value, place) in reader.members("strings") {
            try check(name, at: place)
            let file: StringsFile
            do throws(StringsError) {
                file = try StringsFile(parsing: value.string ?? value.encodedText)
            } catch {
                throw InputError(at: place, "the strings can't be read: \(error)")
            }
            guard tables.updateValue(file, forKey: Localization.tag(name)) == nil else {
                throw InputError(at: place, "the language \(Localization.tag(name)) is given twice: expected it once")
            }
        }
        return Localization(tables: tables, developmentLanguage: language)
    }

    /// The members of a registration, each there, `null` where there is nothing; reading them gives the same app.
    package var members: [JSONMember] {
        let filter = focusFilter.map { filter in
            JSONValue.object(
                filter.sorted { $0.key < $1.key }.map { JSONMember($0.key, .array($0.value.map { .string($0) })) })
        }
        let strings = localization.tables.sorted { $0.key < $1.key }
            .map { JSONMember($0.key, .string($0.value.text)) }
        let options = ForegroundOption.allCases.filter { presentInForeground.contains($0) }
        return [
            JSONMember("appState", .string(appState.rawValue)),
            JSONMember("permissions", permissions.json),
            JSONMember("presentInForeground", .array(options.map { .string($0.rawValue) })),
            JSONMember("appName", .text(appName)),
            JSONMember("sounds", .array(sounds.map(\.json))),
            JSONMember("categories", .array(categories.map(\.json))),
            JSONMember("strings", .object(strings)),
            JSONMember("developmentLanguage", .string(localization.developmentLanguage)),
            JSONMember("serviceExtension", serviceExtension?.json ?? .null),
            JSONMember("focusFilter", filter ?? .null),
            JSONMember("reportsCalls", .bool(reportsCalls)),
            JSONMember("backgroundFetch", backgroundFetch.json),
        ]
    }

    /// The members as one object.
    package var json: JSONValue { .object(members) }

    /// What is odd about the app's strings and yet no error, a sentence each.
    package var warnings: [String] {
        localization.tables.sorted { $0.key < $1.key }.flatMap { tag, file in
            file.warnings.map { "strings of \(tag), \($0)" }
        }
    }
}
