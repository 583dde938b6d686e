import APNsRules
import ArgumentParser
import MynahClient
import MynahControl
import MynahCore

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Lists, makes, changes and removes simulated devices; shows what arrived on them.",
        subcommands: [
            DeviceListCommand.self, DeviceShowCommand.self, DeviceAddCommand.self, DeviceSetCommand.self,
            DeviceRemoveCommand.self, DeviceInstallCommand.self, DeviceLaunchCommand.self,
            DeviceUninstallCommand.self, DeviceAppCommand.self, DeviceScreenCommand.self, DeviceActCommand.self,
            DeviceClearCommand.self,
            DeviceBadgeCommand.self, DeviceActivityCommand.self, DeviceInboxCommand.self,
        ], defaultSubcommand: DeviceListCommand.self)

    static var columns: ListColumns {
        ListColumns([
            ListColumn("ID") { $0.cell("id") }, ListColumn("PLATFORM") { $0.cell("platform") },
            ListColumn("ENVIRONMENT") { $0.cell("environment") },
            ListColumn("STATE") { $0["online"]?.bool == true ? "online" : "offline" },
            ListColumn("POWER") { $0.cell("power") },
            ListColumn("SCOPE") { $0.cell("scope") }, ListColumn("STORED") { $0.count("stored") },
            ListColumn("APPS") { device in
                let topics = device.elements("registrations").compactMap { $0["topic"]?.string }
                return topics.isEmpty ? "-" : topics.joined(separator: ",")
            },
        ])
    }
}

