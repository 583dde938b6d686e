import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Lists, makes, changes and removes simulated devices; shows what arrived on them.",
        subcommands: [
            DeviceListCommand.self, DeviceShowCommand.self, DeviceAddCommand.self, DeviceSetCommand.self,
            DeviceRemoveCommand.self, DeviceInstallCommand.self, DeviceLaunchCommand.self,
            DeviceUninstallCommand.self, DeviceScreenCommand.self, DeviceInboxCommand.self,
        ], defaultSubcommand: DeviceListCommand.self)

    static func row(_ device: JSONValue) -> String {
        let apps = device.elements("registrations").compactMap { $0["topic"]?.string }
        let stored = device["stored"]?.integer ?? 0
        return TextTable.row([
            (device.cell("id"), 24), (device.cell("platform"), 9), (device.cell("environment"), 11),
            (device["online"]?.bool == true ? "online" : "offline", 8), (device.cell("power"), 7),
            (device.cell("scope"), 12), (stored > 0 ? "\(stored) stored" : "-", 10),
            (apps.isEmpty ? "no apps" : apps.joined(separator: ","), 0),
        ])
    }

    /// An app's token, or its state without one.
    static func token(_ app: JSONValue) -> String? { app["token"]?.string ?? app["state"]?.string }
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
    @Option(help: "Devices of this scope, repeatable.") var scope: [String] = []
    @Option(help: "Devices with an app of this topic, repeatable.") var topic: [String] = []
    @Option(help: "The device with this token, repeatable.") var token: [String] = []
    @Option(help: "Devices of this platform, repeatable.") var platform: [String] = []
    @Option(help: "Devices in this environment, repeatable.") var environment: [String] = []
    @Flag(help: "Devices that APNs reaches.") var online = false
    @Flag(help: "Devices that APNs does not reach.") var offline = false
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        try require(!online || !offline, "--online and --offline: give one of them, or none for all devices")
    }

    func run() async throws {
        let filters = [QueryItem](given: [
            "scope": scope, "topic": topic, "token": token, "platform": platform, "environment": environment,
            "online": online ? "true" : offline ? "false" : nil,
        ])
        try await server.client().forEachDevice(filters) { device in
            try Terminal.out(device, asJSON: json, text: DeviceCommand.row)
        }
    }
}

struct DeviceShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one device as JSON, with its apps and their tokens.",
        discussion: "  mynah device show kims-phone")

    @OptionGroup var server: ServerOptions
    @Argument(help: "The device's id.") var id: String
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws { try Terminal.out(try await server.client().device(id).encodedText) }
}

/// The properties of a device that can be set at any time.
struct DeviceOptions: ParsableArguments {
    @Option(help: .member("name", of: DevicePatch.schema)) var name: String?
    @Option(help: .member("osVersion", of: DevicePatch.schema)) var osVersion: String?
    @Option(help: .member("locale", of: DevicePatch.schema)) var locale: String?
    @Flag(help: "APNs reaches the device.") var online = false
    @Flag(help: "APNs does not reach the device: pushes and new apps wait.") var offline = false
    @Option(help: .member("power", of: DevicePatch.schema)) var power: String?
    @Option(help: .member("focus", of: DevicePatch.schema)) var focus: String?

    func validate() throws { try require(!online || !offline, "--online and --offline: give one of them") }

    var members: [JSONMember] {
        [JSONMember](given: [
            "name": name, "osVersion": osVersion, "locale": locale, "power": power, "focus": focus,
            "online": online || offline ? JSONValue.bool(online) : nil,
        ])
    }
}

struct DeviceAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Makes a device, or many with --count; prints ids and tokens.",
        discussion: """
            One line per app: the device's id, the token, the topic.

              mynah device add kims-phone --app com.example.app
              mynah device add --app com.example.app --app com.example.app.voip --power low
              mynah device add fleet --count 1000 --app com.example.app --scope load
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The device") var traits: DeviceOptions
    @Argument(help: .member("id", of: DeviceSpecification.schema)) var id: String?
    @Option(help: .member("model", of: DeviceSpecification.schema)) var model: String?
    @Option(help: .member("platform", of: DeviceSpecification.schema)) var platform: String?
    @Option(help: .member("environment", of: DeviceSpecification.schema)) var environment: String?
    @Option(help: .member("scope", of: DeviceSpecification.schema)) var scope: String?
    @Option(help: .value("topic", "The topic of one of its apps, repeatable.")) var app: [String] = []
    @Option(help: .member("count", of: DeviceSpecification.schema)) var count: Int?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let registrations = JSONValue.array(app.map { ["topic": .string($0)] })
        let members =
            [JSONMember](given: [
                "id": id, "model": model, "platform": platform, "environment": environment, "scope": scope,
                "count": count, "registrations": app.isEmpty ? nil : registrations,
            ]) + traits.members
        let answer = try await server.client().addDevice(.object(members))
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
        return apps.map { "\(id) \(DeviceCommand.token($0) ?? "-") \($0.text("topic"))" }
    }
}

struct DeviceSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes a device; --online delivers stored pushes.",
        discussion: """
              mynah device set kims-phone --offline
              mynah device set kims-phone --online --power low
              mynah device set kims-phone --focus Work
              mynah device set kims-phone --no-focus
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The device") var traits: DeviceOptions
    @Argument(help: "The device's id.") var id: String
    @Flag(help: "Turn the Focus off.") var noFocus = false
    @Flag(help: "Print the device as JSON.") var json = false

    func validate() throws {
        try require(
            !traits.members.isEmpty || noFocus, "nothing to change: expected --offline, --power low or the like")
        try require(!noFocus || traits.focus == nil, "--focus and --no-focus: give one of them")
    }

    func run() async throws {
        let change = traits.members + (noFocus ? [JSONMember("focus", .null)] : [])
        let device = try await server.client().changeDevice(id, .object(change))
        try Terminal.out(device, asJSON: json, text: DeviceCommand.row)
    }
}

