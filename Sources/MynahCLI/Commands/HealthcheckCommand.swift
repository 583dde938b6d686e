import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck", abstract: "Ends with 0 if the server is ready, otherwise with 69.",
        discussion: """
            To wait for the server before the first test:

              mynah healthcheck --wait 30s
            """)

    @OptionGroup var server: ServerOptions
    @Option(help: "How long to wait for the server.", transform: DurationArgument.read) var wait: DurationArgument?
    @Flag(help: "Print whether it is ready, and where it is, as JSON.") var json = false

    func run() async throws {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: wait?.duration ?? .zero)
        while true {
            let state = try await state()
            guard let problem = state.problem else {
                return try Terminal.out(state.json, asJSON: json) { _ in "ready" }
            }
            guard clock.now < deadline else {
                try Terminal.out(state.json, asJSON: json)
                throw CommandFailure(.unavailable, problem)
            }
            try await clock.sleep(for: .milliseconds(50))
        }
    }

    /// What one look found.
    private struct State {
        /// The control API; `nil` if no server was found.
        var url: ControlURL?
        /// Why the server isn't ready; `nil` if it is.
        var problem: String?

        /// What `--json` prints; it is by hand because no call answers it, and so no schema describes it.
        var json: JSONValue {
            ["ready": .bool(problem == nil), "url": .text(url?.description), "problem": .text(problem)]
        }
    }

    // Looks for the server each time, because its ready file or locator file may have appeared.
    private func state() async throws(ClientError) -> State {
        var state = State()
        do throws(ClientError) {
            let server = try server.find()
            state.url = server.url
            let readiness = try await ControlClient(server).readiness()
            if !readiness.isReady {
                let reason = readiness.problem.map { ": \($0)" } ?? ""
                state.problem = "the server at \(server.url) is not ready\(reason)"
            }
        } catch {
            guard error.code == .unavailable else { throw error }
            state.problem = error.message
        }
        return state
    }
}