struct DeviceListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the devices, by id.",
        discussion: """
              mynah device list
              mynah device ls --scope t42 --topic com.example.app
              mynah device ls --offline --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Option(help: .parameter("scope", of: "listDevices", "; repeatable, like all filters")) var scope: [String] = []
    @Option(help: .parameter("fleet", of: "listDevices")) var fleet: [String] = []
    @Option(help: .parameter("user", of: "listDevices")) var user: [String] = []
    @Option(help: .parameter("topic", of: "listDevices")) var topic: [String] = []
    @Option(help: .parameter("token", of: "listDevices")) var token: [String] = []
    @Option(help: .parameter("platform", of: "listDevices")) var platform: [String] = []
    @Option(help: .parameter("environment", of: "listDevices")) var environment: [String] = []
    @Option(help: .parameter("power", of: "listDevices")) var power: [String] = []
    @Flag(help: .parameter("online", of: "listDevices")) var network: [DeviceOptions.Network] = []
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        try refuse(network.contradiction.map { $0 + ", or none for all devices" })
    }

    func run() async throws {
        let filters = [QueryItem](given: [
            "scope": scope, "fleet": fleet, "user": user, "topic": topic, "token": token, "platform": platform,
            "environment": environment, "power": power, "online": network.value,
        ])
        var devices: [JSONValue] = []
        try await server.documents().forEachDevice(filters) { device in
            if json { try Terminal.out(device.encodedText) } else { devices.append(device) }
        }
        if !json { try Terminal.out(devices, asJSON: false, in: DeviceCommand.columns) }
    }
}

struct DeviceShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one device as JSON, with its apps and their tokens.",
        discussion: "  mynah device show kims-phone")

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getDevice")) var id: String
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws { try Terminal.out(try await server.documents().device(id).encodedText) }
}

/// The properties of a device that can be set at any time.
struct DeviceOptions: ParsableArguments {
    @Option(help: .member("name", of: DevicePatch.schema)) var name: String?
    @Option(help: .member("osVersion", of: DevicePatch.schema)) var osVersion: String?
    @Option(help: .member("locale", of: DevicePatch.schema)) var locale: String?
    @Option(help: .member("languages", of: DevicePatch.schema)) var language: [String] = []
    @Flag(help: .member("online", of: DevicePatch.schema)) var network: [Network] = []
    @Option(help: .member("power", of: DevicePatch.schema)) var power: String?
    @Option(help: .member("focus", of: DevicePatch.schema)) var focus: String?
    @Option(help: .member("focus.apps", of: DevicePatch.schema, ", with --focus", value: "topic"))
    var focusApp: [String] = []
    @Option(help: .member("focus.people", of: DevicePatch.schema, ", with --focus", value: "name"))
    var focusPerson: [String] = []
    @Option(help: .member("user", of: DevicePatch.schema)) var user: String?
    @Flag(help: .member("locked", of: DevicePatch.schema)) var lock: [Lock] = []
    @Flag(help: .member("muted", of: DevicePatch.schema)) var sound: [Sound] = []
    @Option(help: .member("watch", of: DevicePatch.schema)) var watch: WatchState?

    @Option(help: .member("summary.times", of: DevicePatch.schema, ", with --summary-app"))
    var summaryTime: [String] = []
    @Option(help: .member("summary.apps", of: DevicePatch.schema, value: "topic"))
    var summaryApp: [String] = []

    enum Network: EnumerableFlag { case online, offline }
    enum Lock: EnumerableFlag { case locked, unlocked }
    enum Sound: EnumerableFlag { case muted, unmuted }

    enum WatchState: String, CaseIterable, ExpressibleByArgument {
        case worn, locked, offWrist
        /// The two members of a device's change that one word sets.
        var json: JSONValue { ["worn": .bool(self != .offWrist), "locked": .bool(self != .worn)] }
    }

    func validate() throws {
        try refuse(network.contradiction ?? lock.contradiction ?? sound.contradiction)
        try require(
            focus != nil || focusApp.isEmpty && focusPerson.isEmpty,
            "--focus-app and --focus-person belong to a Focus: expected --focus as well")
        try require(
            summaryTime.isEmpty == summaryApp.isEmpty,
            "a summary has times and apps: expected --summary-time and --summary-app")
    }

    private func focusDocument(_ name: String) -> JSONValue {
        focusApp.isEmpty && focusPerson.isEmpty
            ? .string(name)
            : ["name": .string(name), "apps": .texts(focusApp), "people": .texts(focusPerson)]
    }

    var members: [JSONMember] {
        [JSONMember](given: [
            "name": name, "osVersion": osVersion, "locale": locale,
            "languages": language, "power": power,
            "focus": focus.map { focusDocument($0) },
            "user": user,
            "online": network.value, "locked": lock.value, "muted": sound.value, "watch": watch?.json,
            "summary": summaryTime.isEmpty
                ? JSONValue?.none : ["times": .texts(summaryTime), "apps": .texts(summaryApp)],
        ])
    }
}

struct DeviceAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Makes a device, or many with --count; prints ids and tokens.",
        discussion: """
            One line per app: the device's id, the token, the topic, with spaces between
            them. The token is - for an app that has none yet, as on a device that APNs
            does not reach.

              mynah device add kims-phone --app com.example.app
              mynah device add --app com.example.app --app com.example.app.voip --power low
              mynah device add fleet --count 1000 --app com.example.app --scope load
            """, aliases: ["create"])

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The device") var traits: DeviceOptions
    @Argument(help: .member("id", of: DeviceSpecification.schema)) var id: String?
    @Option(help: .member("model", of: DeviceSpecification.schema)) var model: String?
    @Option(help: .member("platform", of: DeviceSpecification.schema)) var platform: String?
    @Option(help: .member("environment", of: DeviceSpecification.schema)) var environment: String?
    @Option(help: .member("scope", of: DeviceSpecification.schema)) var scope: String?
    @Option(help: .parameter("topic", of: "listDevices", "; repeatable", value: "topic")) var app: [String] = []
    @Option(help: .member("count", of: DeviceSpecification.schema)) var count: Int?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let registrations = JSONValue.array(app.map { ["topic": .string($0)] })
        let members =
            [JSONMember](given: [
                "id": id, "model": model, "platform": platform, "environment": environment, "scope": scope,
                "count": count, "registrations": app.isEmpty ? JSONValue?.none : registrations,
            ]) + traits.members
        let answer = try await server.documents().addDevice(.object(members))
        guard !json else { return try Terminal.out(answer.encodedText) }
        let devices = answer["items"]?.array ?? [answer]
        for line in devices.flatMap(DeviceAddCommand.lines) { try Terminal.out(PrintableText.text(line)) }
        if let made = answer["matched"]?.integer, let shown = answer["items"]?.array?.count, made > shown {
            Terminal.error("\(made) devices were made; mynah device list shows them all")
        }
    }

    /// Id, token and topic for each app of a device; the id of a device without apps.
    private static func lines(_ device: JSONValue) -> [String] {
        let id = device.text("id")
        let apps = device.elements("registrations")
        guard !apps.isEmpty else { return [id] }
        return apps.map { "\(id) \($0.cell("token")) \($0.text("topic"))" }
    }
}

struct DeviceSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes a device, or all of a user; --online delivers stored pushes.",
        discussion: """
              mynah device set kims-phone --offline
              mynah device set kims-phone --online --power low
              mynah device set kims-phone --focus Work
              mynah device set kims-phone --focus Work --focus-person Kim
              mynah device set kims-phone --no-focus
              mynah device set kims-phone --locked --watch worn
              mynah device set kims-phone --muted
              mynah device set pad --summary-time 08:00 --summary-app com.example.app
              mynah device set --of-user kim --offline
            """, aliases: ["update"])

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The device") var traits: DeviceOptions
    @Argument(help: .parameter("id", of: "getDevice")) var id: String?
    @Option(help: "Change all devices of this user, in place of one.") var ofUser: String?
    @Flag(help: "Turn the Focus off.") var noFocus = false
    @Flag(help: "Unpair the watch.") var noWatch = false
    @Flag(help: "Have no scheduled summary.") var noSummary = false
    @Flag(help: "Print the answer as JSON.") var json = false

    func validate() throws {
        try require(
            !change.isEmpty, "nothing to change: expected --offline, --power low or the like")
        try require(!noFocus || traits.focus == nil, "--focus and --no-focus: give one of them")
        try require(!noWatch || traits.watch == nil, "--watch and --no-watch: give one of them")
        try require(!noSummary || traits.summaryTime.isEmpty, "--summary-time and --no-summary: give one of them")
        try require(id == nil || ofUser == nil, "a device's id and --of-user: give one of them")
        try require(id != nil || ofUser != nil, "expected a device's id or --of-user")
    }

    private var change: [JSONMember] {
        traits.members
            + [(noFocus, "focus"), (noWatch, "watch"), (noSummary, "summary")].filter(\.0).map {
                JSONMember($0.1, .null)
            }
    }

    func run() async throws {
        let client = try server.client()
        if let id {
            let device = try await client.documents.changeDevice(id, .object(change))
            try Terminal.out([device], asJSON: json, in: DeviceCommand.columns)
        } else if let ofUser {
            let changed = try await client.documents.changeDevices([QueryItem("user", ofUser)], .object(change))
            let count = changed["changed"]?["devices"]?.integer ?? 0
            try Terminal.out(changed, asJSON: json) { _ in "changed \(count) device\(count == 1 ? "" : "s")" }
        }
    }
}

struct DeviceRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes devices and the pushes that wait for them.",
        discussion: """
              mynah device remove kims-phone
              mynah device rm kims-phone lees-pad
            """, aliases: ["delete", "rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "deleteDevice", "; repeatable")) var ids: [String]
    @Flag(help: "Print what was removed as JSON.") var json = false

    func validate() throws {
        try requireIDs(ids, of: "devices")
    }

    func run() async throws {
        let client = try server.client()
        for id in ids { try Terminal.out(try await client.documents.removeDevice(id), asJSON: json) }
    }
}

struct AppOptions: ParsableArguments {
    @Argument(help: .parameter("id", of: "getDevice")) var id: String
    @Argument(help: .member("topic", of: RegistrationSpecification.schema)) var topic: String
    @Option(help: .member("environment", of: RegistrationSpecification.schema)) var environment: String?

    /// The place of the app's registration.
    var target: String {
        let path = ["devices", id, "registrations", topic].map(QueryItem.encoded).joined(separator: "/")
        return QueryItem.target("/v1/" + path, [QueryItem](given: ["environment": environment]))
    }

    /// Installs or launches the app, and prints its token.
    func register(_ further: [JSONMember] = [], on server: ServerOptions, asJSON: Bool) async throws {
        let members = [JSONMember](given: ["topic": topic, "environment": environment]) + further
        try Terminal.out(try await server.documents().registerApp(on: id, .object(members)), asJSON: asJSON) { app in
            app["webPush"].flatMap { $0 == .null ? nil : $0.encodedText } ?? app.cell("token")
        }
    }
}

struct DeviceInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Installs and launches an app on a device; prints its token, or - without one.",
        discussion: """
            An installed app keeps its token. An app gets its first token when it is
            launched.

              mynah device install kims-phone com.example.app
              mynah device install kims-phone com.example.app --not-launched
              mynah device install kims-phone com.example.app --rotate reinstall

            With --application-server-key, the topic is the origin of a web app, and its
            subscription is printed as a browser hands it out:

              mynah device install kims-phone https://shop.example \\
                  --application-server-key BNfJG… > subscription.json
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var app: AppOptions
    @Option(help: .member("token", of: RegistrationSpecification.schema)) var token: String?
    @Option(help: .member("rotate", of: RegistrationSpecification.schema)) var rotate: String?
    @Option(help: .member("applicationServerKey", of: RegistrationSpecification.schema))
    var applicationServerKey: String?
    @Flag(help: "Do not launch it, so that it has no token yet.") var notLaunched = false
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        let launched: JSONValue? = notLaunched ? .some(.bool(false)) : .none
        let kind = applicationServerKey.map { _ in RegistrationKind.web.rawValue }
        let members = [JSONMember](given: [
            "token": token, "rotate": rotate, "launched": launched, "kind": kind,
            "applicationServerKey": applicationServerKey,
        ])
        try await app.register(members, on: server, asJSON: json)
    }
}