struct DeviceRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes devices and the pushes that wait for them.",
        discussion: """
              mynah device remove kims-phone
              mynah device rm kims-phone lees-pad
            """, aliases: ["rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: "The devices' ids.") var ids: [String]
    @Flag(help: "Print what was removed as JSON.") var json = false

    func run() async throws {
        let client = try server.client()
        for id in ids { try Terminal.out(try await client.removeDevice(id), asJSON: json) }
    }
}

struct AppOptions: ParsableArguments {
    @Argument(help: "The device's id.") var id: String
    @Argument(help: .member("topic", of: RegistrationSpecification.schema)) var topic: String
    @Option(help: .member("environment", of: RegistrationSpecification.schema)) var environment: String?

    /// Installs or launches the app, and prints its token.
    func register(_ further: [JSONMember] = [], on server: ServerOptions, asJSON: Bool) async throws {
        let members = [JSONMember](given: ["topic": topic, "environment": environment]) + further
        try Terminal.out(try await server.client().registerApp(on: id, .object(members)), asJSON: asJSON) { app in
            PrintableText.text(DeviceCommand.token(app) ?? "")
        }
    }
}

struct DeviceInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Installs and launches an app on a device; prints its token.",
        discussion: """
            An installed app keeps its token. An app gets its first token when it is
            launched.

              mynah device install kims-phone com.example.app
              mynah device install kims-phone com.example.app --not-launched
              mynah device install kims-phone com.example.app --rotate reinstall
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var app: AppOptions
    @Option(help: .member("token", of: RegistrationSpecification.schema)) var token: String?
    @Option(help: .member("rotate", of: RegistrationSpecification.schema)) var rotate: String?
    @Flag(help: "Do not launch it, so that it has no token yet.") var notLaunched = false
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        let launched = notLaunched ? JSONValue.bool(false) : nil
        let members = [JSONMember](given: ["token": token, "rotate": rotate, "launched": launched])
        try await app.register(members, on: server, asJSON: json)
    }
}

struct DeviceLaunchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Launches an app on a device; prints its token.",
        discussion: "  mynah device launch kims-phone com.example.app")

    @OptionGroup var server: ServerOptions
    @OptionGroup var app: AppOptions
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws { try await app.register(on: server, asJSON: json) }
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
        let removed = try await client.uninstallApp(on: app.id, topic: app.topic, environment: app.environment)
        try Terminal.out(removed, asJSON: json)
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
    @Argument(help: "The device's id.") var id: String
    @Flag(help: "Print the screen as JSON.") var json = false

    func run() async throws {
        let screen = try await server.client().screen(of: id)
        guard !json else { return try Terminal.out(screen.encodedText) }
        let notifications = screen.elements("notifications").map { notification in
            let texts = ["title", "subtitle", "body"].compactMap { notification[$0]?.string }
            return "#\(notification["sequence"]?.encodedText ?? "") \(notification.text("topic"))  "
                + texts.joined(separator: " · ")
        }
        let badges = (screen["badges"]?.object ?? []).map { "badge \($0.name): \($0.value.encodedText)" }
        for line in notifications + badges { try Terminal.out(PrintableText.text(line)) }
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
    @Argument(help: "The device's id.") var id: String
    @Option(help: "Only this kind, repeatable: alert, background, voip, ...") var kind: [String] = []
    @Option(help: "Only apps of this topic, repeatable.") var topic: [String] = []
    @Option(help: .value("sequence", "Only what arrived after this sequence number.")) var after: Int?
    @Option(help: .value("duration", "How long to wait, at most 60s.")) var wait: String?
    @Option(help: "How many to wait for, with --wait.") var count: Int?
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        let query = [QueryItem](given: [
            "limit": 1000, "kind": kind, "topic": topic, "after": after, "wait": wait, "count": count,
        ])
        let page = try await server.client().inbox(of: id, query)
        for item in page.items { try Terminal.out(item.encodedText) }
        if page.evicted > 0 { Terminal.error("\(page.evicted) further arrivals are no longer in the journal") }
    }
}
