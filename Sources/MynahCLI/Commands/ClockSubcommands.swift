import APNsRules
import ArgumentParser
import MynahClient
import MynahControl
import MynahCore

struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock", abstract: "Shows, sets and advances the server's clock.",
        subcommands: [ClockShowCommand.self, ClockSetCommand.self, ClockAdvanceCommand.self],
        defaultSubcommand: ClockShowCommand.self)

    static func print(_ clock: JSONValue, asJSON: Bool) throws {
        try Terminal.out(clock, asJSON: asJSON) { clock in
            let counts = ["delivered", "expired", "coalesced"].compactMap { name in
                clock[name]?.integer.flatMap { $0 > 0 ? ", \($0) \(name)" : nil }
            }
            return "\(clock["now"]?.string ?? "?") (\(clock["mode"]?.string ?? "?"))" + counts.joined()
        }
    }

    /// Changes a clock and prints it; warns if the server then refuses tokens signed by the system's clock.
    static func change(
        _ method: String, _ target: String, with options: [JSONMember], on server: ServerOptions, asJSON: Bool
    ) async throws {
        let clock = try await server.client().json(method, target, body: .object(options))
        try print(clock, asJSON: asJSON)
        guard !options.contains(where: { $0.name == "scope" }),
            let now = clock["now"]?.string.flatMap({ Instant(rfc3339: $0) }),
            let warning = warning(server: now, system: Terminal.now)
        else { return }
        Terminal.error("mynah: \(warning)")
    }

    private static func warning(server: Instant, system: Instant) -> String? {
        // The clocks were read one after the other.
        let lead = Duration.seconds(server.advanced(by: .milliseconds(500)).since(system).wholeSeconds)
        guard lead > Limits.providerTokenAgeMax || lead < .zero - Limits.providerTokenSkewMax else { return nil }
        let (distance, side, reason): (Duration, String, Reason) =
            lead > .zero
            ? (lead, "ahead of", .expiredProviderToken) : (.zero - lead, "behind", .invalidProviderToken)
        return "the server's clock is \(DurationText.text(distance)) \(side) "
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
            """, aliases: ["list", "ls"])

    @OptionGroup var server: ServerOptions
    @Option(help: .parameter("scope", of: "getClock")) var scope: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        try ClockCommand.print(try await server.documents().clock(ofScope: scope), asJSON: json)
    }
}

struct ClockSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets the clock's mode and time; only real goes back.",
        discussion: """
              mynah clock set frozen
              mynah clock set offset --now 2026-12-24T18:00:00Z
              mynah clock set real

            When real sets the clock back, what waits for a time waits until the clock
            reaches it again.
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: .member("mode", of: RequestSchemas.clockChange.schema)) var mode: String?
    @Option(help: .member("now", of: RequestSchemas.clockChange.schema, value: "time")) var now: String?
    @Option(help: .member("scope", of: RequestSchemas.clockChange.schema)) var scope: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let options = [JSONMember](given: ["mode": mode, "now": now, "scope": scope])
        try await ClockCommand.change("PUT", "/v1/clock", with: options, on: server, asJSON: json)
    }
}

struct ClockAdvanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance", abstract: "Advances the clock; everything due has happened when the command ends.",
        discussion: """
            By a duration, to a time, or to the next thing that is due:

              mynah clock advance 1h30m
              mynah clock advance --to 2026-12-24T18:00:00Z
              mynah clock advance --to next

            If nothing is due, --to next ends with exit code \(CommandStatus.nothingDue.rawValue):

              while mynah clock advance --to next; do :; done

            Provider tokens age by the server's clock: a provider that signs by the
            system's clock is refused once the two differ by more than an hour. With
            --scope only that scope's devices are affected, and tokens stay valid.
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: .member("by", of: RequestSchemas.clockAdvance.schema)) var by: String?
    @Option(help: .member("to", of: RequestSchemas.clockAdvance.schema, value: "time|next")) var to: String?
    @Option(help: .member("scope", of: RequestSchemas.clockAdvance.schema)) var scope: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func validate() throws {
        try require(by == nil || to == nil, "a duration and --to: give one of them")
        try require(by != nil || to != nil, "expected a duration such as 1h, or --to with a time or next")
    }

    func run() async throws {
        let options = [JSONMember](given: ["by": by, "to": to, "scope": scope])
        do {
            try await ClockCommand.change("POST", "/v1/clock/advance", with: options, on: server, asJSON: json)
        } catch let error as ClientError where error.status == 409 && to == "next" {
            throw CommandFailure(.nothingDue, ControlProblem.text(error))
        }
    }
}
