import APNsRules
import Glibc
import Mynah
import MynahClient
import MynahTestSupport
import Testing

@testable import MynahCLI

/// Keys in files: `--fixtures` and the settings' file (`ControlAPI#Command-line`).
@Suite("Fixtures from files")
struct FixtureFilesTests {
    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEi5FSdYzbjQPhnpQvcPOoazmnHsmQ
        xIR/2LYWWumj94hqRPhHll8dBsSi4Pff8COaONva/sJ8Ds15ey1oc7NMrw==
        -----END PUBLIC KEY-----

        """

    /// The keys that a server has in addition to its own, once it is ready.
    private func keys(_ change: (inout ServeSettings) -> Void) async throws -> [ControlClient.Key] {
        try await TestServer.with(change) { facts in
            try await ControlClient.patient(url: try ControlURL(facts.ready.controlURL)).keys()
                .filter { $0.keyID != facts.ready.keyID }
        }
    }

    @Test("a YAML file has keys, with their PEM in it or in files next to it")
    func yaml() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(Self.publicKey, to: "news.pem")
            let pem = Self.publicKey.split(separator: "\n").map { "      \($0)\n" }.joined()
            let file = try folder.write(
                """
                # Two related keys, the first naming the second.
                keys:
                  - keyId: NEWS123456
                    team: TEAM123456
                    publicKeyFile: news.pem
                    environment: sandbox
                    topics: [com.example.news, com.example.app]
                    related: SPORT12345
                  - keyId: SPORT12345
                    team: TEAM123456
                    environment: sandbox
                    topics:
                      - com.example.sport
                    revokedAt: "2026-11-21T09:30:00.000Z"
                    publicKey: |
                \(pem)
                """, to: "fixtures.yaml")
            let keys = try await keys { $0.fixtures = file }
            #expect(keys.map(\.keyID) == ["NEWS123456", "SPORT12345"])
            #expect(keys.allSatisfy { $0.publicKey == Self.publicKey })
            #expect(keys.first?.related == "SPORT12345")
            #expect(keys.first?.topics == ["com.example.app", "com.example.news"])
            #expect(keys.last?.revokedAt?.rfc3339 == "2026-11-21T09:30:00.000Z")
        }
    }

    @Test("a folder's YAML and JSON files are read in the order of their names")
    func folder() async throws {
        try await TemporaryFolder.with { folder in
            let pem = JSONValue.string(Self.publicKey).encodedText
            for (name, keyID) in [("20.json", "SECOND1234"), ("10.yml", "FIRST12345"), ("notes.txt", "NOTES12345")] {
                try folder.write(#"{"keys": [{"keyId": "\#(keyID)", "publicKey": \#(pem)}]}"#, to: name)
            }
            #expect(
                try FixtureFiles.documents(at: folder.path).map(\.path)
                    == ["10.yml", "20.json"].map { folder.path + "/" + $0 })
            let keys = try await keys { $0.fixtures = folder.path }
            #expect(Set(keys.map(\.keyID)) == ["FIRST12345", "SECOND1234"])
        }
    }

    @Test("keys in the settings file are loaded too")
    func settingsFile() async throws {
        let pem = JSONValue.string(Self.publicKey).encodedText
        let yaml = "seed: 7\nkeys:\n  - keyId: NEWS123456\n    publicKey: \(pem)\n"
        let resolved = try SettingsFixture(files: ["./mynah.yaml": yaml]).settings()
        #expect(resolved.server.seed == 7)
        let keys = try await keys { $0.fixtureDocuments = resolved.fixtureDocuments }
        #expect(keys.map(\.keyID) == ["NEWS123456"])
    }

    @Test(
        "an invalid file is a configuration error with file, line and field",
        arguments: [
            (
                "keys:\n  - keyId: NEWS123456\n    topcs: [a]\n", 3,
                "/keys/0/topcs: unknown member \"topcs\": did you mean \"topics\"?"
            ),
            ("keys:\n  - keyId: [1]\n", 2, "/keys/0/keyId: an array is not valid: expected a string"),
            ("keys:\n  - keyId: 1234567890\n", 2, "/keys/0/keyId: 1234567890 is not valid: expected a string"),
            ("keys:\n  - team: TEAM123456\n", 2, "/keys/0: missing key: expected publicKey, privateKey"),
            ("keys:\n  - publicKeyFile: nowhere.pem\n", 2, "/keys/0/publicKeyFile: publicKeyFile: there is no file"),
            ("keys:\n  - publicKey: hello\n", 2, "/keys/0/publicKey: publicKey is not PEM"),
            (
                "keys:\n  - publicKeyFile: a.pem\n    environment: sandbox\n    topics:\n      - a\n      - a b\n", 6,
                "/keys/0/topics/1: \"a b\" is not valid: expected"
            ),
            (
                "keys:\n  - publicKeyFile: a.pem\n    keyId: NEWS123456\n  - publicKeyFile: a.pem\n    keyId: NEWS123456\n",
                5, "/keys/1/keyId: a key with the id NEWS123456"
            ),
            (
                "keys:\n  - publicKeyFile: a.pem\n    environment: sandbox\n    topics: [a]\n    related: NOBODY1234\n",
                5, "/keys/0/related: related is NOBODY1234"
            ),
            ("keys: 7\n", 1, "/keys: 7 is not valid: expected an array"),
            ("keys:\n  - 7\n", 2, "/keys/0: 7 is not valid: expected an object"),
            ("\nkyes: []\n", 2, "/kyes: unknown member \"kyes\": did you mean \"keys\"?"),
            ("- 7\n", 1, "an array is not valid: expected an object"),
            ("keys: [\n", 2, "not YAML"), ("keys: []\nkeys: []\n", 1, "given more than once: keys"),
        ])
    func wrong(text: String, line: Int, problem: String) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(Self.publicKey, to: "a.pem")
            let file = try folder.write(text, to: "fixtures.yaml")
            let failure = await #expect(throws: CommandFailure.self) {
                try await TestServer.with({ $0.fixtures = file }) { _ in }
            }
            #expect(failure?.status == .configuration)
            #expect(failure?.message.hasPrefix("\(file):\(line): \(problem)") == true, "\(failure?.message ?? "")")
        }
    }

    @Test("an error in the second file names the second file")
    func secondFile() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(Self.publicKey, to: "a.pem")
            for name in ["1.yaml", "2.yaml"] {
                try folder.write("keys:\n  - publicKeyFile: a.pem\n    keyId: NEWS123456\n", to: name)
            }
            let failure = await #expect(throws: CommandFailure.self) {
                try await TestServer.with({ $0.fixtures = folder.path }) { _ in }
            }
            #expect(failure?.message.hasPrefix("\(folder.path)/2.yaml:3: /keys/0/keyId: ") == true)
        }
    }

    @Test(
        "only a folder of MYNAH_FIXTURES may be missing")
    func missingFolder() async throws {
        let folder = SettingsFixture(environment: ["MYNAH_FIXTURES": "/nowhere/fixtures.d"])
        #expect(try folder.settings().fixturesMayBeAbsent)
        let keys = try await keys {
            $0.fixtures = "/nowhere/fixtures.d"
            $0.fixturesMayBeAbsent = true
        }
        #expect(keys.isEmpty)

        #expect(try !folder.settings(["--fixtures", "/nowhere/fixtures.d"]).fixturesMayBeAbsent)
        for ending in FixtureFiles.endings {
            let file = SettingsFixture(environment: ["MYNAH_FIXTURES": "/nowhere/fixtures" + ending])
            #expect(try !file.settings().fixturesMayBeAbsent)
        }
        let configured = SettingsFixture(files: ["./mynah.yaml": "fixtures: /nowhere/fixtures.d"])
        #expect(try !configured.settings().fixturesMayBeAbsent)
    }

    @Test("a missing path is a configuration error")
    func nowhere() {
        expectFailure(.configuration, "--fixtures: there is no file /nowhere/fixtures.yaml") {
            _ = try FixtureFiles.documents(at: "/nowhere/fixtures.yaml")
        }
    }

    @Test("YAML scalars have the types of JSON")
    func scalars() throws {
        let document = try LocatedDocument(
            "a: 1\nb: '1'\nc: true\nd: ~\ne: 1.5\nf: yes\ng: 010\nh: 2026-11-21\ni:\n\"k/l\": x\n", path: "x.yaml")
        #expect(
            document.value == [
                "a": 1, "b": "1", "c": true, "d": .null, "e": .number(JSONNumber(text: "1.5")), "f": "yes", "g": "010",
                "h": "2026-11-21", "i": .null, "k/l": "x",
            ])
        #expect(document.line(of: "/k~1l") == 10)
        #expect(document.line(of: "/c/0/nothing") == 3)
        #expect(document.line(of: "") == 1)
    }
}

/// A temporary folder for one test.
private struct TemporaryFolder {
    let path: String

    static func with(_ body: (TemporaryFolder) async throws -> Void) async throws {
        var template = Array("/tmp/mynah-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
        let folder = TemporaryFolder(path: String(cString: try #require(made)))
        defer {
            for name in (try? FileAccess.names(in: folder.path)) ?? [] { unlink("\(folder.path)/\(name)") }
            rmdir(folder.path)
        }
        try await body(folder)
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try FileAccess.writeAtomically(Array(text.utf8), to: "\(path)/\(name)", mode: 0o600)
        return "\(path)/\(name)"
    }
}
