import APNsRules
import MynahTrust
import Testing

@Suite("Bootstrapping trust in a folder")
struct TrustMaterialTests {
    let folder: TemporaryFolder
    let state: String

    init() throws {
        folder = try TemporaryFolder()
        state = folder("state")
    }

    private func open(
        _ tlsNames: [String] = [], team: String? = nil, at now: Instant = testNow,
        renew: TrustMaterial.Renewal = .nothing
    ) throws -> TrustMaterial {
        try TrustMaterial.open(stateDirectory: state, tlsNames: tlsNames, teamID: team, now: now, renew: renew)
    }

    private func days(_ count: Int) -> Instant { testNow.advanced(by: .seconds(count * 24 * 3600)) }

    @Test("the first start makes all files, with modes that protect the keys")
    func firstStart() throws {
        let trust = try open()
        #expect(trust.warnings.isEmpty)
        #expect(try folder.mode("state") == 0o700)
        let key = try #require(trust.developmentKey)
        let modes = [
            ".gitignore": 0o644, ".lock": 0o600, key.fileName: 0o600, "ca-bundle.pem": 0o644, "ca-key.pem": 0o600,
            "ca.pem": 0o644,
            "development-key.json": 0o644, "server-hosts.pem": 0o644, "server-key.pem": 0o600,
            "server.pem": 0o644,
        ]
        #expect(try folder.names(in: "state") == modes.keys.sorted())
        for (name, mode) in modes {
            #expect(try folder.mode("state/\(name)") == mode, "\(name)")
        }
        #expect(try folder.read("state/.gitignore").hasSuffix("\n*\n"))
        #expect(trust.caFile == "\(state)/ca.pem")
        #expect(trust.caBundleFile == "\(state)/ca-bundle.pem")
        #expect(trust.keyFile == "\(state)/\(key.fileName)")
        #expect(try folder.read("state/ca.pem") == trust.caPEM)
        #expect(try folder.read("state/server.pem") + trust.caPEM == trust.serverChainPEM)
        #expect(try folder.read("state/server-hosts.pem") + trust.caPEM == trust.hostChainPEM)
        #expect(try folder.read("state/server-key.pem") == trust.serverKeyPEM)
        #expect(trust.notices.isEmpty)
        #expect(try folder.read("state/\(key.fileName)") == key.privateKey?.pem)
        #expect(trust.caBundlePEM.hasSuffix(trust.caPEM))
        #expect(trust.primaryKey.keyID == key.keyID)
        #expect(trust.serverNames.contains("api.push.apple.com"))
    }

    @Test("the generated key signs tokens that the ring accepts")
    func developmentKeySigns() throws {
        let trust = try open()
        let key = try #require(trust.developmentKey)
        let token = try key.token(issuedAt: testNow)
        #expect(try identity(in: trust.keyRing.verdict(on: authorization(token))).team == key.team)
    }

    @Test("the second start uses what the first one made")
    func reuse() throws {
        let first = try open()
        let second = try open(at: days(300))
        #expect(second.caPEM == first.caPEM)
        #expect(second.serverChainPEM == first.serverChainPEM)
        #expect(second.hostChainPEM == first.hostChainPEM)
        #expect(second.serverKeyPEM == first.serverKeyPEM)
        #expect(second.notices.isEmpty)
        #expect(second.developmentKey?.keyID == first.developmentKey?.keyID)
        #expect(second.developmentKey?.publicKey == first.developmentKey?.publicKey)
        #expect(second.developmentKey?.team == first.developmentKey?.team)
        #expect(second.warnings.isEmpty)
    }

    @Test("a new name that the CA may sign is added automatically, under the same key")
    func newName() throws {
        let first = try open()
        let second = try open(["more.test"])
        #expect(second.caPEM == first.caPEM)
        #expect(second.serverChainPEM != first.serverChainPEM)
        #expect(second.serverKeyPEM == first.serverKeyPEM)
        #expect(second.serverNames.contains("more.test"))
        #expect(second.warnings.isEmpty)
        // The name stays if it is no longer given: other users of the folder may need it.
        #expect(try open().serverChainPEM == second.serverChainPEM)
    }

    @Test("a name outside of the CA's constraints is left out with one warning that says how to renew")
    func nameOutside() throws {
        let first = try open()
        let second = try open(["push.example.com"])
        #expect(second.serverChainPEM == first.serverChainPEM)
        #expect(second.warnings.count == 1)
        let warning = try #require(second.warnings.first)
        #expect(warning.contains("push.example.com") && warning.contains("mynah certs init --renew-ca"))
        #expect(!second.serverNames.contains("push.example.com"))
        let third = try open(["push.example.com", "more.test"])
        #expect(third.serverNames.contains("more.test"))
        #expect(third.warnings == second.warnings)
        let renewed = try open(["push.example.com"], renew: .authority)
        #expect(renewed.caPEM != first.caPEM)
        #expect(renewed.serverNames.contains("push.example.com"))
        #expect(renewed.warnings.isEmpty)
        #expect(try open(["push.example.com"]).serverChainPEM == renewed.serverChainPEM)
    }

