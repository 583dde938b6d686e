import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

/// `mynah device install`.
struct DeviceInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Installs and launches an app on a device; prints its token.",
        discussion: """
            An app that is there keeps its token. One that is installed and not launched
            has none yet.

              mynah device install kims-phone com.example.app
              mynah device install kims-phone com.example.app --not-launched
              mynah device install kims-phone com.example.app --rotate reinstall
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The device's id.") var id: String
    @Argument(help: "The app's topic.") var topic: String
    @Option(help: "sandbox or production; without it, the device's.") var environment: String?
    @Option(help: "A token of your choice, hexadecimal.") var token: String?
    @Option(help: "What happened to it, so that it needs another token: reinstall, restore or osReinstall.")
    var rotate: String?
    @Flag(help: "Do not launch it: no token yet.") var notLaunched = false
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        var members: [JSONMember] = [JSONMember("topic", .string(topic))]
        for (name, text) in [("environment", environment), ("token", token), ("rotate", rotate)] {
            if let text { members.append(JSONMember(name, .string(text))) }
        }
        if notLaunched { members.append(JSONMember("launched", false)) }
        try DeviceLines.print(try await server.client().registerApp(on: id, .object(members)), asJSON: json)
    }
}

/// `mynah device launch`.
struct DeviceLaunchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Launches an app on a device, which gives it a token; prints that.",
        discussion: """
              mynah device launch kims-phone com.example.app
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The device's id.") var id: String
    @Argument(help: "The app's topic.") var topic: String
    @Option(help: "sandbox or production; without it, the device's.") var environment: String?
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        let environment = environment.map { [JSONMember("environment", .string($0))] } ?? []
        let app = JSONValue.object([JSONMember("topic", .string(topic))] + environment)
        try DeviceLines.print(try await server.client().registerApp(on: id, app), asJSON: json)
    }
}

/// `mynah device uninstall`.
struct DeviceUninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Removes an app from a device: its token is Unregistered from then on.",
        discussion: """
              mynah device uninstall kims-phone com.example.app
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The device's id.") var id: String
    @Argument(help: "The app's topic.") var topic: String
    @Option(help: "sandbox or production; without it, the device's.") var environment: String?
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        let app = try await server.client().uninstallApp(on: id, topic: topic, environment: environment)
        if json { try Terminal.out(app.encodedText) }
    }
}

/// `mynah device screen`.
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
        for notification in screen["notifications"]?.array ?? [] {
            try Terminal.out(DeviceLines.notification(notification))
        }
        for badge in screen["badges"]?.object ?? [] {
            try Terminal.out(PrintableText.text("badge \(badge.name): \(badge.value.encodedText)"))
        }
    }
}

/// `mynah device inbox`.
struct DeviceInboxCommand: AsyncParsableCommand {
    /// Pushes of one answer: the most that the API gives.
    private static let limit = "1000"

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
    @Option(help: ArgumentHelp("Only what arrived behind this sequence number.", valueName: "sequence"))
    var after: Int?
    @Option(help: ArgumentHelp("How long to wait, at most 60s.", valueName: "duration")) var wait: String?
    @Option(help: "How many to wait for, with --wait.") var count: Int?
    @Flag(help: "Print JSON, which it does anyway.") var json = false

    func run() async throws {
        var query = [QueryItem("limit", DeviceInboxCommand.limit)]
        query += kind.map { QueryItem("kind", $0) } + topic.map { QueryItem("topic", $0) }
        if let after { query.append(QueryItem("after", String(after))) }
        if let wait { query.append(QueryItem("wait", wait)) }
        if let count { query.append(QueryItem("count", String(count))) }
        let page = try await server.client().inbox(of: id, query)
        for item in page.items { try Terminal.out(item.encodedText) }
        if page.evicted > 0 { Terminal.error("\(page.evicted) more arrived and are no longer there") }
    }
}
