import ArgumentParser
import MynahClient

/// `mynah healthcheck`: whether the server is ready.
struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Ends with 0 when the server is ready, with 69 when it is not.",
        discussion: """
            Before the first test, wait until the server is there:

              mynah healthcheck --wait 30s
            """)

    /// Time between two questions while waiting; a server starts in less than that.
    private static let interval: Duration = .milliseconds(50)

    @OptionGroup var server: ServerOptions

    @Option(help: "How long to wait until it is ready.") var wait: DurationText?

    func run() async throws {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: wait?.duration ?? .zero)
        while true {
            let problem = try await problem()
            guard let problem else { return try Terminal.out("ready") }
            guard clock.now < deadline else { throw problem }
            try await clock.sleep(for: HealthcheckCommand.interval)
        }
    }

    // Looks for the server anew each time: its ready file or its locator file may have appeared since.
    private func problem() async throws(ClientError) -> CommandFailure? {
        do throws(ClientError) {
            let server = try server.quietly()
            return try await ControlClient(server).isReady()
                ? nil : CommandFailure(.unavailable, "the server at \(server.url) is not ready")
        } catch {
            guard error.code == .unavailable else { throw error }
            return CommandFailure(.unavailable, error.message)
        }
    }
}
