import APNsRules
import ArgumentParser
import MynahClient

/// `mynah clock`: the server's time from a shell.
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Shows, sets and advances the server's clock.",
        subcommands: [ClockShowCommand.self, ClockSetCommand.self, ClockAdvanceCommand.self],
        defaultSubcommand: ClockShowCommand.self)

    /// What all three print: JSON when asked, else a line.
    static func print(_ clock: JSONValue, asJSON: Bool) throws {
        guard !asJSON else { return try Terminal.out(clock.encodedText) }
        var line = "\(clock["now"]?.string ?? "?") (\(clock["mode"]?.string ?? "?"))"
        for name in ["delivered", "expired", "coalesced"] {
            if let count = clock[name]?.integer, count > 0 { line += ", \(count) \(name)" }
        }
        try Terminal.out(line)
    }
}

/// `mynah clock show`.
struct ClockShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints the server's time and how its clock runs.",
        discussion: """
              mynah clock show
              mynah clock show --scope t42 --json
            """,
        aliases: ["list", "ls"])

    @OptionGroup var server: ServerOptions
    @Option(help: "The clock of this scope's devices.") var scope: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let query = scope.map { [QueryItem("scope", $0)] } ?? []
        try ClockCommand.print(
            try await server.client().json("GET", QueryItem.target("/v1/clock", query)), asJSON: json)
    }
}

/// `mynah clock set`.
struct ClockSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets how the clock runs, and what it says; it never goes back.",
        discussion: """
            real runs as the wall clock, offset as fast but ahead, frozen only when
            advanced:

              mynah clock set frozen
              mynah clock set offset --now 2026-12-24T18:00:00Z
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "real, offset or frozen.") var mode: String?
    @Option(help: ArgumentHelp("What the clock says from now on.", valueName: "time")) var now: String?
    @Option(help: "Only the clock of this scope's devices.") var scope: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        var members: [JSONMember] = []
        if let mode { members.append(JSONMember("mode", .string(mode))) }
        if let now { members.append(JSONMember("now", .string(now))) }
        if let scope { members.append(JSONMember("scope", .string(scope))) }
        try ClockCommand.print(
            try await server.client().json("PUT", "/v1/clock", body: .object(members)), asJSON: json)
    }
}

/// `mynah clock advance`.
struct ClockAdvanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Moves the clock on; all that falls due has happened when the command ends.",
        discussion: """
            By a duration, to a time, or to the next thing that is due:

              mynah clock advance 1h30m
              mynah clock advance --to 2026-12-24T18:00:00Z
              mynah clock advance --to next
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "How far, such as 250ms, 5s or 1h30m.") var by: String?
    @Option(help: ArgumentHelp("Up to a time, or to the next thing due.", valueName: "time|next")) var to: String?
    @Option(help: "Only the clock of this scope's devices.") var scope: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func validate() throws {
        guard (by == nil) != (to == nil) else {
            throw ValidationError("give a duration such as 1h, or --to with a time or next")
        }
    }

    func run() async throws {
        var members: [JSONMember] = []
        if let by { members.append(JSONMember("by", .string(by))) }
        if let to { members.append(JSONMember("to", .string(to))) }
        if let scope { members.append(JSONMember("scope", .string(scope))) }
        try ClockCommand.print(
            try await server.client().json("POST", "/v1/clock/advance", body: .object(members)), asJSON: json)
    }
}
