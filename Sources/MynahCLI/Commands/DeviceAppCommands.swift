import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

/// An app on a device.
struct AppOptions: ParsableArguments {
    @Argument(help: "The device's id.") var id: String
    @Argument(help: "The app's topic.") var topic: String
    @Option(help: "sandbox or production (default: the device's).") var environment: String?

    /// The app for `POST /v1/devices/{id}/registrations`.
    var members: [JSONMember] { [JSONMember](given: ["topic": topic, "environment": environment]) }
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
    @Option(help: "A token of your choice, in hexadecimal digits.") var token: String?
    @Option(help: "Replace its token, as reinstall, restore or osReinstall does.")
    var rotate: String?
    @Flag(help: "Do not launch it, so that it has no token yet.") var notLaunched = false
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        var members = app.members + [JSONMember](given: ["token": token, "rotate": rotate])
        if notLaunched { members.append(JSONMember("launched", false)) }
        try DeviceLines.print(try await server.client().registerApp(on: app.id, .object(members)), asJSON: json)
    }
}

struct DeviceLaunchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Launches an app on a device; prints its token.",
        discussion: """
              mynah device launch kims-phone com.example.app
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var app: AppOptions
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        try DeviceLines.print(try await server.client().registerApp(on: app.id, .object(app.members)), asJSON: json)
    }
}

struct DeviceUninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Removes an app from a device; its token is Unregistered from then on.",
        discussion: """
              mynah device uninstall kims-phone com.example.app
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var app: AppOptions
    @Flag(help: "Print the registration as JSON.") var json = false

    func run() async throws {
        let removed = try await server.client()
            .uninstallApp(on: app.id, topic: app.topic, environment: app.environment)
        if json { try Terminal.out(removed.encodedText) }
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
        for notification in screen["notifications"]?.array ?? [] {
            try Terminal.out(DeviceLines.notification(notification))
        }
        for badge in screen["badges"]?.object ?? [] {
            try Terminal.out(PrintableText.text("badge \(badge.name): \(badge.value.encodedText)"))
        }
    }
}

struct DeviceInboxCommand: AsyncParsableCommand {
    /// The most pushes of one answer.
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
    @Option(help: ArgumentHelp("Only what arrived after this sequence number.", valueName: "sequence"))
    var after: Int?
    @Option(help: ArgumentHelp("How long to wait, at most 60s.", valueName: "duration")) var wait: String?
    @Option(help: "How many to wait for, with --wait.") var count: Int?
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws {
        var query = [QueryItem("limit", DeviceInboxCommand.limit)]
        query += [QueryItem](given: ["kind": kind, "topic": topic])
        if let after { query.append(QueryItem("after", String(after))) }
        if let wait { query.append(QueryItem("wait", wait)) }
        if let count { query.append(QueryItem("count", String(count))) }
        let page = try await server.client().inbox(of: id, query)
        for item in page.items { try Terminal.out(item.encodedText) }
        if page.evicted > 0 { Terminal.error("\(page.evicted) further arrivals are no longer in the journal") }
    }
}
