import Testing

/// Which modules the files of each target may import.
///
/// The compiler accepts more: a module that some dependency brings along can be imported without being declared.
@Suite("Imports go in one direction")
struct ImportTableTests {
    /// The C library comes by this module alone, whose name is the same on every system.
    static let system: Set<String> = ["MynahSystem"]
    static let collections: Set<String> = [
        "BasicContainers", "BitCollections", "Collections", "DequeModule", "HashTreeCollections", "HeapModule",
        "OrderedCollections",
    ]
    static let nio: Set<String> = ["NIOCore", "NIOPosix", "NIOHTTP1"]

    static let rules: Set<String> = ["APNsRules"]
    static let core = rules.union(collections)
    static let trust = rules.union(system).union(["FoundationEssentials", "Synchronization"])
    static let wire = rules.union(nio).union(system).union(["Synchronization"])
    /// What the running server may import besides its own parts.
    static let server = core.union(trust).union(wire).union(["Logging", "Metrics"])
    static let control = rules.union(system).union([
        "FoundationEssentials", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "Metrics", "NIOCore",
        "NIOHTTP1", "NIOHTTPTypes", "ServiceLifecycle", "Synchronization",
    ])
    static let client = wire.union(["FoundationEssentials"])
    static let commands: Set<String> = ["ArgumentParser", "ServiceLifecycle", "UnixSignals"]

    /// Target to modules; a folder of `Sources` without a row is a failure.
    ///
    /// The C modules are for the targets at the C edge alone, also where those are imported.
    static let allowed: [String: Set<String>] = [
        "APNsRules": [],
        "MynahSystem": ["Darwin", "Glibc", "Musl"],
        "MynahCore": core,
        "MynahComparison": core.union(["MynahCore"]),
        "MynahStore": core.union(system).union(["CChecksum", "CNATS", "CSQLite", "MynahCore", "Synchronization"]),
        "MynahTrust": trust.union(["COpenSSL"]),
        "MynahWire": wire.union(["CNghttp2", "COpenSSL"]),
        "Mynah": server.union(["CMalloc", "MynahCore", "MynahStore", "MynahTrust", "MynahWire"]),
        "MynahTesting": rules.union(system).union(["Mynah", "MynahStore", "Synchronization", "Testing"]),
        "MynahControl": control.union(["Mynah", "MynahCore"]),
        "MynahClient": client.union(["MynahWire"]),
        "EmbedFiles": ["Foundation", "PackagePlugin"],
        "MynahYAML": ["CLibYAML"],
        "FileEmbedder": ["Foundation", "FoundationEssentials", "MynahYAML"],
        "MynahCLI": server.union(control).union(client).union(commands)
            .union([
                "CChildProcess", "Mynah", "MynahClient", "MynahComparison", "MynahControl", "MynahCore", "MynahStore",
                "MynahTrust", "MynahWire", "MynahYAML",
            ]),
    ]

    @Test("a file imports only what its target may", arguments: try Repository.swiftFiles(below: "Sources/"))
    func fileImportsOnlyWhatItsTargetMay(file: SwiftFile) throws {
        let target = try #require(file.target, "\(file.path) lies in no target's folder")
        let allowed = try #require(Self.allowed[target], "\(target) has no row in the table of imports")
        for (module, line) in file.imports where module != "Swift" {
            #expect(
                allowed.contains(module),
                "\(file.path):\(line) imports \(module); \(target) may import \(allowed.sorted())"
            )
        }
    }

    @Test("every target of the table exists")
    func everyTargetOfTheTableExists() throws {
        let targets = Set(try Repository.swiftFiles(below: "Sources/").compactMap(\.target))
        #expect(targets == Set(Self.allowed.keys))
    }
}
