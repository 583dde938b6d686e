import APNsRules
import ArgumentParser
import MynahClient

/// `mynah key`: the signing keys from a shell.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Lists, adds, changes and revokes the signing keys whose provider tokens are accepted.",
        subcommands: [
            KeyListCommand.self, KeyShowCommand.self, KeyAddCommand.self, KeySetCommand.self, KeyRemoveCommand.self,
        ],
        defaultSubcommand: KeyListCommand.self)

    /// One key as a row of a table.
    static func row(_ key: JSONValue) -> String {
        let topics = key["topics"]?.array?.compactMap(\.string)
        return TableRow.text([
            (key["keyId"]?.string ?? "-", 12), (key["team"]?.string ?? "-", 12),
            (key["environment"]?.string ?? "-", 12),
            (key["revokedAt"]?.string.map { "revoked \($0)" } ?? "good", 34),
            (topics?.joined(separator: ",") ?? "all of the team", 0),
        ])
    }
}

/// `mynah key list`.
struct KeyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints all keys, revoked ones too.",
        discussion: """
              mynah key list
              mynah key ls --json
            """,
        aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        for key in try await server.client().keys() { try Terminal.out(json ? key.encodedText : KeyCommand.row(key)) }
    }
}

/// `mynah key show`.
struct KeyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one key as JSON, without its private half.",
        discussion: """
              mynah key show ABC123DEFG
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The key's id.") var keyID: String
    @Flag(help: "Print JSON, which it does anyway.") var json = false

    func run() async throws {
        try Terminal.out(try await server.client().key(keyID).encodedText)
    }
}

/// `mynah key add`.
struct KeyAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Makes a key known, and says its id.",
        discussion: """
            Without --public-key and --private-key a pair is made. Its private half is told
            once: printed with --json, or written to the file that --out names.

              mynah key add --out AuthKey_NEWS123456.p8 NEWS123456
              mynah key add --environment sandbox --topic com.example.app --json
              mynah key add --public-key news.pem --team-id TEAM123456 NEWS123456
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The key's id, 10 letters or digits. Without one, it is made.") var keyID: String?
    @Option(help: ArgumentHelp("The key's team. Without one, that of the server's own key.", valueName: "team"))
    var teamId: String?
    @Option(help: ArgumentHelp("A file with the public half, PEM.", valueName: "file")) var publicKey: String?
    @Option(help: ArgumentHelp("A file with the private half, an AuthKey_<KEYID>.p8.", valueName: "file"))
    var privateKey: String?
    @Option(help: ArgumentHelp("sandbox, production or both.", valueName: "environment")) var environment: String?
    @Option(help: "A topic of a topic-specific key, repeatable. Without one, all of the team.") var topic: [String] = []
    @Option(help: ArgumentHelp("The id of the key that may share a connection with it.", valueName: "key-id"))
    var related: String?
    @Option(
        help: ArgumentHelp("Where the private half of a pair that is made is written, mode 0600.", valueName: "file"))
    var out: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let makesPair = publicKey == nil && privateKey == nil
        guard out == nil || makesPair else {
            throw CommandFailure(.usage, "--out is for a pair that is made; leave --public-key and --private-key out")
        }
        guard json || out != nil || !makesPair else {
            throw CommandFailure(
                .usage, "a pair would be made and its private half lost: give --out FILE or --json, or a --public-key")
        }
        let key = try await server.client().addKey(try document())
        if let out, let pem = key["privateKey"]?.string {
            try FileAccess.writeAtomically(Array(pem.utf8), to: out, mode: 0o600)
        }
        try Terminal.out(json ? key.encodedText : key["keyId"]?.string ?? "")
    }

    private func document() throws -> JSONValue {
        var members: [JSONMember] = []
        func add(_ name: String, _ text: String?) {
            if let text { members.append(JSONMember(name, .string(text))) }
        }
        add("keyId", keyID)
        add("team", teamId)
        add("publicKey", try publicKey.map { try text(of: $0) })
        add("privateKey", try privateKey.map { try text(of: $0) })
        add("environment", environment)
        if !topic.isEmpty { members.append(JSONMember("topics", .array(topic.map { .string($0) }))) }
        add("related", related)
        return .object(members)
    }

    private func text(of file: String) throws -> String {
        guard let text = try FileAccess.readText(file) else {
            throw CommandFailure(.configuration, "there is no file \(file)")
        }
        return text
    }
}

/// `mynah key set`: changes what a key may be used for.
struct KeySetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes what a key may be used for.",
        discussion: """
            What is not named stays. Open connections keep the topics that they saw first,
            without those taken away.

              mynah key set NEWS123456 --topic com.example.app --topic com.example.new
              mynah key set NEWS123456 --environment production --unrelated
              mynah key set NEWS123456 --whole-team
            """)

    @OptionGroup var server: ServerOptions
    @Argument(help: "The key's id.") var keyID: String
    @Option(help: ArgumentHelp("sandbox, production or both.", valueName: "environment")) var environment: String?
    @Option(help: "A topic, repeatable; all together replace those that the key has.") var topic: [String] = []
    @Flag(help: "Make it a key of the whole team, related to none.") var wholeTeam = false
    @Option(help: ArgumentHelp("The id of the key that may share a connection with it.", valueName: "key-id"))
    var related: String?
    @Flag(help: "Make it related to none.") var unrelated = false
    @Flag(help: "Print the key as JSON.") var json = false

    func run() async throws {
        guard !wholeTeam || topic.isEmpty && related == nil else {
            throw CommandFailure(.usage, "--whole-team goes with neither --topic nor --related")
        }
        guard !unrelated || related == nil else {
            throw CommandFailure(.usage, "--related and --unrelated are both there; keep one of them")
        }
        let client = try server.client()
        // Scope and revocation count anew in a PUT, so what stays is sent along.
        let members = (try await client.key(keyID).object ?? []).map { member in
            switch member.name {
            case "environment": JSONMember(member.name, environment.map { .string($0) } ?? member.value)
            case "topics" where wholeTeam: JSONMember(member.name, .null)
            case "topics" where !topic.isEmpty: JSONMember(member.name, .array(topic.map { .string($0) }))
            case "related" where wholeTeam || unrelated: JSONMember(member.name, .null)
            case "related": JSONMember(member.name, related.map { .string($0) } ?? member.value)
            default: member
            }
        }
        let key = try await client.replaceKey(keyID, by: .object(members))
        try Terminal.out(json ? key.encodedText : KeyCommand.row(key))
    }
}

/// `mynah key remove`: revokes; a key never leaves the list.
struct KeyRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Revokes a key: its tokens are refused from now on.",
        discussion: """
            Forbidden on connections that used it, InvalidProviderToken on others. `mynah
            reset --only keys` brings back the keys of the start.

              mynah key remove ABC123DEFG
              mynah key revoke ABC123DEFG --json
            """,
        aliases: ["revoke", "rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: "The key's id.") var keyID: String
    @Flag(help: "Print the key as JSON.") var json = false

    func run() async throws {
        let key = try await server.client().revokeKey(keyID)
        if json { try Terminal.out(key.encodedText) }
    }
}