struct DeviceLaunchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Launches an app on a device; prints its token, or - without one.",
        discussion: """
            The app must be on the device; mynah device install installs and launches one.

              mynah device launch kims-phone com.example.app
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var app: AppOptions
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        let known = try await server.client().json("GET", app.target)
        guard known["state"]?.string != RegistrationState.unregistered.rawValue else {
            throw CommandFailure(
                .notFound,
                "\(app.topic) is not on \(app.id) any more: expected an app that is installed, as by mynah device install"
            )
        }
        try await app.register(on: server, asJSON: json)
    }
}

struct DeviceUninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Removes an app from a device; its token is Unregistered from then on.",
        discussion: "  mynah device uninstall kims-phone com.example.app")

    @OptionGroup var server: ServerOptions
    @OptionGroup var app: AppOptions
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        let client = try server.client()
        let removed = try await client.documents.uninstallApp(
            on: app.id, topic: app.topic, environment: app.environment)
        try Terminal.out(removed, asJSON: json)
    }
}

struct DeviceAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Shows or changes an app's settings: permissions, state, background refresh.",
        discussion: """
            The settings have the names of the control API; a value that isn't a word or a
            number is JSON, and null restores the default. Without any, all are printed.

              mynah device app kims-phone com.example.app
              mynah device app kims-phone com.example.app permissions.liveActivities=false
              mynah device app kims-phone com.example.app permissions.alertStyle=none \\
                  appState=foreground

            Settings:

            \(TextTable.wrapped(names, indent: 2, width: 79).joined(separator: "\n"))
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var app: AppOptions
    @Argument(
        help: .value("name=value", "A setting and its value, repeatable."),
        transform: NamedValue.reading("a setting, = and a value, like permissions.sound=false"))
    var settings: [NamedValue] = []
    @Flag(help: "Print the app as JSON.") var json = false

    /// The settings with their forms; those of an object have its name in front.
    private static let forms: [(name: String, form: Form)] = AppPatch.schema.members.flatMap { member in
        guard member.name == "permissions", let schema = member.form.schema else { return [(member.name, member.form)] }
        return schema.members.map { ("\(member.name).\($0.name)", $0.form) }
    }
    static var names: [String] { forms.map(\.name) }

    func run() async throws {
        let change = try change()
        let client = try server.client()
        let answer =
            settings.isEmpty
            ? try await client.json("GET", app.target) : try await client.json("PATCH", app.target, body: change)
        guard !json else { return try Terminal.out(answer.encodedText) }
        let values = DeviceAppCommand.names.map { name -> JSONValue in
            let value = name.split(separator: ".").reduce(answer) { $0[String($1)] ?? .null }
            return ["name": .string(name), "value": .string(value.string ?? value.encodedText)]
        }
        let columns = ListColumns([ListColumn("SETTING") { $0.text("name") }, ListColumn("VALUE") { $0.text("value") }])
        try Terminal.out(values, asJSON: false, in: columns)
    }

    func change() throws(InputError) -> JSONValue {
        var members: [JSONMember] = []
        for setting in settings {
            guard let form = DeviceAppCommand.forms.first(where: { $0.name == setting.name })?.form else {
                throw .unknown("setting", setting.name, at: "", among: DeviceAppCommand.names)
            }
            let parts = setting.name.split(separator: ".").map(String.init)
            let value = form.value(of: setting.value)
            guard parts.count == 2 else {
                members.append(JSONMember(parts[0], value))
                continue
            }
            let place = members.firstIndex { $0.name == parts[0] } ?? members.endIndex
            if place == members.endIndex { members.append(JSONMember(parts[0], .object([]))) }
            members[place] = JSONMember(
                parts[0], .object((members[place].value.object ?? []) + [JSONMember(parts[1], value)]))
        }
        let document = JSONValue.object(members)
        do throws(InputError) { _ = try AppPatch(json: document) } catch {
            throw error.at(error.field.split(separator: "/").joined(separator: "."))
        }
        return document
    }
}

