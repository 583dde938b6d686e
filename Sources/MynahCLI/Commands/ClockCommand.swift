import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

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

    /// Says on standard error when tokens that are signed by the system's clock are refused at the server's time.
    static func warn(_ clock: JSONValue) {
        guard let now = clock["now"]?.string.flatMap({ Instant(rfc3339: $0) }) else { return }
        if let warning = warning(server: now, system: Terminal.now) { Terminal.error("mynah: \(warning)") }
    }

    /// The sentence of ``warn(_:)``; `nil` while such tokens are good.
    static func warning(server: Instant, system: Instant) -> String? {
        // The two were read one after the other.
        let lead = Duration.seconds(server.advanced(by: .milliseconds(500)).since(system).wholeSeconds)
        let (distance, reason): (Duration, Reason)
        if lead > Limits.providerTokenAgeMax {
            (distance, reason) = (lead, .expiredProviderToken)
        } else if lead < .zero - Limits.providerTokenSkewMax {
            (distance, reason) = (.zero - lead, .invalidProviderToken)
        } else {
            return nil
        }
        return "the server's clock is \(MynahCore.DurationText.text(distance)) \(lead > .zero ? "ahead of" : "behind") "
            + "the system's: providers that sign by the system's get 403 \(reason.rawValue). "
            + "--scope moves the time of a scope's devices alone; `mynah clock set real` goes back"
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
        commandName: "set", abstract: "Sets how the clock runs, and what it says; only real goes back.",
        discussion: """
            real follows the system's clock, offset runs as fast but ahead, frozen stands
            until it is advanced:

              mynah clock set frozen
              mynah clock set offset --now 2026-12-24T18:00:00Z
              mynah clock set real

            Going back to real undoes nothing: what has been delivered or has expired
            stays so, and what waits for a time waits until the clock gets there again.
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
        let clock = try await server.client().json("PUT", "/v1/clock", body: .object(members))
        try ClockCommand.print(clock, asJSON: json)
        if scope == nil { ClockCommand.warn(clock) }
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

            Provider tokens grow old by the server's clock: a provider that signs by the
            system's is refused once the two are more than an hour apart. With --scope
            only the time of that scope's devices moves, and tokens stay good.
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
        let clock = try await server.client().json("POST", "/v1/clock/advance", body: .object(members))
        try ClockCommand.print(clock, asJSON: json)
        if scope == nil { ClockCommand.warn(clock) }
    }
}
