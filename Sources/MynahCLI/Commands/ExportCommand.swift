import APNsRules
import ArgumentParser
import MynahClient
import MynahCore

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints the present devices, faults, keys and clock as a file for --fixtures.",
        discussion: """
            JSON, or YAML with --yaml: with tokens, but without pushes and without the
            private halves of keys.

              mynah export > devices.json
              mynah export --yaml --out fixtures/devices.yaml
              mynah serve --fixtures fixtures
            """)

    @OptionGroup var server: ServerOptions
    @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "file")) var out: String?
    @Option(help: "Only devices and faults of this scope.") var scope: String?
    @Flag(help: "Write YAML instead of JSON.") var yaml = false

    func run() async throws {
        let client = try server.client()
        var devices: [JSONValue] = []
        try await client.forEachDevice(scope.map { [QueryItem("scope", $0)] } ?? []) { device in
            devices.append(FixtureExport.device(device))
        }
        var members = [JSONMember("devices", .array(devices))]
        // Oldest first, so that reading them restores the order.
        let faults = try await client.faults(scope.map { [QueryItem("scope", $0)] } ?? []).reversed()
        members.append(JSONMember("faults", .array(faults.map(FixtureExport.fault))))
        let clock = try await client.json("GET", "/v1/clock")
        if clock["mode"]?.string == "frozen" { members.append(JSONMember("clock", clock)) }
        // The generated key is in the state folder already.
        let own = try await client.credentials().keyID
        let keys = try await client.keys().filter { $0["keyId"]?.string != own }.map(FixtureExport.key)
        members.append(JSONMember("keys", .array(keys)))
        let text = yaml ? FixtureExport.yaml(.object(members)) : FixtureExport.json(members)
        guard let out else { return try Terminal.out(text) }
        // YAML's quoted texts allow the escapes of JSON.
        try FileAccess.writeAtomically(Array((PrintableText.escaped(text) + "\n").utf8), to: out, mode: 0o644)
    }
}