extension Form {
    fileprivate var schema: Schema? {
        switch self {
        case .object(let schema): schema
        case .nullable(let form), .named(_, let form), .described(let form, _): form.schema
        default: nil
        }
    }

    /// A word of the command line as JSON of this form, which isn't checked.
    fileprivate func value(of text: String) -> JSONValue {
        switch self {
        case .text, .name, .choice: text == "null" ? .null : .string(text)
        case .nullable(let form), .named(_, let form), .described(let form, _): form.value(of: text)
        default: (try? JSONValue(parsing: text)) ?? .string(text)
        }
    }
}

struct DeviceScreenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen", abstract: "Prints what a device's user sees, the top of the screen first.",
        discussion: """
              mynah device screen kims-phone
              mynah device screen kims-phone --json
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getDevice")) var id: String
    @Flag(help: "Print the screen as JSON.") var json = false

    func run() async throws {
        let screen = try await server.documents().screen(of: id)
        guard !json else { return try Terminal.out(screen.encodedText) }
        let notifications = screen.elements("notifications").map { notification in
            let texts = ["title", "subtitle", "body"].compactMap { notification[$0]?.string }
            return "#\(notification["sequence"]?.encodedText ?? "") \(notification.text("topic"))  "
                + texts.joined(separator: " · ")
        }
        let activities = screen.elements("activities").map { activity in
            "activity \(activity.text("id")) \(activity.text("topic")) \(activity.text("state"))  "
                + (activity["contentState"]?.encodedText ?? "")
        }
        let badges = (screen["badges"]?.object ?? []).map { "badge \($0.name): \($0.value.encodedText)" }
        for line in activities + notifications + badges { try Terminal.out(PrintableText.text(line)) }
    }
}

struct DeviceActCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act", abstract: "Opens or dismisses a notification, or chooses one of its actions, as the user.",
        discussion: """
            Prints what the app is told as JSON; null for a dismissal that the
            notification's category doesn't ask for.

              mynah device act kims-phone 42
              mynah device act kims-phone 42 dismiss
              mynah device act kims-phone 42 REPLY --text "On my way"
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getDevice")) var id: String
    @Argument(help: .parameter("sequence", of: "actOnNotification")) var sequence: Int
    @Argument(help: .member("action", of: RequestSchemas.userAction.schema)) var action = "default"
    @Option(help: .member("text", of: RequestSchemas.userAction.schema)) var text: String?
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        let members = [JSONMember](given: ["action": action, "text": text])
        let told = try await server.documents().act(on: id, sequence: sequence, .object(members))
        try Terminal.out(told.encodedText)
    }
}