    @Test("renewing the server's certificate keeps the CA and the signing key")
    func renewServer() throws {
        let first = try open()
        let second = try open(renew: .serverCertificate)
        #expect(second.caPEM == first.caPEM)
        #expect(second.serverKeyPEM != first.serverKeyPEM)
        #expect(second.developmentKey?.keyID == first.developmentKey?.keyID)
        #expect(try open().serverChainPEM == second.serverChainPEM)
    }

    @Test("a certificate in its last 30 days is replaced automatically; an expired one is an error")
    func expiry() throws {
        let first = try open()
        #expect(try open(at: days(365)).serverChainPEM == first.serverChainPEM)
        let later = try open(at: days(367))
        #expect(later.serverChainPEM != first.serverChainPEM)
        #expect(later.serverKeyPEM == first.serverKeyPEM)
        let error = try trustError { _ = try open(at: days(367 + 397)) }
        #expect(error.code == .expired)
        #expect(error.file == "\(state)/server.pem")
        #expect(error.description.contains("expired on 2028-"))
        #expect(error.description.contains("mynah certs init --renew"))
        _ = try open(at: days(367 + 397), renew: .serverCertificate)
    }

    @Test("an expired CA is an error, one that expires soon a warning; renewing resolves both")
    func authorityExpiry() throws {
        let first = try open()
        let soon = try open(at: days(3640), renew: .serverCertificate)
        #expect(soon.caPEM == first.caPEM)
        #expect(soon.warnings.count == 1 && soon.warnings[0].contains("The CA expires on"))
        #expect(try open(at: days(3641)).serverChainPEM == soon.serverChainPEM)
        let error = try trustError { _ = try open(at: days(3650)) }
        #expect(error.code == .expired)
        #expect(error.file == "\(state)/ca.pem")
        #expect(error.description.contains("--renew-ca"))
        #expect(try open(at: days(3650), renew: .authority).warnings.isEmpty)
    }

    @Test("a clock before the certificates' validity is an error that names both times")
    func notYetValid() throws {
        _ = try open()
        let error = try trustError { _ = try open(at: days(-2)) }
        #expect(error.code == .expired)
        #expect(error.problem.contains("not valid before 2025-12-31") && error.problem.contains("2025-12-30"))
    }

