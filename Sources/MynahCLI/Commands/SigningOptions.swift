import APNsRules
import ArgumentParser
import MynahClient
import MynahTrust

/// The key that signs a provider token: from the flags, the environment or the running server, in this order.
struct SigningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("An AuthKey_<KEYID>.p8 (MYNAH_KEY_FILE).", valueName: "file"))
    var key: String?

    @Option(help: ArgumentHelp("The key's id (MYNAH_KEY_ID; default: in the file's name).", valueName: "keyid"))
    var keyId: String?

    @Option(help: ArgumentHelp("The key's team (MYNAH_TEAM_ID).", valueName: "team"))
    var teamId: String?

    /// A key for provider tokens.
    struct Source: Equatable {
        /// PKCS #8 in PEM.
        var pem: String
        var keyID: String
        var teamID: String
    }

    /// Makes a token at the server's time, without the word `bearer`.
    ///
    /// - Throws: ``CommandFailure`` or ``ClientError`` that names what is missing.
    func token(_ server: Result<ServerLocator.Server, ClientError>) async throws -> String {
        let source = try await source(server)
        let issuedAt = await SigningOptions.now(of: server)
        do throws(TrustError) {
            let key = try SigningKey(
                keyID: source.keyID, team: source.teamID, privateKey: P256PrivateKey(pem: source.pem))
            return try ProviderTokenSigner(key: key).token(issuedAt: issuedAt)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    /// The server's time, by which it judges a token's age; the system's time if no server answers.
    private static func now(of server: Result<ServerLocator.Server, ClientError>) async -> Instant {
        do throws(ClientError) {
            let clock = try await ControlClient(try server.get()).json("GET", "/v1/clock")
            return clock["now"]?.string.flatMap { Instant(rfc3339: $0) } ?? Terminal.now
        } catch {
            return Terminal.now
        }
    }

    private func source(_ server: Result<ServerLocator.Server, ClientError>) async throws -> Source {
        let environment = ProcessEnvironment.variables
        if let path = key ?? environment.nonEmpty("MYNAH_KEY_FILE") {
            return try source(inFile: path, isFromFlag: key != nil, environment)
        }
        let credentials = try await ControlClient(try server.get()).credentials()
        guard let pem = credentials.key, let id = keyId ?? credentials.keyID, let team = teamId ?? credentials.teamID
        else {
            throw CommandFailure(
                .usage,
                "the server uses your own keys, which it doesn't hand out: give --key AuthKey_<KEYID>.p8 and --team-id")
        }
        return Source(pem: pem, keyID: id, teamID: team)
    }

    private func source(
        inFile path: String, isFromFlag: Bool, _ environment: [String: String]
    ) throws -> Source {
        let pem = try NamedFile.text(
            path, from: isFromFlag ? "--key" : "MYNAH_KEY_FILE", status: isFromFlag ? .usage : .configuration)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        // MYNAH_KEY_ID belongs to MYNAH_KEY_FILE, not to --key.
        let inherited = isFromFlag ? nil : environment.nonEmpty("MYNAH_KEY_ID")
        let named = SigningKey.keyID(inFileName: name)
        if let keyId, let named, keyId != named {
            throw CommandFailure(
                .configuration,
                "--key-id \(keyId) contradicts the name of \(path): correct one of them")
        }
        guard let id = keyId ?? inherited ?? named else {
            throw CommandFailure(
                .usage, "unknown key id, because \(name) is not named AuthKey_<KEYID>.p8: give --key-id")
        }
        guard let team = teamId ?? environment.nonEmpty("MYNAH_TEAM_ID") else {
            throw CommandFailure(.usage, "unknown team of \(name): give --team-id or set MYNAH_TEAM_ID")
        }
        return Source(pem: pem, keyID: id, teamID: team)
    }
}

extension [String: String] {
    /// The value of a variable that is set and not empty.
    func nonEmpty(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
