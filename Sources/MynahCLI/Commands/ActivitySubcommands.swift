import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct DeviceActivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity",
        abstract: "Lists, starts, changes and dismisses Live Activities.",
        subcommands: [
            ActivityListCommand.self, ActivityStartCommand.self, ActivityUpdateCommand.self, ActivityEndCommand.self,
            ActivityDismissCommand.self,
        ], defaultSubcommand: ActivityListCommand.self)

    static var columns: ListColumns {
        ListColumns([
            ListColumn("ID") { $0.cell("id") }, ListColumn("STATE") { $0.cell("state") },
            ListColumn("TYPE") { $0.cell("attributesType") },
            ListColumn("TOKEN") { $0.cell("token") }, ListColumn("SHOWS") { $0["contentState"]?.encodedText ?? "-" },
        ])
    }
}

struct ActivityListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the Live Activities of a device, newest first, with their tokens.",
        discussion: """
              mynah device activity list kims-phone
              mynah device activity ls kims-phone --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("id", of: "getDevice")) var id: String
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        try Terminal.out(
            try await server.documents().activities(of: id), asJSON: json, in: DeviceActivityCommand.columns)
    }
}

/// What an activity shows.
struct ActivityContentOptions: ParsableArguments {
    @Option(
        help: .member("contentState", of: ActivityPatch.schema, ", an object", value: "json"),
        transform: JSONArgument.read)
    var contentState: JSONValue?
    @Option(help: .member("staleDate", of: ActivityPatch.schema, value: "time")) var staleDate: String?
    @Option(help: .member("relevanceScore", of: ActivityPatch.schema, value: "number")) var relevanceScore: Double?

    var members: [JSONMember] {
        [JSONMember](given: ["contentState": contentState, "staleDate": staleDate])
            + (relevanceScore.map { [JSONMember("relevanceScore", .number(JSONNumber(text: "\($0)")))] } ?? [])
    }
}

/// The devices of a command that changes activities of several.
struct ActivityDevicesOptions: ParsableArguments {
    @Option(help: "All devices of this user, in place of one.") var ofUser: String?
    @Option(help: "All devices of this scope, in place of one.") var ofScope: String?
    @Flag(help: "All devices, in place of one.") var all = false

    func validate() throws {
        try require(
            !all || (ofUser == nil && ofScope == nil), "--all is of all devices: expected no --of-user or --of-scope")
    }

    /// `nil` if none of them is given, and a device is expected.
    var filters: [QueryItem]? {
        all || ofUser != nil || ofScope != nil ? [QueryItem](given: ["user": ofUser, "scope": ofScope]) : nil
    }
}

struct ActivityStartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Starts Live Activities, as their apps do; prints the token of one.",
        usage: """
            mynah device activity start [<options>] <id> <topic> <attributes-type>
            mynah device activity start [<options>] --of-user <user> <topic> <attributes-type>
            """,
        discussion: """
            On several devices it prints how many were started. If some could not be, the
            exit code is 1, and their number and the first reasons are on standard error.

              mynah device activity start kims-phone com.example.app GameAttributes \\
                  --attributes '{"home":"A"}' --content-state '{"score":0}'
              mynah device activity start kims-phone com.example.app GameAttributes \\
                  --channel tvI2UK0vEfEAAA6GFnjo2Q==
              mynah device activity start --of-scope load com.example.app GameAttributes \\
                  --channel tvI2UK0vEfEAAA6GFnjo2Q==
            """, aliases: ["add", "create"])

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Several devices") var devices: ActivityDevicesOptions
    // Without an id each takes the value of the one before.
    @Argument(help: .parameter("id", of: "startActivity", "; not with several devices")) var id: String
    @Argument(help: "The app's bundle id, or its topic for Live Activities.") var topic: String
    @Argument(help: .member("attributesType", of: ActivitySpecification.schema)) var attributesType: String?
    @Option(
        help: .member("attributes", of: ActivitySpecification.schema, ", an object", value: "json"),
        transform: JSONArgument.read)
    var attributes: JSONValue?
    @OptionGroup var content: ActivityContentOptions
    @Option(
        help: .member("pushType.channel", of: ActivitySpecification.schema, ", in place of a token", value: "id"))
    var channel: String?
    @Flag(help: "Without a token: its app alone updates it.") var noToken = false
    @Option(help: .member("environment", of: ActivitySpecification.schema)) var environment: String?
    @Flag(help: "Print the activity as JSON.") var json = false

    func validate() throws {
        try require(channel == nil || !noToken, "--channel and --no-token: give one of them")
        try require(
            devices.filters == nil || attributesType == nil,
            "a device's id and a filter of devices: give one of them")
        try require(
            devices.filters != nil || attributesType != nil,
            "expected <id> <topic> <attributes-type>, or --of-user, --of-scope or --all in place of the id")
    }

    func run() async throws {
        guard let filters = devices.filters else { return try await startOne(document(topic, attributesType)) }
        let answer = try await server.documents().startActivities(filters, document(id, topic))
        let count = answer["started"]?["activities"]?.integer ?? 0
        try Terminal.out(answer, asJSON: json) { _ in "started \(count) activit\(count == 1 ? "y" : "ies")" }
        guard let refused = answer["refused"]?["devices"]?.integer, refused > 0 else { return }
        Terminal.error("mynah: not started on \(refused) device\(refused == 1 ? "" : "s")")
        let refusals = answer.elements("refusals")
        for refusal in refusals {
            Terminal.error(PrintableText.text("\(refusal.text("device")): \(refusal.text("reason"))"))
        }
        if refusals.count < refused { Terminal.error("and \(refused - Int64(refusals.count)) more") }
        throw ExitCode(CommandStatus.unmet.rawValue)
    }

    private func startOne(_ document: JSONValue) async throws {
        let activity = try await server.documents().startActivity(on: id, document)
        try Terminal.out(activity, asJSON: json) { activity in
            PrintableText.text(activity["token"]?.string ?? "activity \(activity.text("id"))")
        }
    }

    private func document(_ topic: String, _ attributesType: String?) -> JSONValue {
        let suffix = PushType.liveactivity.topicSuffix
        let pushType: JSONValue? = noToken ? .null : channel.map { ["channel": .string($0)] }
        let members =
            [JSONMember](given: [
                "topic": topic.hasSuffix(suffix) ? topic : topic + suffix, "environment": environment,
                "attributesType": attributesType, "attributes": attributes, "pushType": pushType,
            ]) + content.members
        return .object(members)
    }
}

/// One activity of a device.
struct ActivityArguments: ParsableArguments {
    @Argument(help: .parameter("id", of: "getDevice")) var id: String
    @Argument(help: .parameter("activity", of: "getActivity")) var activity: Int
}

struct ActivityUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Changes what a Live Activity shows, as its app does.",
        discussion: """
              mynah device activity update kims-phone 1 --content-state '{"score":1}'
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var arguments: ActivityArguments
    @OptionGroup var content: ActivityContentOptions
    @Flag(help: "Print the activity as JSON.") var json = false

    func validate() throws {
        try require(!content.members.isEmpty, "nothing to change: expected --content-state or the like")
    }

    func run() async throws {
        let changed = try await server.documents().changeActivity(
            arguments.activity, of: arguments.id, .object(content.members))
        try Terminal.out(changed, asJSON: json)
    }
}

