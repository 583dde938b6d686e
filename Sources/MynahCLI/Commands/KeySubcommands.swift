import APNsRules
import ArgumentParser
import Mynah
import MynahClient
import MynahControl
import MynahCore

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Lists, adds, changes and revokes signing keys, whose provider tokens are accepted.",
        subcommands: [
            KeyListCommand.self, KeyShowCommand.self, KeyAddCommand.self, KeySetCommand.self, KeyRemoveCommand.self,
        ], defaultSubcommand: KeyListCommand.self)

    static var columns: ListColumns {
        ListColumns([
            ListColumn("KEY ID") { $0.cell("keyId") }, ListColumn("TEAM") { $0.cell("team") },
            ListColumn("ENVIRONMENT") { $0.cell("environment") },
            ListColumn("STATE") { key in key["revokedAt"]?.string.map { "revoked \($0)" } ?? "good" },
            ListColumn("TOPICS") { key in
                key["topics"]?.array?.compactMap(\.string).joined(separator: ",") ?? "all of the team"
            },
        ])
    }
}

struct KeyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints all keys, including revoked ones.",
        discussion: """
              mynah key list
              mynah key ls --json
            """, aliases: ["ls"])

    @OptionGroup var server: ServerOptions
    @Flag(help: "Print one JSON object per line.") var json = false

    func run() async throws {
        try Terminal.out(try await server.documents().keys(), asJSON: json, in: KeyCommand.columns)
    }
}

struct KeyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one key as JSON, without its private half.",
        discussion: "  mynah key show ABC123DEFG")

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("keyId", of: "getKey")) var keyID: String
    @Flag(help: "Has no effect: the output is always JSON.") var json = false

    func run() async throws { try Terminal.out(try await server.documents().key(keyID).encodedText) }
}

struct KeyAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a key and prints its id.",
        discussion: """
            Without --public-key and --private-key a pair is generated. Its private half
            is available only now: printed with --json, or written to the file of --out.

              mynah key add --out AuthKey_NEWS123456.p8 NEWS123456
              mynah key add --environment sandbox --topic com.example.app --json
              mynah key add --public-key news.pem --team-id TEAM123456 NEWS123456
            """, aliases: ["create"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .member("keyId", of: NewKey.schema)) var keyID: String?
    @Option(help: .member("team", of: NewKey.schema, value: "team")) var teamId: String?
    @Option(help: .value("file", "A file with the public half, PEM.")) var publicKey: String?
    @Option(help: .value("file", "A file with the private half, an AuthKey_<KEYID>.p8.")) var privateKey: String?
    @Option(help: .member("environment", of: NewKey.schema)) var environment: String?
    @Option(help: .member("topics", of: NewKey.schema)) var topic: [String] = []
    @Option(help: .member("related", of: NewKey.schema, value: "key-id")) var related: String?
    @Option(help: .value("file", "The file for the private half of a generated pair, mode 0600.")) var out: String?
    @Flag(help: "Print the answer as JSON.") var json = false

    func run() async throws {
        let makesPair = publicKey == nil && privateKey == nil
        guard out == nil || makesPair else {
            throw CommandFailure(.usage, "--out is for a generated pair: leave out --public-key and --private-key")
        }
        guard json || out != nil || !makesPair else {
            throw CommandFailure(
                .usage,
                "the private half of the generated pair would be lost: give --out FILE or --json, or a --public-key")
        }
        let client = try server.client()
        let members = [JSONMember](given: [
            "keyId": keyID, "team": teamId,
            "publicKey": try publicKey.map { try NamedFile.text($0, from: "--public-key", isOfKeys: true) },
            "privateKey": try privateKey.map { try NamedFile.text($0, from: "--private-key", isOfKeys: true) },
            "environment": environment, "topics": topic, "related": related,
        ])
        let key = try await client.documents.addKey(.object(members))
        if let out, let pem = key["privateKey"]?.string {
            try FileAccess.writeAtomically(Array(pem.utf8), to: out, mode: 0o600)
        }
        try Terminal.out(key, asJSON: json) { $0.text("keyId") }
    }
}

struct KeySetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes the environment, topics or relation of a key.",
        discussion: """
            Topics replace the present ones; everything else stays. Open connections keep
            the topics that they started with, except removed ones.

              mynah key set NEWS123456 --topic com.example.app --topic com.example.new
              mynah key set NEWS123456 --environment production --unrelated
              mynah key set NEWS123456 --whole-team
            """, aliases: ["update"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("keyId", of: "getKey")) var keyID: String
    @Option(help: .member("environment", of: NewKey.schema, showsDefault: false)) var environment: String?
    @Option(help: .member("topics", of: NewKey.schema)) var topic: [String] = []
    @Flag(help: "Make it a key for all topics of the team, not related to another.") var wholeTeam = false
    @Option(help: .member("related", of: NewKey.schema, value: "key-id")) var related: String?
    @Flag(help: "Remove the relation to another key.") var unrelated = false
    @Flag(help: "Print the key as JSON.") var json = false

    func run() async throws {
        guard !wholeTeam || topic.isEmpty && related == nil else {
            throw CommandFailure(.usage, "--whole-team: leave out --topic and --related")
        }
        guard !unrelated || related == nil else {
            throw CommandFailure(.usage, "--related and --unrelated: give one of them")
        }
        let client = try server.client()
        var changes = [JSONMember](given: ["environment": environment, "topics": topic, "related": related])
        if wholeTeam { changes.append(JSONMember("topics", .null)) }
        if wholeTeam || unrelated { changes.append(JSONMember("related", .null)) }
        // A PUT replaces scope and revocation, so unchanged members are sent too.
        let members = (try await client.documents.key(keyID).object ?? []).map { member in
            changes.first { $0.name == member.name } ?? member
        }
        let key = try await client.documents.replaceKey(keyID, by: .object(members))
        try Terminal.out([key], asJSON: json, in: KeyCommand.columns)
    }
}

struct KeyRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Revokes a key: from now on, its tokens are refused.",
        discussion: """
            The answer is Forbidden on connections that used it, and InvalidProviderToken
            on others. `mynah reset --only keys` restores the keys of the start.

              mynah key remove ABC123DEFG
              mynah key revoke ABC123DEFG --json
            """, aliases: ["revoke", "delete", "rm"])

    @OptionGroup var server: ServerOptions
    @Argument(help: .parameter("keyId", of: "getKey")) var keyID: String
    @Flag(help: "Print the key as JSON.") var json = false

    func run() async throws { try Terminal.out(try await server.documents().revokeKey(keyID), asJSON: json) }
}
