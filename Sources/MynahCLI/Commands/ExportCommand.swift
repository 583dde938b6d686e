import APNsRules
import ArgumentParser
import MynahClient
import MynahControl
import MynahCore

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints the present devices, channels, faults, keys and clock as a file for --fixtures.",
        discussion: """
            JSON, or YAML with --yaml: with tokens and channel ids, but without pushes and
            without the private halves of keys. The clock is there if it is frozen; that of
            a scope with --scope. Rules that a running scenario has added are written as
            rules of their own.

              mynah export > devices.json
              mynah export --yaml --out fixtures/devices.yaml
              mynah serve --fixtures fixtures
            """)

    @OptionGroup var server: ServerOptions
    @Option(help: .value("file", "The file to write; its folders are made (default: standard output).")) var out:
        String?
    @Option(help: .parameter("scope", of: "exportFixtures")) var scope: String?
    @Flag(help: "Write YAML instead of JSON.") var yaml = false
    @Flag(help: "Has no effect: without --yaml the output is JSON.") var json = false

    func validate() throws { try require(!json || !yaml, "--json and --yaml: give one of them") }

    func run() async throws {
        let client = try server.client()
        let filters = [QueryItem](given: ["scope": scope])
        var devices: [JSONValue] = []
        try await client.documents.forEachDevice(filters) { devices.append(FixtureExport.device($0)) }
        // Oldest first, so that reading them restores the order.
        let faults = try await client.documents.faults(filters).reversed().map(FixtureExport.fault)
        let channels = try await client.documents.channels().map(FixtureExport.channel)
        let clock = try await client.documents.clock(ofScope: scope)
        // The generated key is in the state folder already.
        let own = try await client.credentials().keyID
        let keys = try await client.documents.keys().filter { $0["keyId"]?.string != own }.map(FixtureExport.key)
        let members = [JSONMember](given: [
            "devices": JSONValue.array(devices), "channels": JSONValue.array(channels),
            "faults": JSONValue.array(faults), "clock": clock["mode"]?.string == "frozen" ? clock : JSONValue?.none,
            "keys": JSONValue.array(keys),
        ])
        let text = yaml ? FixtureExport.yaml(.object(members)) : FixtureExport.json(members)
        guard let out else { return try Terminal.out(text) }
        try FileAccess.makeFolders(of: out)
        // YAML's quoted texts allow the escapes of JSON.
        try FileAccess.writeAtomically(Array((PrintableText.escaped(text) + "\n").utf8), to: out, mode: 0o644)
    }
}

extension FixtureExport {
    /// JSON with a line for each object of a list, for readable diffs.
    static func json(_ members: [JSONMember]) -> String {
        let parts = members.map { member -> String in
            let name = JSONValue.string(member.name).encodedText
            guard let elements = member.value.array, !elements.isEmpty else {
                return "  \(name): \(member.value.encodedText)"
            }
            let lines = elements.map { "    " + $0.encodedText }.joined(separator: ",\n")
            return "  \(name): [\n\(lines)\n  ]"
        }
        return "{\n" + parts.joined(separator: ",\n") + "\n}"
    }

    /// YAML with JSON's scalars: texts are in quotes, so that none is read as something else.
    static func yaml(_ value: JSONValue, indent: String = "") -> String {
        switch value {
        case .object(let members) where !members.isEmpty:
            return members.map { "\(indent)\(name($0.name)):" + nested($0.value, indent: indent) }
                .joined(separator: "\n")
        case .array(let elements) where !elements.isEmpty:
            return elements.map { element in
                guard let members = element.object, !members.isEmpty else {
                    return "\(indent)-" + nested(element, indent: indent)
                }
                // The first member follows the dash.
                return "\(indent)- " + yaml(element, indent: indent + "  ").dropFirst(indent.count + 2)
            }.joined(separator: "\n")
        default: return indent + value.encodedText
        }
    }

    private static func nested(_ value: JSONValue, indent: String) -> String {
        let isEmpty = value.object?.isEmpty ?? value.array?.isEmpty ?? true
        return isEmpty ? " " + value.encodedText : "\n" + yaml(value, indent: indent + "  ")
    }

    private static func name(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.utf8.allSatisfy(\.isASCIILetter)
        let isWord = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(name.lowercased())
        return isPlain && !isWord ? name : JSONValue.string(name).encodedText
    }
}
