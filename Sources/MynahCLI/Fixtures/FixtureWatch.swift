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
    private var files: SettledFiles
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
        files = SettledFiles(try FixtureWatch.contents(of: settings))
        shown = FixtureParts(try FixtureFiles(of: settings))
    }

    /// Watches until the task is cancelled.
    func run(_ server: Server) async {
        while (try? await Task.sleep(for: FixtureWatch.interval)) != nil { await checkFiles(server) }
    }

    private func checkFiles(_ server: Server) async {
        do throws(CommandFailure) {
            guard files.adopt(try FixtureWatch.contents(of: settings)) else { return }
            problem = nil
            let read = try FixtureFiles(of: settings)
            // What was written meanwhile is taken by a later look.
            guard try FixtureWatch.contents(of: settings) == files.taken else { return files.forget() }
            try await load(read, server)
        } catch {
            // A file that is missing is missed at each look.
            guard error.message != problem else { return }
            problem = error.message
            logger.error("the fixtures stay as they were: \(error.message)")
        }
    }

    private func load(_ files: FixtureFiles, _ server: Server) async throws(CommandFailure) {
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

/// The bytes of files by their paths, of which a change counts once two looks have seen the same: what is being written
/// is not taken for a change, half a list for example, which would be good YAML.
struct SettledFiles {
    /// What was last taken.
    private(set) var taken: [String: [UInt8]]
    // What the last look saw, if that was another thing.
    private var seen: [String: [UInt8]]?

    init(_ taken: [String: [UInt8]]) { self.taken = taken }

    /// Whether what a look sees is a change to take: it is then taken.
    mutating func adopt(_ present: [String: [UInt8]]) -> Bool {
        guard present != taken, present == seen else {
            seen = present == taken ? nil : present
            return false
        }
        taken = present
        seen = nil
        return true
    }

    /// Has the next looks take what is there, whatever was taken.
    mutating func forget() {
        taken = [:]
        seen = nil
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
