import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel", abstract: "Lists, creates and deletes broadcast channels.",
        subcommands: [
            ChannelListCommand.self, ChannelShowCommand.self, ChannelCreateCommand.self, ChannelDeleteCommand.self,
        ], defaultSubcommand: ChannelListCommand.self)

    static var columns: ListColumns {
        ListColumns([
            ListColumn("ID") { $0.cell("id") }, ListColumn("ENVIRONMENT") { $0.cell("environment") },
            ListColumn("STORES") { $0["messageStoragePolicy"]?.integer == 1 ? "one" : "none" },
            ListColumn("FOLLOWERS") { $0.count("followers") }, ListColumn("APP") { $0.cell("bundleId") },
        ])
    }
}

struct ChannelListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the channels, those of providers too.",
        discussion: """
              mynah channel list
              mynah channel list --app com.example.app --environment production
              mynah channel ls --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Option(help: .parameter("bundleId", of: "listChannels", value: "bundle-id")) var app: String?
    @Option(help: .parameter("environment", of: "listChannels")) var environment: String?
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        let filters = [QueryItem](given: ["bundleId": app, "environment": environment])
        try Terminal.out(try await server.documents().channels(filters), asJSON: json, in: ChannelCommand.columns)
    }
}

struct ChannelShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one channel as JSON.",
        discussion: "  mynah channel show tvI2UK0vEfEAAA6GFnjo2Q==")

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getChannel")) var id: String
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws { try Terminal.out(try await server.documents().channel(id).encodedText) }
}

struct ChannelCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Creates a channel and prints its id.",
        discussion: """
            A provider does the same with POST /1/apps/BUNDLE_ID/channels on a port of
            --channels-port.

              mynah channel create com.example.app
              mynah channel create com.example.app --storage-policy 1
            """, aliases: ["add"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .member("bundleId", of: ChannelSpecification.schema)) var bundleID: String
    @Option(help: .member("environment", of: ChannelSpecification.schema)) var environment: String?
    @Option(help: .member("messageStoragePolicy", of: ChannelSpecification.schema, value: "policy"))
    var storagePolicy: Int?
    @Option(help: .member("id", of: ChannelSpecification.schema)) var id: String?
    @Flag(help: "Print the channel as JSON.") var json = false

    func run() async throws {
        let members = [JSONMember](given: [
            "bundleId": bundleID, "environment": environment, "messageStoragePolicy": storagePolicy, "id": id,
        ])
        let channel = try await server.documents().createChannel(.object(members))
        try Terminal.out(channel, asJSON: json) { $0.text("id") }
    }
}

struct ChannelDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a channel: a broadcast to it is then ChannelNotRegistered.",
        discussion: "  mynah channel delete tvI2UK0vEfEAAA6GFnjo2Q==", aliases: ["remove", "rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getChannel")) var id: String
    @Flag(help: "Print the channel as JSON.") var json = false

    func run() async throws { try Terminal.out(try await server.documents().deleteChannel(id), asJSON: json) }
}