struct DeviceClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Removes notifications from a screen, as their apps or the user does.",
        discussion: """
            All of them, or those that match; no app is told.

              mynah device clear kims-phone
              mynah device clear kims-phone --topic com.example.app --identifier game
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getDevice")) var id: String
    @Option(help: .parameter("topic", of: "clearScreen", "; repeatable, like all filters")) var topic: [String] = []
    @Option(help: .parameter("identifier", of: "clearScreen")) var identifier: [String] = []
    @Flag(help: "Print what was removed as JSON.") var json = false

    func run() async throws {
        let filters = [QueryItem](given: ["topic": topic, "identifier": identifier])
        try Terminal.out(try await server.documents().clearScreen(of: id, filters), asJSON: json)
    }
}

struct DeviceBadgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge", abstract: "Sets or removes the number on an app's icon, as the app does.",
        discussion: """
              mynah device badge kims-phone com.example.app 3
              mynah device badge kims-phone com.example.app 0
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getDevice")) var id: String
    @Argument(help: .parameter("topic", of: "getRegistration")) var topic: String
    @Argument(help: "The number; 0 removes it.") var badge: Int
    @Flag(help: "Print the screen as JSON.") var json = false

    func run() async throws {
        let screen = try await server.documents().setBadge(badge, of: topic, on: id)
        if json { try Terminal.out(screen.encodedText) }
    }
}

