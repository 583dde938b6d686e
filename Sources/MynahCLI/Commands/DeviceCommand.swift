import APNsRules
import ArgumentParser
import MynahClient

/// `mynah device`: the simulated devices from a shell.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Lists, makes, changes and removes simulated devices, and shows what arrived on them.",
        subcommands: [
            DeviceListCommand.self, DeviceShowCommand.self, DeviceAddCommand.self, DeviceSetCommand.self,
            DeviceRemoveCommand.self, DeviceInstallCommand.self, DeviceLaunchCommand.self,
            DeviceUninstallCommand.self, DeviceScreenCommand.self, DeviceInboxCommand.self,
        ],
        defaultSubcommand: DeviceListCommand.self)
}

/// `mynah device list`.
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
            throw ValidationError("--online and --offline are both given; leave both out for all devices")
        }
    }

    func run() async throws {
        var filters: [QueryItem] = []
        for (name, values) in [
            ("scope", scope), ("topic", topic), ("token", token), ("platform", platform), ("environment", environment),
        ] {
            filters += values.map { QueryItem(name, $0) }
        }
        if online { filters.append(QueryItem("online", "true")) }
        if offline { filters.append(QueryItem("online", "false")) }
        try await server.client().forEachDevice(filters) { device in
            try Terminal.out(json ? device.encodedText : DeviceLines.row(device))
        }
    }
}

/// `mynah device show`.
struct DeviceShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one device as JSON, its apps and their tokens included.",
        discussion: """
              mynah device show kims-phone
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The device's id.") var id: String
    @Flag(help: "Print JSON, which it does anyway.") var json = false

    func run() async throws {
        try Terminal.out(try await server.client().device(id).encodedText)
    }
}

/// `mynah device add`.
struct DeviceAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Makes a device, or with --count a fleet; prints ids and tokens.",
        discussion: """
            One line per app: the device's id, the token, the topic.

              mynah device add kims-phone --app com.example.app
              mynah device add --app com.example.app --app com.example.app.voip --power low
              mynah device add fleet --count 1000 --app com.example.app --scope load
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The device") var traits: DeviceOptions
    @Argument(help: "The device's id. Without one, it is made.") var id: String?
    @Option(help: "The product, like \"iPhone 17\".") var model: String?
    @Option(help: "iOS, iPadOS, macOS, watchOS, tvOS or visionOS.") var platform: String?
    @Option(help: "sandbox or production.") var environment: String?
    @Option(help: "The scope that it belongs to.") var scope: String?
    @Option(help: ArgumentHelp("The topic of an app on it, repeatable.", valueName: "topic")) var app: [String] = []
    @Option(help: "How many to make, with ids ID-00001 and on.") var count: Int?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        var members: [JSONMember] = []
        func add(_ name: String, _ text: String?) {
            if let text { members.append(JSONMember(name, .string(text))) }
        }
        add("id", id)
        if let count { members.append(JSONMember("count", .number(JSONNumber(count)))) }
        add("model", model)
        add("platform", platform)
        add("environment", environment)
        add("scope", scope)
        members += traits.members
        if !app.isEmpty {
            members.append(JSONMember("registrations", .array(app.map { ["topic": .string($0)] })))
        }
        let answer = try await server.client().addDevice(.object(members))
        guard !json else { return try Terminal.out(answer.encodedText) }
        for device in answer["items"]?.array ?? [answer] {
            for line in DeviceLines.tokens(device) { try Terminal.out(line) }
        }
        if let made = answer["matched"]?.integer, let told = answer["items"]?.array?.count, made > told {
            Terminal.error("\(made) devices were made; the others are in mynah device list")
        }
    }
}

/// `mynah device set`.
struct DeviceSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes a device; coming online delivers what was stored.",
        discussion: """
              mynah device set kims-phone --offline
              mynah device set kims-phone --online --power low
              mynah device set kims-phone --focus Work
              mynah device set kims-phone --no-focus
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "The device") var traits: DeviceOptions
    @Argument(help: "The device's id.") var id: String
    @Flag(help: "Turns the Focus off.") var noFocus = false
    @Flag(help: "Print the device as JSON.") var json = false

    func validate() throws {
        guard !traits.members.isEmpty || noFocus else {
            throw ValidationError("give what is to change, such as --offline, --power low or --name \"Kim's iPhone\"")
        }
        guard !noFocus || traits.focus == nil else {
            throw ValidationError("--focus and --no-focus are both given; one of them says what is on")
        }
    }

    func run() async throws {
        let change = traits.members + (noFocus ? [JSONMember("focus", .null)] : [])
        let device = try await server.client().changeDevice(id, .object(change))
        try Terminal.out(json ? device.encodedText : DeviceLines.row(device))
    }
}

/// `mynah device remove`.
struct DeviceRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes devices; what waits for them is discarded.",
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
