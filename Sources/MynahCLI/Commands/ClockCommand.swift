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

    /// Prints a clock, as JSON or as a line.
    static func print(_ clock: JSONValue, asJSON: Bool) throws {
        guard !asJSON else { return try Terminal.out(clock.encodedText) }
        var line = "\(clock["now"]?.string ?? "?") (\(clock["mode"]?.string ?? "?"))"
        for name in ["delivered", "expired", "coalesced"] {
            if let count = clock[name]?.integer, count > 0 { line += ", \(count) \(name)" }
        }
        try Terminal.out(line)
    }

    /// Warns on standard error if the server refuses tokens signed by the system's clock.
    static func warn(_ clock: JSONValue) {
        guard let now = clock["now"]?.string.flatMap({ Instant(rfc3339: $0) }) else { return }
        if let warning = warning(server: now, system: Terminal.now) { Terminal.error("mynah: \(warning)") }
    }

    /// The warning; `nil` if such tokens are valid.
    static func warning(server: Instant, system: Instant) -> String? {
        // The clocks were read one after the other.
        let lead = Duration.seconds(server.advanced(by: .milliseconds(500)).since(system).wholeSeconds)
        let (distance, reason): (Duration, Reason)
        if lead > Limits.providerTokenAgeMax {
            (distance, reason) = (lead, .expiredProviderToken)
        } else if lead < .zero - Limits.providerTokenSkewMax {
            (distance, reason) = (.zero - lead, .invalidProviderToken)
        } else {
            return nil
        }
        return "the server's clock is \(DurationText.text(distance)) \(lead > .zero ? "ahead of" : "behind") "
            + "the system's: providers that sign by the system's clock get 403 \(reason.rawValue). "
            + "--scope changes only the clock of a scope's devices; `mynah clock set real` goes back"
    }
}

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

struct ClockSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets the clock's mode and time; only real goes back.",
        discussion: """
            real follows the system's clock, offset runs ahead of it, and frozen stands
            still until it is advanced:

              mynah clock set frozen
              mynah clock set offset --now 2026-12-24T18:00:00Z
              mynah clock set real

            Going back to real undoes nothing: deliveries and expiries stay, and what
            waits for a time waits until the clock reaches it again.
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "real, offset or frozen.") var mode: String?
    @Option(help: ArgumentHelp("The new time.", valueName: "time")) var now: String?
    @Option(help: "Only the clock of this scope's devices.") var scope: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let members = [JSONMember](given: ["mode": mode, "now": now, "scope": scope])
        let clock = try await server.client().json("PUT", "/v1/clock", body: .object(members))
        try ClockCommand.print(clock, asJSON: json)
        if scope == nil { ClockCommand.warn(clock) }
    }
}

struct ClockAdvanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Advances the clock; everything due has happened when the command ends.",
        discussion: """
            By a duration, to a time, or to the next thing that is due:

              mynah clock advance 1h30m
              mynah clock advance --to 2026-12-24T18:00:00Z
              mynah clock advance --to next

            Provider tokens age by the server's clock: a provider that signs by the
            system's clock is refused once the two differ by more than an hour. With
            --scope only that scope's devices are affected, and tokens stay valid.
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "A duration such as 250ms, 5s or 1h30m.") var by: String?
    @Option(help: ArgumentHelp("Advance to this time, or to the next event due.", valueName: "time|next"))
    var to: String?
    @Option(help: "Only the clock of this scope's devices.") var scope: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func validate() throws {
        guard (by == nil) != (to == nil) else {
            throw ValidationError("expected a duration such as 1h, or --to with a time or next")
        }
    }

    func run() async throws {
        let members = [JSONMember](given: ["by": by, "to": to, "scope": scope])
        let clock = try await server.client().json("POST", "/v1/clock/advance", body: .object(members))
        try ClockCommand.print(clock, asJSON: json)
        if scope == nil { ClockCommand.warn(clock) }
    }
}