struct DeviceInboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox", abstract: "Prints what arrived on a device as JSON lines, in the order of arrival.",
        discussion: """
            The newest 1000 at most. With --wait it waits until --count are there.

              mynah device inbox kims-phone
              mynah device inbox kims-phone --kind voip --wait 5s
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getDevice")) var id: String
    @Option(help: .parameter("kind", of: "listInbox", "; repeatable, like all filters")) var kind: [String] = []
    @Option(help: .parameter("topic", of: "listInbox")) var topic: [String] = []
    @Option(help: .parameter("after", of: "listInbox", value: "sequence")) var after: Int?
    @Option(help: .parameter("wait", of: "listInbox", value: "duration")) var wait: String?
    @Option(help: .parameter("count", of: "listInbox")) var count: Int?
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        let query = [QueryItem](given: [
            "limit": 1000, "kind": kind, "topic": topic, "after": after, "wait": wait, "count": count,
        ])
        let documents = try server.documents()
        let page = try await documents.inbox(of: id, query)
        for item in try documents.items(of: page, called: "arrivals") { try Terminal.out(item.encodedText) }
        let evicted = page["evicted"]?.integer ?? 0
        if evicted > 0 { Terminal.error("\(evicted) further arrivals are no longer in the journal") }
    }
}
