package import APNsRules

/// What an app's registration says about its notifications: permissions, sounds, categories, strings (`Documents`).
///
/// A device keeps one only for an app that was configured; a push to any other is shown as by `AppPresentation()`.
package struct AppPresentation: Sendable, Hashable {
    /// Focus modes that an app has filters for; more are an error.
    package static let focusFiltersMax = 100
    /// Criteria of one filter; more are an error.
    package static let criteriaMax = 1000

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
    /// The names of its members in a registration, in the order in which they are printed.
    package static let names = [
        "appState", "permissions", "presentInForeground", "appName", "sounds", "categories", "strings",
        "developmentLanguage", "serviceExtension", "focusFilter", "reportsCalls", "backgroundFetch",
    ]

    /// Reads a registration; what is absent has its default.
    ///
    /// - Parameters:
    ///   - json: The registration's object.
    ///   - pointer: Where it is in the request's body, for errors.
    ///   - besides: Members that the caller reads itself, such as `topic`.
    /// - Throws: ``QueryError`` whose field is a JSON pointer.
    package init(
        json: JSONValue, at pointer: JSONPointer = JSONPointer(steps: []), besides: [String] = []
    ) throws(QueryError) {
        self.init()
        try apply(json, at: pointer, besides: besides)
    }

    /// Changes what is named, as `PATCH` does: `permissions` member by member, all else whole, `null` to the default.
    ///
    /// Nothing is changed when an error is thrown.
    ///
    /// - Throws: ``QueryError`` whose field is a JSON pointer.
    package mutating func apply(
        _ json: JSONValue, at pointer: JSONPointer = JSONPointer(steps: []), besides: [String] = []
    ) throws(QueryError) {
        let reader = try MemberReader(json, at: pointer, names: AppPresentation.names + besides)
        var changed = self
        try changed.applyBehaviour(reader)
        try changed.applyContents(reader)
        self = changed
    }

    private mutating func applyBehaviour(_ reader: MemberReader) throws(QueryError) {
        let standard = AppPresentation()
        if reader.has("appState") { appState = try reader.choice("appState") ?? standard.appState }
        if reader.has("permissions") {
            if let json = reader.value("permissions") {
                try permissions.apply(json, at: reader.place("permissions"))
            } else {
                permissions = standard.permissions
            }
        }
        if reader.has("presentInForeground") {
            presentInForeground = []
            for (value, place) in try reader.elements(
                "presentInForeground", max: AppPresentation.criteriaMax) ?? []
            {
                presentInForeground.insert(try MemberReader.choice(value, at: place))
            }
        }
        if reader.has("focusFilter") { focusFilter = try AppPresentation.focusFilter(reader) }
        if reader.has("reportsCalls") { reportsCalls = try reader.truth("reportsCalls") ?? standard.reportsCalls }
        if reader.has("backgroundFetch") {
            backgroundFetch = BackgroundFetch()
            if let json = reader.value("backgroundFetch") {
                backgroundFetch = try BackgroundFetch(json, at: reader.place("backgroundFetch"))
            }
        }
    }

    private mutating func applyContents(_ reader: MemberReader) throws(QueryError) {
        if reader.has("appName") { appName = try reader.text("appName") }
        if reader.has("sounds") {
            sounds = []
            for (value, place) in try reader.elements("sounds", max: RegisteredSound.soundsMax) ?? [] {
                sounds.append(try RegisteredSound(value, at: place))
            }
        }
        if reader.has("categories") {
            let elements = try reader.elements("categories", max: NotificationCategory.categoriesMax) ?? []
            categories = try NotificationCategory.read(elements)
        }
        if reader.has("strings") || reader.has("developmentLanguage") {
            var language: String? = localization.developmentLanguage
            if reader.has("developmentLanguage") {
                language = try reader.text("developmentLanguage")
                try AppPresentation.check(language, at: reader.place("developmentLanguage"))
            }
            let tables = reader.has("strings") ? try AppPresentation.tables(reader) : localization.tables
            localization = Localization(
                tables: tables, developmentLanguage: language ?? Localization.defaultLanguage)
        }
        if reader.has("serviceExtension") {
            serviceExtension = nil
            if let json = reader.value("serviceExtension") {
                serviceExtension = try ServiceExtension(json, at: reader.place("serviceExtension"))
            }
        }
    }

    // Each language a file's text, or an object of strings.
    private static func tables(_ reader: MemberReader) throws(QueryError) -> [String: StringsFile] {
        var tables: [String: StringsFile] = [:]
        for (name, value, place) in try reader.members("strings", max: Localization.tablesMax) ?? [] {
            let text: String
            switch value {
            case .string(let given): text = given
            case .object: text = value.encodedText
            default:
                throw QueryError(
                    place.description,
                    "\(value.kind) was given; the text of a strings file or an object of strings was expected")
            }
            try check(name, at: place)
            let file: StringsFile
            do throws(StringsError) {
                file = try StringsFile(parsing: text)
            } catch {
                throw QueryError(place.description, "the strings cannot be read: \(error)")
            }
            guard tables.updateValue(file, forKey: Localization.tag(name)) == nil else {
                throw QueryError(place.description, "the language \(Localization.tag(name)) is there twice")
            }
        }
        return tables
    }

    private static func check(_ language: String?, at place: JSONPointer) throws(QueryError) {
        guard let language, !Localization.isTag(Localization.tag(language)) else { return }
        throw QueryError(place.description, "\"\(language)\" is no language tag; en, en-GB or zh-Hant was expected")
    }

    private static func focusFilter(_ reader: MemberReader) throws(QueryError) -> [String: [String]]? {
        guard let members = try reader.members("focusFilter", max: focusFiltersMax) else { return nil }
        var filter: [String: [String]] = [:]
        for (name, value, place) in members {
            guard let elements = value.array, elements.count <= criteriaMax else {
                throw QueryError(
                    place.description, "an array of at most \(criteriaMax) filter criteria was expected")
            }
            filter[name] = try MemberReader.texts(
                elements.enumerated().map { ($1, place.appending(String($0))) })
        }
        return filter
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
