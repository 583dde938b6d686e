import APNsRules
import Foundation
import Logging
import MynahCore
import MynahStore
import Testing

@testable import Mynah

/// One node of NATS JetStream on a free port, if this machine has it.
private final class TestEngine {
    /// The last is where `Tests/run.sh` unpacks Debian's.
    private static let places = [
        "/usr/sbin/nats-server", "/usr/local/bin/nats-server", "/opt/homebrew/bin/nats-server",
        (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: ".build/nats/usr/sbin/nats-server").path,
    ]
    static let program = places.first { FileManager.default.isExecutableFile(atPath: $0) }

    let folder = FileManager.default.temporaryDirectory.path + "/mynah-engine-\(UUID().uuidString)"
    let url: String
    private let process = Process()

    init() throws {
        process.executableURL = URL(fileURLWithPath: try #require(TestEngine.program))
        // Port -1 is a free one.
        process.arguments = ["-a", "127.0.0.1", "-p", "-1", "-js", "-sd", folder + "/engine"]
        process.standardOutput = FileHandle.nullDevice
        let log = Pipe()
        process.standardError = log
        try process.run()
        var text = ""
        var port: Substring?
        while port == nil {
            let piece = log.fileHandleForReading.availableData
            try #require(!piece.isEmpty, "nats-server ended: \(text)")
            text += String(decoding: piece, as: UTF8.self)
            port = text.firstMatch(of: /client connections on 127\.0\.0\.1:(\d+)\s/)?.1
        }
        url = "nats://127.0.0.1:\(try #require(port))"
        // What nobody reads would stop it some day.
        log.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        // What the system removes some day.
        try? FileManager.default.removeItem(atPath: folder)
    }
}

@Suite("Joining a cluster", .enabled(if: TestEngine.program != nil))
struct ClusterJoinTests {
    private func server(_ name: String, _ engine: TestEngine) async throws -> Server {
        var settings = Settings()
        settings.ports = [.init(port: 0)]
        settings.channelsPorts = []
        settings.stateDirectory = engine.folder + "/state"
        settings.eventLoops = 1
        settings.cluster.engines = [engine.url]
        settings.cluster.server = name
        settings.snapshotBytesMin = 8_000
        var logger = Logger(label: "mynah.test")
        logger.logLevel = .critical
        return try await Server(settings, logger: logger)
    }

    private func putDevice(_ number: Int, on server: Server) async throws {
        let specification: JSONValue = [
            "id": .string("phone-\(number)"), "name": .string(String(repeating: "x", count: 100)),
        ]
        _ = try await server.perform(
            DocumentDecoder.read(
                PutDevice.self, from: ["id": .string("phone-\(number)"), "specification": specification]))
    }

    @Test("a server that joins when the log's beginning has been trimmed has everything")
    func trimmed() async throws {
        let engine = try TestEngine()
        let first = try await server("a", engine)
        let jetStream = JetStream(
            try NATSConnection(EngineAddress(servers: [engine.url]), client: "test"))
        let names = ClusterNames(name: "mynah", engine: engine.url)
        var count = 0
        // Two snapshots have to be there until the log is trimmed.
        while try jetStream.message(1, of: names.logStream) != nil {
            count += 1
            try await putDevice(count, on: first)
        }
        let second = try await server("b", engine)
        try await second.catchUp()
        #expect(second.deviceCount == count)
        try await putDevice(count + 1, on: second)
        try await first.catchUp()
        #expect(first.deviceCount == count + 1)
        #expect(first.seed == second.seed)
        try await first.shutDown()
        try await putDevice(count + 2, on: second)
        try await second.shutDown()
    }
}
