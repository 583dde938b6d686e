import APNsRules
import ArgumentParser
import MynahClient

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Prints where a server listens, its clock, and what it has counted.",
        discussion: """
              mynah status
              mynah status --json

            To wait until a server is ready: mynah healthcheck --wait 30s
            """)

    @OptionGroup var server: ServerOptions
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let server = try server.server()
        let status = try await ControlClient(server).documents.status()
        try Terminal.out(status, asJSON: json) { StatusCommand.text($0, url: server.url.description) }
    }

    static func text(_ status: JSONValue, url: String) -> String {
        let ports = status["ports"]
        let counts = status["counts"]
        func list(_ name: String) -> String? {
            let numbers = ports?[name]?.array ?? [ports?[name] ?? .null].filter { $0 != .null }
            return numbers.isEmpty ? nil : numbers.map(\.encodedText).joined(separator: ", ")
        }
        func numbers(_ names: KeyValuePairs<String, String>) -> String {
            names.map { "\(counts?.count($0.key) ?? "-") \($0.value)" }.joined(separator: ", ")
        }
        let clock = status.text("clock")
        return TextTable.rows([
            ("mynah", status.text("version")), ("control API", url), ("started", status.text("startedAt")),
            ("clock", status.text("now") + (clock == "real" ? "" : ", \(clock)")),
            ("environment", status.text("environment")),
            ("ports", list("apns")), ("channels", list("channels")), ("web push", list("webPush")),
            ("cleartext", list("cleartext")),
            ("proxy", list("proxy")),
            (
                "pushes",
                numbers(["received": "received", "accepted": "accepted", "refused": "refused", "stored": "stored"])
            ),
            ("devices", numbers(["devices": "devices", "scopes": "scopes"])),
            (
                "connections",
                numbers([
                    "connections": "open", "handshakesFailed": "handshakes failed", "connectionsRefused": "refused",
                ])
            ),
            ("faults", numbers(["faults": "rules", "faultsFired": "fired"])),
            ("recorded run", status["recorded"]?["file"]?.string),
        ])
    }
}
