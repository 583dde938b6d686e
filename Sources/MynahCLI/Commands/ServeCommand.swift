import ArgumentParser
import Logging
import MynahClient
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Runs the server in the foreground; the default command.",
        usage: "mynah serve [--FLAG VALUE ...]",
        discussion: """
            Start it, then point a provider at the address that it prints:

              mynah serve
              mynah serve --port 0 --control-port 0 --ready-file ready.json

            It prints the addresses of a page that shows the pushes and of the control API.
            When everything listens, a line on standard output begins with "mynah ready";
            with --log-format json it is one JSON object. SIGTERM, SIGINT, SIGHUP, SIGUSR1
            and SIGUSR2 stop the server: GOAWAY, open streams finish, exit code 0. During
            the start they end it at once. Under nohup, SIGHUP is ignored.

            \(SettingsHelp.text)
            """)

    // Read by FlagReader.
    @Argument(parsing: .captureForPassthrough, help: .hidden) var arguments: [String] = []

    func run() async throws {
        let flags = try FlagReader.read(arguments)
        guard !flags.asksForHelp else { throw CleanExit.helpRequest(ServeCommand.self) }
        let resolved = try SettingsResolver.ofThisProcess.resolve(arguments)
        let settings = resolved.settings
        let logger = resolved.logger()
        _ = DescriptorLimit.raise()

        // Before anything listens, so that no signal is missed.
        let signals = await EndSignals(trapping: [.sigterm, .sigint, .sighup, .sigusr1, .sigusr2], logger)
        let notifier = ServiceNotifier(environment: ProcessEnvironment.variables)
        try await ServerRuntime.withServer(settings, logger: logger) { facts in
            signals.started()
            let announcement = try ServerAnnouncement(
                facts, settings, of: .serve, environment: ProcessEnvironment.variables, logger: logger)
            defer { announcement.withdraw(logger) }
            // For people; scripts that read standard output get only the ready line.
            if settings.logFormat == .text, !settings.isQuiet {
                let banner = Banner.text(facts.shown(settings))
                if Terminal.hasOutput { try Terminal.out(banner) } else { Terminal.error(banner) }
            }
            try Terminal.out(ReadyLine.text(facts, format: settings.logFormat))
            notifier?.notify(.ready, logger)
            StartupCode.unmap()
            let signal = await signals.next()
            logger.info("received \(signal), shutting down")
            notifier?.notify(.stopping, logger)
        }
    }
}

extension SettingsResolver {
    /// The resolver over this process' environment and files.
    static var ofThisProcess: SettingsResolver {
        SettingsResolver(environment: ProcessEnvironment.variables) { path throws(CommandFailure) in
            do throws(ClientError) { return try FileAccess.readText(path) } catch {
                throw CommandFailure(.configuration, error.message)
            }
        }
    }
}

extension ResolvedSettings {
    func logger() -> Logger {
        let handler = StderrLogHandler(format: settings.logFormat, logLevel: settings.logLevel)
        let logger = Logger(label: "mynah") { _ in handler }
        for warning in warnings { logger.warning("\(warning)") }
        for note in notes { logger.info("\(note)") }
        return logger
    }
}