    static let broken: [(file: String, text: String, code: TrustError.Code, piece: String)] = [
        ("ca.pem", "", .malformed, "not PEM"),
        ("ca.pem", KeyFixtures.p384, .malformed, "holds a PRIVATE KEY"),
        ("ca.pem", "-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n", .malformed, "not base64"),
        ("ca.pem", "-----BEGIN CERTIFICATE-----\nMIGH\n-----END CERTIFICATE-----\n", .malformed, "OpenSSL cannot read"),
        ("ca-key.pem", "hello", .malformed, "not PEM"),
        ("ca-key.pem", KeyFixtures.rsa, .malformed, "RSA"),
        ("ca-key.pem", KeyFixtures.withoutPublicHalf, .mismatch, "not the key of ca.pem"),
        ("server.pem", "hello", .malformed, "not PEM"),
        ("server-hosts.pem", "hello", .malformed, "not PEM"),
        ("server-key.pem", KeyFixtures.ed25519, .malformed, "ED25519"),
        ("server-key.pem", KeyFixtures.withoutPublicHalf, .mismatch, "not the key of server.pem"),
        ("development-key.json", "{", .malformed, "not JSON"),
        ("development-key.json", #"{"keyId":"ABCDE12345"}"#, .malformed, "no teamId"),
        ("development-key.json", #"{"keyId":"../../../x","teamId":"ABCDE12345"}"#, .malformed, "no keyId"),
    ]

    @Test("a broken file is an error that names it, the fault and the remedy", arguments: broken.indices)
    func brokenFile(index: Int) throws {
        let (file, text, code, piece) = TrustMaterialTests.broken[index]
        _ = try open()
        try folder.write(text, to: "state/\(file)")
        let error = try trustError { _ = try open() }
        #expect(error.code == code)
        #expect(error.file == "\(state)/\(file)")
        #expect(error.problem.contains(piece), "\(error)")
        #expect(error.remedy.contains("mynah certs init --renew") || error.remedy.contains("Delete it"))
    }

    @Test("the remedies in the errors of broken files work")
    func remedies() throws {
        _ = try open()
        try folder.write("hello", to: "state/server.pem")
        _ = try open(renew: .serverCertificate)
        try folder.write("hello", to: "state/ca.pem")
        _ = try open(renew: .authority)
        try folder.write("hello", to: "state/development-key.json")
        try folder.remove("state/development-key.json")
        #expect(try open().warnings.isEmpty)
    }

    @Test("a broken signing key is an error; after its deletion there is a new key of the same team")
    func brokenSigningKey() throws {
        let first = try #require(open().developmentKey)
        try folder.write("hello", to: "state/\(first.fileName)")
        let error = try trustError { _ = try open() }
        #expect(error.file == "\(state)/\(first.fileName)")
        #expect(error.remedy.hasPrefix("Delete it"))
        try folder.remove("state/\(first.fileName)")
        let second = try #require(open().developmentKey)
        #expect(second.keyID != first.keyID)
        #expect(second.team == first.team)
    }

    @Test("a server's certificate in place of the CA's, and one of another CA, are errors")
    func strangers() throws {
        _ = try open()
        let authority = try folder.read("state/ca.pem")
        try folder.write(folder.read("state/server.pem"), to: "state/ca.pem")
        #expect(try trustError { _ = try open() }.problem.contains("of a server, not of a CA"))
        try folder.write(authority, to: "state/ca.pem")

        let other = try TemporaryFolder()
        _ = try TrustMaterial.open(stateDirectory: other.path, now: testNow)
        try folder.write(other.read("server.pem"), to: "state/server.pem")
        try folder.write(other.read("server-key.pem"), to: "state/server-key.pem")
        let error = try trustError { _ = try open() }
        #expect(error.code == .mismatch)
        #expect(error.file == "\(state)/server.pem")
        #expect(error.problem.contains("unable to get local issuer"))
    }

    @Test("without the CA's key a valid certificate is used, and making a new one is an error")
    func withoutAuthorityKey() throws {
        let first = try open()
        try folder.remove("state/ca-key.pem")
        #expect(try open().serverChainPEM == first.serverChainPEM)
        let warned = try open(["more.test"])
        #expect(warned.warnings.count == 1 && warned.warnings[0].contains("key is not in the state folder"))
        try folder.remove("state/server.pem")
        let error = try trustError { _ = try open() }
        #expect(error.file == "\(state)/ca-key.pem")
        #expect(error.problem.contains("missing"))
    }

    @Test("a missing CA is an error that names it and keeps its key, so that it can be put back")
    func missingAuthority() throws {
        let first = try open()
        let key = try folder.read("state/ca-key.pem")
        try folder.remove("state/ca.pem")
        for renewal in [TrustMaterial.Renewal.nothing, .serverCertificate] {
            let error = try trustError { _ = try open(renew: renewal) }
            #expect(error.code == .unreadable)
            #expect(error.file == "\(state)/ca.pem")
            #expect(error.problem.contains("missing"))
            #expect(error.remedy.contains("mynah certs init --renew-ca"))
        }
        #expect(try folder.read("state/ca-key.pem") == key)
        try folder.write(first.caPEM, to: "state/ca.pem")
        #expect(try open().serverChainPEM == first.serverChainPEM)
        try folder.remove("state/ca.pem")
        #expect(try open(renew: .authority).caPEM != first.caPEM)
    }

    @Test("a key file that others may read gives a warning")
    func looseMode() throws {
        _ = try open()
        try folder.setMode(0o644, of: "state/ca-key.pem")
        let warnings = try open().warnings
        #expect(warnings.count == 1 && warnings[0].contains("ca-key.pem") && warnings[0].contains("644"))
    }

    @Test("a given team id replaces the stored one")
    func team() throws {
        let first = try #require(open(team: "TEAM123456").developmentKey)
        #expect(first.team == "TEAM123456")
        #expect(try open().developmentKey?.team == "TEAM123456")
        let other = try #require(open(team: "OTHER12345").developmentKey)
        #expect(other.team == "OTHER12345")
        #expect(other.keyID == first.keyID)
        #expect(try open().developmentKey?.team == "OTHER12345")
        let error = try trustError { _ = try open(team: "short") }
        #expect(error.code == .badSetting && error.description.contains("--team-id"))
    }

    @Test("a user's own key in the folder is never mistaken for the generated one")
    func foreignKeyInFolder() throws {
        let key = try #require(open().developmentKey)
        let own = try SigningKey.generate()
        try folder.write(#require(own.privateKey).pem, to: "state/\(own.fileName)")
        #expect(try open().developmentKey?.keyID == key.keyID)
        try folder.remove("state/development-key.json")
        #expect(try open().developmentKey?.keyID != own.keyID)
    }

    @Test("a relative folder and a trailing slash lead to absolute paths")
    func relative() throws {
        let trust = try TrustMaterial.open(stateDirectory: state + "///", now: testNow)
        #expect(trust.caFile == "\(state)/ca.pem")
        #expect(trust.stateDirectory == state)
    }

    @Test("servers that start concurrently on a new folder agree on everything")
    func concurrentStarts() async throws {
        let state = state
        let all = try await withThrowingTaskGroup(of: TrustMaterial.self) { group in
            for _ in 0..<8 { group.addTask { try TrustMaterial.open(stateDirectory: state, now: testNow) } }
            return try await group.reduce(into: [TrustMaterial]()) { $0.append($1) }
        }
        #expect(all.count == 8)
        #expect(Set(all.map(\.caPEM)).count == 1)
        #expect(Set(all.map(\.serverChainPEM)).count == 1)
        #expect(Set(all.map(\.serverKeyPEM)).count == 1)
        #expect(Set(all.map(\.primaryKey.keyID)).count == 1)
        #expect(Set(all.map(\.primaryKey.team)).count == 1)
        #expect(try folder.names(in: "state").count == 10)
        #expect(try open().caPEM == all[0].caPEM)
    }
}