struct ActivityEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "Ends a Live Activity, as its app does; it takes no more updates.",
        discussion: """
              mynah device activity end kims-phone 1 --content-state '{"score":2}'
              mynah device activity end kims-phone 1 --dismissal-date 2026-11-21T12:00:00Z
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var arguments: ActivityArguments
    @OptionGroup var content: ActivityContentOptions
    @Option(help: .member("dismissalDate", of: ActivityPatch.schema, value: "time")) var dismissalDate: String?
    @Flag(help: "Print the activity as JSON.") var json = false

    func run() async throws {
        let members =
            [JSONMember](given: ["state": "ended", "dismissalDate": dismissalDate]) + content.members
        let ended = try await server.documents().changeActivity(arguments.activity, of: arguments.id, .object(members))
        try Terminal.out(ended, asJSON: json)
    }
}

struct ActivityDismissCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Takes Live Activities off the screen, as the user does.",
        usage: """
            mynah device activity dismiss [<options>] <id> <activity>
            mynah device activity dismiss [<options>] --of-user <user>
            """,
        discussion: """
              mynah device activity dismiss kims-phone 1
              mynah device activity dismiss --of-user kim
              mynah device activity dismiss --all --channel tvI2UK0vEfEAAA6GFnjo2Q==
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Several devices") var devices: ActivityDevicesOptions
    @Option(help: .parameter("channel", of: "dismissActivities", "; with several devices", value: "id")) var channel:
        String?
    @Option(help: .parameter("attributesType", of: "dismissActivities", "; with several devices", value: "type"))
    var attributesType: String?
    @Argument(help: .parameter("id", of: "getDevice")) var id: String?
    @Argument(help: .parameter("activity", of: "getActivity")) var activity: Int?
    @Flag(help: "Print what was removed as JSON.") var json = false

    func validate() throws {
        if devices.filters == nil {
            try require(
                id != nil && activity != nil,
                "expected <id> <activity>, or --of-user, --of-scope or --all in their place")
            try require(
                channel == nil && attributesType == nil,
                "--channel and --attributes-type choose among activities of several devices: expected --of-user, "
                    + "--of-scope or --all in place of <id> <activity>")
        } else {
            try require(id == nil, "a device's id and a filter of devices: give one of them")
        }
    }

    func run() async throws {
        let client = try server.client()
        if let filters = devices.filters {
            let own = [QueryItem](given: ["channel": channel, "attributesType": attributesType])
            let removed = try await client.documents.dismissActivities(filters + own)
            let count = removed["removed"]?["activities"]?.integer ?? 0
            try Terminal.out(removed, asJSON: json) { _ in "dismissed \(count) activit\(count == 1 ? "y" : "ies")" }
        } else if let id, let activity {
            try Terminal.out(try await client.documents.dismissActivity(activity, of: id), asJSON: json)
        }
    }
}

/// Reads JSON on a command line.
enum JSONArgument {
    static func read(_ text: String) throws -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw ValidationError("\(error); expected JSON, like {\"score\":1}")
        }
    }
}
