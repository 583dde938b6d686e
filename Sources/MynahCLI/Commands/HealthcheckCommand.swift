import ArgumentParser
import MynahClient

struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck", abstract: "Ends with 0 if the server is ready, otherwise with 69.",
        discussion: """
            To wait for the server before the first test:

              mynah healthcheck --wait 30s
            """)

    @OptionGroup var server: ServerOptions
    @Option(help: "How long to wait for the server.", transform: DurationArgument.read) var wait: DurationArgument?

    func run() async throws {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: wait?.duration ?? .zero)
        while let problem = try await problem() {
            guard clock.now < deadline else { throw CommandFailure(.unavailable, problem) }
            try await clock.sleep(for: .milliseconds(50))
        }
        try Terminal.out("ready")
    }

    // Looks for the server each time, because its ready file or locator file may have appeared.
    private func problem() async throws(ClientError) -> String? {
        do throws(ClientError) {
            let server = try server.find()
            return try await ControlClient(server).isReady() ? nil : "the server at \(server.url) is not ready"
        } catch {
            guard error.code == .unavailable else { throw error }
            return error.message
        }
    }
}
