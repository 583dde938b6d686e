import APNsRules
import Logging
import Mynah
import MynahClient
import MynahCore

/// Reads the fixtures of `--fixtures` again when one of their files changes, and has the server make the parts that have
/// changed (`LoadFixtures#Edit-them-while-the-server-runs`).
///
/// The files are read and compared, since not every file system tells of changes, those of containers for example, and
/// not every change gives a file another time.
actor FixtureWatch {
    /// How often the files are read.
    static let interval: Duration = .milliseconds(500)

    private let settings: ServeSettings
    private let path: String
    private let logger: Logger
    /// The bytes of the files by their paths, as they were last read.
    private var contents: [String: [UInt8]]
    /// What the server has.
    private var shown: FixtureParts
    /// What was wrong with the files at the last look.
    private var problem: String?

    /// Reads the files from which a server is about to start.
    init?(_ settings: ServeSettings, logger: Logger) throws(CommandFailure) {
        guard let path = settings.fixtures else { return nil }
        guard settings.lacksFixtures || FileAccess.isFolder(path) || FileAccess.isPlainFile(path) else {
            throw CommandFailure(.configuration, "--watch: \(path) can be read only once: expected a file or a folder")
        }
        self.settings = settings
        self.path = path
        self.logger = logger
        contents = try FixtureWatch.contents(of: settings)
        shown = FixtureParts(try FixtureFiles(of: settings))
    }

    /// Watches until the task is cancelled.
    func run(_ server: Server) async {
        while (try? await Task.sleep(for: FixtureWatch.interval)) != nil { await look(server) }
    }

    private func look(_ server: Server) async {
        do throws(CommandFailure) {
            let present = try FixtureWatch.contents(of: settings)
            guard present != contents else { return }
            contents = present
            problem = nil
            try await take(try FixtureFiles(of: settings), server)
        } catch {
            // A file that is missing is missed at each look.
            guard error.message != problem else { return }
            problem = error.message
            logger.error("the fixtures stay as they were: \(error.message)")
        }
    }

    private func take(_ files: FixtureFiles, _ server: Server) async throws(CommandFailure) {
        let next = FixtureParts(files)
        if next.atStart != shown.atStart {
            logger.warning("\(path): changed keys, and a changed clock, are used from the next start on")
        }
        let changed = next.names(unlike: shown)
        guard !changed.isEmpty else {
            shown = next
            return
        }
        do throws(InputError) {
            try await server.replaceFixtures(
                channels: changed.contains("channels") ? files.channels : nil,
                devices: changed.contains("devices") ? files.devices : nil,
                faults: changed.contains("faults") ? files.faults : nil)
        } catch {
            throw files.failure(error)
        }
        shown = next
        logger.info("\(path) has changed: made \(changed.joined(separator: ", ")) anew")
    }

    private static func contents(of settings: ServeSettings) throws(CommandFailure) -> [String: [UInt8]] {
        guard let path = settings.fixtures, !settings.lacksFixtures else { return [:] }
        var contents: [String: [UInt8]] = [:]
        for file in try FixtureFiles.files(at: path) {
            contents[file] = try NamedFile.bytes(file, from: "--fixtures")
        }
        return contents
    }
}

/// What fixtures say, by the names of their lists.
private struct FixtureParts {
    private let lists: KeyValuePairs<String, JSONValue>
    /// What only a start takes.
    let atStart: [JSONValue]

    init(_ files: FixtureFiles) {
        lists = [
            "channels": .array(files.channels.map(\.json)), "devices": .array(files.devices.map(\.json)),
            "faults": .array(files.faults.map(\.json)),
        ]
        atStart = files.givenAtStart
    }

    func names(unlike others: FixtureParts) -> [String] {
        zip(lists, others.lists).filter { $0.value != $1.value }.map(\.0.key)
    }
}
