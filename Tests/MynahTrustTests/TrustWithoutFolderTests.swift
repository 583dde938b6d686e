import APNsRules
import MynahTrust
import Testing

@Suite("Trust without a writable folder, and with the user's own keys")
struct TrustWithoutFolderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("without a folder everything is in memory, with no warning")
    func inMemory() throws {
        let trust = try TrustMaterial.open(stateDirectory: nil, now: testNow)
        #expect(trust.warnings.isEmpty)
        #expect(trust.caFile == nil && trust.caBundleFile == nil && trust.keyFile == nil)
        #expect(trust.stateDirectory == nil)
        let token = try #require(trust.developmentKey).token(issuedAt: testNow)
        _ = try identity(in: trust.keyRing.verdict(on: authorization(token)))
    }

    @Test("if the folder cannot be made, everything is in memory, with exactly one warning")
    func cannotBeMade() throws {
        try folder.write("a file", to: "file")
        for path in ["file", "file/below", "file/far/below"] {
            let trust = try TrustMaterial.open(stateDirectory: folder(path), now: testNow)
            #expect(trust.warnings.count == 1)
            let warning = try #require(trust.warnings.first)
            #expect(warning.contains(folder(path)) && warning.contains("Not a directory"))
            #expect(warning.contains("the CA, the server's certificate, the signing key"))
            #expect(trust.caFile == nil && trust.keyFile == nil)
            #expect(trust.developmentKey != nil)
        }
        #expect(try folder.names(in: ".") == ["file"])
        #expect(try folder.read("file") == "a file")
    }

    @Test("renewing in a folder that cannot be written is an error")
    func cannotRenew() throws {
        try folder.write("a file", to: "file")
        let error = try trustError {
            _ = try TrustMaterial.open(stateDirectory: folder("file/below"), now: testNow, renew: .authority)
        }
        #expect(error.code == .unwritable)
    }

    @Test("a read-only folder is used as it is, without a warning")
    func readOnly() throws {
        let first = try TrustMaterial.open(stateDirectory: folder("state"), now: testNow)
        // Stands for a file system mounted read-only, for root too: the lock cannot be opened for writing.
        try folder.remove("state/.lock")
        try folder.makeFolder("state/.lock")
        let second = try TrustMaterial.open(stateDirectory: folder("state"), now: testNow)
        #expect(second.warnings.isEmpty)
        #expect(second.serverChainPEM == first.serverChainPEM)
        #expect(second.caFile == first.caFile && second.keyFile == first.keyFile)
        let third = try TrustMaterial.open(stateDirectory: folder("state"), tlsNames: ["more.test"], now: testNow)
        #expect(third.warnings.count == 1)
        #expect(third.warnings.first?.contains("new at every start: the server's certificate.") == true)
        #expect(third.caFile == first.caFile)
    }

    @Test("a file that cannot be read is an error, not a reason to make a new one")
    func unreadable() throws {
        _ = try TrustMaterial.open(stateDirectory: folder("state"), now: testNow)
        try folder.remove("state/ca.pem")
        try folder.makeFolder("state/ca.pem")
        let error = try trustError { _ = try TrustMaterial.open(stateDirectory: folder("state"), now: testNow) }
        #expect(error.code == .unreadable)
        #expect(error.file == folder("state/ca.pem"))
    }

    // MARK: - The user's own keys

    private func openWith(_ files: [String], team: String? = "TEAM123456") throws -> TrustMaterial {
        try TrustMaterial.open(stateDirectory: folder("state"), authKeyFiles: files, teamID: team, now: testNow)
    }

    @Test("with the user's own keys, only those are accepted, and none is generated or exported")
    func ownKeys() throws {
        let keys = try (0..<2).map { _ in try SigningKey.generate(team: "TEAM123456") }
        for key in keys { try folder.write(#require(key.privateKey).pem, to: key.fileName) }
        let trust = try openWith(keys.map { folder($0.fileName) })
        #expect(trust.developmentKey == nil)
        #expect(trust.primaryKey.keyID == keys[0].keyID)
        #expect(trust.keyFile == folder(keys[0].fileName))
        for key in keys {
            let token = try key.token(issuedAt: testNow)
            #expect(try identity(in: trust.keyRing.verdict(on: authorization(token))).keyID == key.keyID)
        }
        #expect(try folder.names(in: "state").allSatisfy { !$0.hasSuffix(".p8") && $0 != "development-key.json" })
        try trust.exportFolder(folder("out"))
        #expect(try folder.names(in: "out") == ["ca-bundle.pem", "ca.pem"])
    }

    @Test("a key without a team is an error that names the flag")
    func noTeam() throws {
        let error = try trustError { _ = try openWith([folder("AuthKey_ABCDE12345.p8")], team: nil) }
        #expect(error.code == .badSetting)
        #expect(error.description.contains("--team-id"))
    }

    static let faults: [(name: String, text: String?, code: TrustError.Code, piece: String)] = [
        ("AuthKey_ABCDE12345.p8", nil, .unreadable, "does not exist"),
        ("AuthKey_ABCDE12345.p8", "", .malformed, "is empty"),
        ("AuthKey_ABCDE12345.p8", KeyFixtures.rsa, .malformed, "type RSA"),
        ("AuthKey_ABCDE12345.p8", KeyFixtures.publicHalf, .malformed, "public key only"),
        ("key.p8", KeyFixtures.withoutPublicHalf, .badFileName, "AuthKey_<KEYID>.p8"),
        ("AuthKey_ABCDE1234.p8", KeyFixtures.withoutPublicHalf, .badFileName, "10 letters or digits"),
    ]

    @Test("a key file that is missing, wrong or wrongly named is an error that names it", arguments: faults.indices)
    func faultyFiles(index: Int) throws {
        let (name, text, code, piece) = TrustWithoutFolderTests.faults[index]
        if let text { try folder.write(text, to: name) }
        let error = try trustError { _ = try openWith([folder(name)]) }
        #expect(error.code == code)
        #expect(error.file == folder(name))
        #expect(error.description.contains(piece), "\(error)")
    }

    @Test("an endless file in the state folder is an error and does not fill the memory")
    func endless() throws {
        try folder.makeFolder("state")
        try folder.link("state/ca.pem", to: "/dev/zero")
        let error = try trustError { _ = try TrustMaterial.open(stateDirectory: folder("state"), now: testNow) }
        #expect(error.code == .unreadable)
        #expect(error.problem.contains("File too large"))
    }

    @Test("a folder in place of a key file, and the same key twice, are errors")
    func folderAndTwice() throws {
        try folder.makeFolder("AuthKey_ABCDE12345.p8")
        let unreadable = try trustError { _ = try openWith([folder("AuthKey_ABCDE12345.p8")]) }
        #expect(unreadable.code == .unreadable && unreadable.problem.contains("Is a directory"))
        try folder.write(KeyFixtures.withoutPublicHalf, to: "AuthKey_TWICE12345.p8")
        let file = folder("AuthKey_TWICE12345.p8")
        let twice = try trustError { _ = try openWith([file, file]) }
        #expect(twice.code == .badSetting && twice.problem.contains("TWICE12345"))
    }

    // MARK: - Export

    @Test("the export holds CA, bundle and the generated key, readable by all, and no other key")
    func export() throws {
        let trust = try TrustMaterial.open(stateDirectory: nil, now: testNow)
        let key = try #require(trust.developmentKey)
        for _ in 0..<2 { try trust.exportFolder(folder("a/b/out/")) }
        #expect(try folder.names(in: "a/b/out") == [key.fileName, "ca-bundle.pem", "ca.pem"])
        #expect(try folder.mode("a/b/out") == 0o755)
        for name in try folder.names(in: "a/b/out") { #expect(try folder.mode("a/b/out/\(name)") == 0o644) }
        #expect(try folder.read("a/b/out/ca.pem") == trust.caPEM)
        #expect(try folder.read("a/b/out/ca-bundle.pem") == trust.caBundlePEM)
        #expect(try P256PrivateKey(pem: folder.read("a/b/out/\(key.fileName)")).publicKey == key.publicKey)
    }

    @Test("an export folder that cannot be written is an error that names it")
    func exportFails() throws {
        try folder.write("a file", to: "file")
        let trust = try TrustMaterial.open(stateDirectory: nil, now: testNow)
        let error = try trustError { try trust.exportFolder(folder("file/out")) }
        #expect(error.code == .unwritable)
        #expect(error.description.contains("--export-dir"))
        try folder.makeFolder("out/ca.pem")
        #expect(try trustError { try trust.exportFolder(folder("out")) }.file == folder("out/ca.pem"))
        #expect(try folder.names(in: "out") == ["ca.pem"])
    }
}
