import APNsRules
import ArgumentParser
import MynahClient

/// `mynah device`: the simulated devices from a shell.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Lists, makes, changes and removes simulated devices; shows what arrived on them.",
        subcommands: [
            DeviceListCommand.self, DeviceShowCommand.self, DeviceAddCommand.self, DeviceSetCommand.self,
            DeviceRemoveCommand.self, DeviceInstallCommand.self, DeviceLaunchCommand.self,
            DeviceUninstallCommand.self, DeviceScreenCommand.self, DeviceInboxCommand.self,
        ],
        defaultSubcommand: DeviceListCommand.self)
}

struct DeviceListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the devices, by id.",
        discussion: """
              mynah device list
              mynah device ls --scope t42 --topic com.example.app
              mynah device ls --offline --json
            """,
        aliases: ["ls"])

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
        guard !online || !offline else {
            throw ValidationError("--online and --offline: give one of them, or none for all devices")
        }
    }

    func run() async throws {
        var filters = [QueryItem](given: [
            "scope": scope, "topic": topic, "token": token, "platform": platform, "environment": environment,
        ])
        if online { filters.append(QueryItem("online", "true")) }
        if offline { filters.append(QueryItem("online", "false")) }
        try await server.client().forEachDevice(filters) { device in
            try Terminal.out(json ? device.encodedText : DeviceLines.row(device))
        }
    }
}

struct DeviceShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one device as JSON, with its apps and their tokens.",
        discussion: """
              mynah device show kims-phone
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The device's id.") var id: String
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        try Terminal.out(try await server.client().device(id).encodedText)
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
    @Argument(help: "The device's id (default: random).") var id: String?
    @Option(help: "The product, like \"iPhone 17\".") var model: String?
    @Option(help: "iOS, iPadOS, macOS, watchOS, tvOS or visionOS.") var platform: String?
    @Option(help: "sandbox or production.") var environment: String?
    @Option(help: "Its scope.") var scope: String?
    @Option(help: ArgumentHelp("The topic of one of its apps, repeatable.", valueName: "topic")) var app: [String] = []
    @Option(help: "How many to make, with the ids ID-00001 and so on.") var count: Int?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        var members = [JSONMember](given: [
            "id": id, "model": model, "platform": platform, "environment": environment, "scope": scope,
        ])
        if let count { members.append(JSONMember("count", .number(JSONNumber(count)))) }
        members += traits.members
        if !app.isEmpty {
            members.append(JSONMember("registrations", .array(app.map { ["topic": .string($0)] })))
        }
        let answer = try await server.client().addDevice(.object(members))
        guard !json else { return try Terminal.out(answer.encodedText) }
        for device in answer["items"]?.array ?? [answer] {
            for line in DeviceLines.tokens(device) { try Terminal.out(line) }
        }
        if let made = answer["matched"]?.integer, let shown = answer["items"]?.array?.count, made > shown {
            Terminal.error("\(made) devices were made; mynah device list shows them all")
        }
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
        guard !traits.members.isEmpty || noFocus else {
            throw ValidationError("nothing to change: expected --offline, --power low or the like")
        }
        guard !noFocus || traits.focus == nil else {
            throw ValidationError("--focus and --no-focus: give one of them")
        }
    }

    func run() async throws {
        let change = traits.members + (noFocus ? [JSONMember("focus", .null)] : [])
        let device = try await server.client().changeDevice(id, .object(change))
        try Terminal.out(json ? device.encodedText : DeviceLines.row(device))
    }
}

struct DeviceRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes devices and the pushes that wait for them.",
        discussion: """
              mynah device remove kims-phone
              mynah device rm kims-phone lees-pad
            """,
        aliases: ["rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: "The devices' ids.") var ids: [String]
    @Flag(help: "Print what was removed as JSON.") var json = false

    func run() async throws {
        let client = try server.client()
        for id in ids {
            let answer = try await client.removeDevice(id)
            if json { try Terminal.out(answer.encodedText) }
        }
    }
}
